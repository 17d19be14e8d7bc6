import Foundation
import SQLite

/// A folder for one test's database, removed with its owner.
final class TemporaryDatabase: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("geofenced-sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { folder.appendingPathComponent("test.db").path }

  func open(_ mode: Connection.Mode = .readWriteCreate) throws -> Connection {
    try Connection(path: path, mode: mode)
  }
}
