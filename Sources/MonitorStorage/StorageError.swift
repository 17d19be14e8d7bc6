import SQLite

/// Why nothing can be stored.
package enum StorageError: Error, CustomStringConvertible {
  case unusable(path: String, reason: String)

  static func unusable(_ path: String, _ error: SQLiteError) -> Self {
    let advice =
      error.isStorageFailure
      ? "the disk is full or failing: "
      : error.isInaccessible
        ? "it, its -wal and -shm and its folder have to belong to the user of the daemon: " : ""
    return .unusable(path: path, reason: advice + error.description)
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
