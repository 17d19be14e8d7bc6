/// Where a text stops being JSON.
package struct JSONMistake: Error, Hashable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int

  /// What is wrong there, after "line N: ".
  package let problem: String

  package var description: String { "line \(line): \(problem)" }
}

/// Checks the syntax of JSON (RFC 8259), because the decoder says only that it is wrong, not where.
package struct JSONSyntax {
  /// The deepest nesting of arrays and objects that is let through.
  package static let maximumDepth = 64

  private let bytes: [UInt8]
  private let notedKey: [UInt8]
  private var index = 0
  private var line = 1
  private var notedLines: [Int] = []

  /// A text without the byte order mark that some editors put before it.
  ///
  /// RFC 8259 lets a parser ignore the mark.
  package static func withoutByteOrderMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Checks a whole text; a byte order mark at its start passes.
  ///
  /// - Returns: the line on which each element begins of the array that the outermost object has
  ///   under a key.
  /// - Throws: ``JSONMistake``, the first one.
  package static func check(
    _ bytes: [UInt8], notingElementsOf key: String = ""
  ) throws(JSONMistake) -> [Int] {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let before = bytes.prefix(error.byteOffsets.lowerBound)
      throw JSONMistake(
        line: 1 + before.count { $0 == UInt8(ascii: "\n") },
        problem: "the text isn't UTF-8; save it in that encoding")
    }
    var syntax = JSONSyntax(bytes: bytes, notedKey: Array(key.utf8))
    if bytes.starts(with: byteOrderMark) { syntax.index = byteOrderMark.count }
    syntax.skipSpace()
    try syntax.value(depth: 0, isNoted: false)
    syntax.skipSpace()
    guard syntax.index == bytes.count else {
      throw syntax.mistake("text after the end of the JSON")
    }
    return syntax.notedLines
  }

  private init(bytes: [UInt8], notedKey: [UInt8]) {
    self.bytes = bytes
    self.notedKey = notedKey
  }

  private func mistake(_ problem: String) -> JSONMistake {
    JSONMistake(line: line, problem: problem)
  }

  private func expected(_ what: String) -> JSONMistake {
    guard index < bytes.count else { return mistake("expected \(what), but the text ends") }
    let scalar = String(decoding: bytes[index...].prefix(4), as: UTF8.self).unicodeScalars.first
    return mistake("expected \(what), not '\(scalar?.escaped(asASCII: false) ?? "")'")
  }

  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default: return
      }
      index += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int, isNoted: Bool) throws(JSONMistake) {
    guard depth < Self.maximumDepth else {
      throw mistake("nested deeper than \(Self.maximumDepth) levels")
    }
    guard index < bytes.count else { throw expected("a value") }
    switch bytes[index] {
    case UInt8(ascii: "{"): try object(depth: depth)
    case UInt8(ascii: "["): try array(depth: depth, isNoted: isNoted)
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONMistake) {
    index += 1
    skipSpace()
    if take("}") { return }
    while true {
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw expected("a key in quotes")
      }
      let key = try string()
      skipSpace()
      guard take(":") else { throw expected("':'") }
      skipSpace()
      try value(depth: depth + 1, isNoted: depth == 0 && key.elementsEqual(notedKey))
      skipSpace()
      if take("}") { return }
      guard take(",") else { throw expected("',' or '}'") }
      skipSpace()
    }
  }

  private mutating func array(depth: Int, isNoted: Bool) throws(JSONMistake) {
    index += 1
    skipSpace()
    if take("]") { return }
    while true {
      if isNoted { notedLines.append(line) }
      try value(depth: depth + 1, isNoted: false)
      skipSpace()
      if take("]") { return }
      guard take(",") else { throw expected("',' or ']'") }
      skipSpace()
    }
  }

  /// Passes a string and returns what stands between its quotes, escapes and all.
  private mutating func string() throws(JSONMistake) -> ArraySlice<UInt8> {
    index += 1
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return bytes[start..<index - 1]
      case UInt8(ascii: "\\"):
        try escape()
      case 0..<0x20:
        throw mistake("a control character in a string; a quote may be missing before it")
      default:
        index += 1
      }
    }
    throw mistake("a string has no end")
  }

  private mutating func escape() throws(JSONMistake) {
    index += 1
    guard index < bytes.count else { throw mistake("a string has no end") }
    guard Array("\"\\/bfnrtu".utf8).contains(bytes[index]) else {
      throw expected("one of \" \\ / b f n r t u after '\\'")
    }
    let isNumeric = bytes[index] == UInt8(ascii: "u")
    index += 1
    guard isNumeric else { return }
    for _ in 0..<4 {
      guard index < bytes.count, isHexDigit(bytes[index]) else {
        throw expected("four hexadecimal digits after '\\u'")
      }
      index += 1
    }
  }

  private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"):
      true
    default: false
    }
  }

  private mutating func word(_ word: StaticString) throws(JSONMistake) {
    let expected = word.description
    guard bytes[index...].starts(with: expected.utf8) else { throw self.expected("a value") }
    index += expected.utf8.count
  }

  private mutating func number() throws(JSONMistake) {
    let start = index
    func isDigit(_ index: Int) -> Bool {
      index < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
    }
    _ = take("-")
    guard isDigit(index) else {
      index = start
      throw expected("a value")
    }
    if take("0"), isDigit(index) { throw mistake("a number must not begin with 0 and a digit") }
    while isDigit(index) { index += 1 }
    if take(".") {
      guard isDigit(index) else { throw expected("a digit") }
      while isDigit(index) { index += 1 }
    }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard isDigit(index) else { throw expected("a digit") }
      while isDigit(index) { index += 1 }
    }
  }
}
