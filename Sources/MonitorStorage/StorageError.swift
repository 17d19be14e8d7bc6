package import SQLite

/// Why nothing can be stored.
package enum StorageError: Error, CustomStringConvertible {
  case unusable(path: String, reason: String)

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
    return .unusable(path: path, reason: advice + error.description)
  }

  /// What to say of an error while the daemon runs.
  package static func text(_ error: any Error) -> String {
    let isCorrupt = (error as? SQLiteError)?.isCorrupt ?? false
    return "\(error)"
      + (isCorrupt
        ? "; a restart of the daemon sets a damaged log aside, and begins a new one" : "")
  }

  /// Whether an error is one of the database: whoever asked can't do better.
  package static func isOfDatabase(_ error: any Error) -> Bool { error is SQLiteError }

  /// Whether an error is that the disk is full.
  package static func isOfFullDisk(_ error: any Error) -> Bool {
    (error as? SQLiteError)?.isOfFullDisk ?? false
  }

  /// Whether an error is that reading or writing the device failed.
  package static func isOfDevice(_ error: any Error) -> Bool {
    (error as? SQLiteError)?.isOfDevice ?? false
  }

  /// One line that names the file.
  package var description: String {
    switch self {
    case .unusable(let path, let reason): "\(path): \(reason)"
    }
  }
}
