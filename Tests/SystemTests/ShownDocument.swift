import Foundation
import TestSupport

/// A document, from which tests take what it shows.
struct ShownDocument {
  /// Its path in the repository.
  let name: String

  let text: String

  init(_ name: String) throws {
    self.name = name
    text = try String(contentsOfFile: SystemBox.repository + name, encoding: .utf8)
  }

  /// The blocks of code in a language, in order.
  func blocks(_ language: String) -> [String] {
    text.split(separator: "\n```\(language)\n").dropFirst().map { part in
      String(part[..<(part.range(of: "\n```")?.lowerBound ?? part.endIndex)]) + "\n"
    }
  }

  /// The only block in a language that has this in it.
  func block(_ language: String, with word: String) throws -> String {
    let found = blocks(language).filter { $0.contains(word) }
    guard found.count == 1 else {
      throw TestFailure("\(name) has \(found.count) blocks of \(language) with '\(word)'")
    }
    return found[0]
  }
}

extension ShownDocument {
  /// What the protocol's documentation shows.
  static func `protocol`() throws -> ShownDocument { try ShownDocument("Docs/Protocol.md") }

  /// Puts the example in Python into a folder, and returns the words that run it.
  func python(in folder: String) throws -> [String] {
    let path = folder + "/example.py"
    try block("python", with: "Consume").write(toFile: path, atomically: true, encoding: .utf8)
    return ["python3", path]
  }
}
