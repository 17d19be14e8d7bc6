import Foundation
import GeofenceClient

/// A file of greetings, one a line, each with the event that it is for.
struct Greetings {
  private let file: FileHandle

  /// Which events were greeted already.
  private let known: Set<String>

  /// Opens the file, or makes it.
  init(path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
      }
    }
    file = try FileHandle(forUpdating: URL(filePath: path))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    known = Set(
      text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
  }

  /// Writes a greeting, if the event has none yet; when it returns, it is on the disk.
  func greet(_ words: String, for event: Monitor.Event) throws {
    let name = "\(event.log)/\(event.sequence)"
    guard !known.contains(name) else { return }
    try file.seekToEnd()
    try file.write(contentsOf: Data("\(words), \(event.date.formatted(.iso8601)) \(name)\n".utf8))
    try file.synchronize()
  }
}
