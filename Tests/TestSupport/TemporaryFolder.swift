import Foundation
import Glibc

/// A folder of a test's own, gone with its owner and everything in it.
package final class TemporaryFolder: Sendable {
  /// Where it is.
  package let path: String

  /// Makes a folder in another one.
  package init(in parent: String = "/tmp") throws {
    var template = Array("\(parent)/geofenced-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("no folder in \(parent)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes a file in it, and says where that is.
  @discardableResult
  package func write(_ contents: some Sequence<UInt8>, _ name: String) throws -> String {
    let file = path + "/" + name
    try Data(contents).write(to: URL(filePath: file))
    return file
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Gives the body the path of a folder of its own, and removes it.
package func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  try await body(folder.path)
}
