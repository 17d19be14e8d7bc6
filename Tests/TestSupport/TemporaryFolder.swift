import Foundation
import Glibc

/// A folder for a test, which is removed with everything in it when its owner is.
package final class TemporaryFolder: Sendable {
  /// The path of the folder.
  package let path: String

  /// Makes a folder inside another one.
  package init(in parent: String = "/tmp") throws {
    var template = Array("\(parent)/geofenced-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("no folder in \(parent)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes a file in the folder, and returns its path.
  @discardableResult
  package func write(_ contents: some Sequence<UInt8>, _ name: String) throws -> String {
    let file = path + "/" + name
    try Data(contents).write(to: URL(filePath: file))
    return file
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Calls the body with the path of a new folder, and removes the folder afterwards.
package func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  try await body(folder.path)
}
