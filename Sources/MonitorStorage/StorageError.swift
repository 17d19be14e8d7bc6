package import SQLite

/// Why nothing can be stored.
package struct StorageError: Error, CustomStringConvertible {
  /// One line that names the file.
  package let description: String

  package static func unusable(path: String, reason: String) -> Self {
    Self(description: "\(path): \(reason)")
  }

  package static func unusable(_ path: String, _ error: SQLiteError) -> Self {
    let advice =
      if error.isStorageFailure {
        "the disk is full or failing: "
      } else if error.isInaccessible {
        "it, its -wal and -shm and its folder have to belong to the user of the daemon: "
      } else if error.isOfContents {
        "its tables aren't what its version says; restore a copy of it, or move it away: "
      } else {
        ""
      }
    let older = error.code == SQLiteError.newerDatabase ? MonitorDatabase.olderCopy(of: path) : nil
    let wayBack = older.map {
      "; what it was before is in \($0): see 'Going back to an older version' in Guide.md"
    }
    return .unusable(path: path, reason: advice + error.description + (wayBack ?? ""))
  }

  /// What to say of an error while the daemon runs.
  package static func text(_ error: any Error) -> String {
    let isCorrupt = (error as? SQLiteError)?.isCorrupt ?? false
    return "\(error)"
      + (isCorrupt
        ? "; a restart of the daemon sets a damaged log aside, and begins a new one" : "")
  }
}
