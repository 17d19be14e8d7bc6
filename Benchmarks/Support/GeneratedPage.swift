import Foundation
import LinuxSystem

/// A page in which a run replaces the text between two of its lines.
package struct GeneratedPage {
  private let path: String
  private let text: String
  private let before: Range<String.Index>
  private let after: Range<String.Index>

  /// Reads a page, before a run: if the page has no place for results, that should be known then, not afterwards.
  ///
  /// - Parameter command: The command that writes it, as named in the two lines, such as `make bench`.
  package init(_ path: String, writtenBy command: String) throws {
    guard let bytes = try? FileContents.read(path, maximumBytes: 1 << 20) else {
      throw BenchmarkFailure("\(path) can't be read")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let (begin, end) = (
      "<!-- What follows is written by `\(command)`. -->",
      "<!-- What comes before was written by `\(command)`. -->"
    )
    guard let before = text.firstRange(of: begin), let after = text.firstRange(of: end),
      before.upperBound <= after.lowerBound
    else { throw BenchmarkFailure("\(path) lacks the line \(begin), or \(end) after it") }
    (self.path, self.text, self.before, self.after) = (path, text, before, after)
  }

  /// Writes results into the page, in place of earlier ones.
  package func save(_ results: String) throws {
    let page = text[..<before.upperBound] + "\n\n" + results + "\n" + text[after.lowerBound...]
    try Data(page.utf8).write(to: URL(filePath: path))
  }
}
