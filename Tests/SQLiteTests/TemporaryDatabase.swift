import SQLite
import TestSupport

/// A folder for one test's database, removed with its owner.
final class TemporaryDatabase: Sendable {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path + "/test.db" }

  func open(_ mode: Connection.Mode = .readWriteCreate) throws -> Connection {
    try Connection(path: path, mode: mode)
  }
}
