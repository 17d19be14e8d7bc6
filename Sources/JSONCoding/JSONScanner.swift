/// Reads JSON (RFC 8259) value by value from bytes that come in pieces.
///
/// It holds one piece and what it is at. The caller goes down into objects and arrays and takes or
/// skips what is in them; what isn't JSON is a ``JSONMistake`` with its line.
package struct JSONScanner {
  /// What a value begins as.
  package enum Kind: Sendable {
    case object, array, string, number
    /// `true`, `false` or `null`.
    case word
  }

  /// The longest string or number, in bytes, that is read on for: one that is longer and in memory already is
  /// let through.
  static let maximumTokenLength = 1 << 20

  /// The line that was reached, counted from 1.
  package private(set) var line = 1

  private let source: (inout [UInt8]) throws -> Void
  private let maximumDepth: Int
  private var buffer: [UInt8] = []
  private var index = 0
  /// Where the string or number begins that is being read; what is before it may go.
  private var tokenStart = 0
  private var isAtEnd = false
  private var depth = 0
  /// Whether the object or array that is being read has had nothing in it yet.
  private var isEmpty = true

  /// Begins to read; a byte order mark passes.
  ///
  /// - Parameters:
  ///   - maximumDepth: the deepest nesting of arrays and objects that is let through.
  ///   - source: appends the next bytes to those it is given, or nothing at the end.
  package init(maximumDepth: Int = 64, source: @escaping (inout [UInt8]) throws -> Void) throws {
    self.maximumDepth = maximumDepth
    self.source = source
    // A piece may be shorter than the mark.
    while buffer.count < 3, try refill() {}
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  // MARK: Values

  /// What the value that comes next begins as.
  package mutating func kind() throws -> Kind {
    try skipSpace()
    guard let byte = try current() else { throw try expected("a value") }
    switch byte {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .word
    default: throw try expected("a value")
    }
  }

  /// Goes into the object or array that comes next.
  package mutating func enter() throws {
    guard depth < maximumDepth else {
      throw JSONMistake(
        line: line, problem: "nested deeper than \(maximumDepth) levels", isNesting: true)
    }
    index += 1
    depth += 1
    isEmpty = true
  }

  /// The next key of the object that was entered, in front of its value; nil leaves the object.
  package mutating func nextKey() throws -> String? {
    guard try goesOn(until: "}") else { return nil }
    guard try current() == UInt8(ascii: "\"") else { throw try expected("a key in quotes") }
    let key = try string()
    try skipSpace()
    guard try take(":") else { throw try expected("':'") }
    return key
  }

  /// Whether the array that was entered has another element; if not, the array is left.
  package mutating func nextElement() throws -> Bool { try goesOn(until: "]") }

  /// Passes the value that comes next.
  package mutating func skip() throws {
    switch try kind() {
    case .object:
      try enter()
      while try nextKey() != nil { try skip() }
    case .array:
      try enter()
      while try nextElement() { try skip() }
    case .string: _ = try stringBytes()
    case .number: _ = try numberBytes()
    case .word: _ = try word()
    }
  }

  /// Passes what separates one text from the next in a sequence of texts (RFC 8142).
  ///
  /// - Returns: whether there is another text.
  package mutating func nextText() throws -> Bool {
    repeat { try skipSpace() } while try take("\u{1E}")
    return try current() != nil
  }

  /// Whether nothing comes any more.
  package mutating func isFinished() throws -> Bool {
    try skipSpace()
    return try current() == nil
  }

  /// The string that comes next.
  package mutating func string() throws -> String {
    let range = try stringBytes()
    guard buffer[range].contains(UInt8(ascii: "\\")) else {
      return String(decoding: buffer[range], as: UTF8.self)
    }
    return unescaped(buffer[range])
  }

  /// The number that comes next; nil when it is too large for a `Double`.
  package mutating func number() throws -> Double? {
    let range = try numberBytes()
    guard case .number(let value) = DecimalText(buffer.span.extracting(range)) else { return nil }
    return value
  }

  /// The whole number that comes next; nil when it has a point or an exponent, or is too large.
  package mutating func wholeNumber() throws -> Int64? { Int64(try numberText()) }

  /// The number that comes next, as it is written.
  package mutating func numberText() throws -> String {
    String(decoding: buffer[try numberBytes()], as: UTF8.self)
  }

  /// The word that comes next; nil is `null`.
  package mutating func word() throws -> Bool? {
    tokenStart = index
    while let byte = try current(), (0x61...0x7A).contains(byte) { index += 1 }
    isEmpty = false
    switch String(decoding: buffer[tokenStart..<index], as: UTF8.self) {
    case "true": return true
    case "false": return false
    case "null": return nil
    default:
      index = tokenStart
      throw try expected("a value")
    }
  }

  /// A mistake on the line that was reached.
  package func mistake(_ problem: String) -> JSONMistake {
    JSONMistake(line: line, problem: problem)
  }

  // MARK: Tokens

  private mutating func goesOn(until end: Unicode.Scalar) throws -> Bool {
    try skipSpace()
    if try take(end) {
      depth -= 1
      isEmpty = false
      return false
    }
    if !isEmpty {
      guard try take(",") else { throw try expected("',' or '\(end)'") }
      try skipSpace()
    }
    return true
  }

  /// Passes a string and returns where what stands between its quotes is, escapes and all.
  private mutating func stringBytes() throws -> Range<Int> {
    tokenStart = index
    index += 1
    var isASCII = true
    while true {
      guard let byte = try current() else { throw mistake("a string has no end") }
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        isEmpty = false
        let range = tokenStart + 1..<index - 1
        guard isASCII || isUTF8(range) else { throw notUTF8 }
        return range
      case UInt8(ascii: "\\"): try escape()
      case 0..<0x20:
        throw mistake("a control character in a string; a quote may be missing before it")
      case 0x80...: isASCII = false
      default: break
      }
    }
  }

  private func isUTF8(_ range: Range<Int>) -> Bool {
    (try? UTF8Span(validating: buffer.span.extracting(range))) != nil
  }

  private var notUTF8: JSONMistake { mistake("the text isn't UTF-8; save it in that encoding") }

  private mutating func escape() throws {
    guard let byte = try current() else { throw mistake("a string has no end") }
    guard "\"\\/bfnrtu".utf8.contains(byte) else {
      throw try expected("one of \" \\ / b f n r t u after '\\'")
    }
    index += 1
    guard byte == UInt8(ascii: "u") else { return }
    for _ in 0..<4 {
      guard let digit = try current(), Unicode.Scalar(digit).properties.isASCIIHexDigit else {
        throw try expected("four hexadecimal digits after '\\u'")
      }
      index += 1
    }
  }

  /// Passes a number and returns where it is.
  private mutating func numberBytes() throws -> Range<Int> {
    tokenStart = index
    _ = try take("-")
    if try take("0") {
      guard try digits() == 0 else { throw mistake("a number must not begin with 0 and a digit") }
    } else if try digits() == 0 {
      index = tokenStart
      throw try expected("a value")
    }
    if try take("."), try digits() == 0 { throw try expected("a digit") }
    if try take("e") || take("E") {
      if try !take("+") { _ = try take("-") }
      guard try digits() > 0 else { throw try expected("a digit") }
    }
    isEmpty = false
    return tokenStart..<index
  }

  /// Passes digits and returns how many.
  private mutating func digits() throws -> Int {
    var count = 0
    while let byte = try current(), (0x30...0x39).contains(byte) {
      index += 1
      count += 1
    }
    return count
  }

  private mutating func skipSpace() throws {
    while let byte = try current() {
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default:
        tokenStart = index
        return
      }
      index += 1
      tokenStart = index
    }
  }

  private mutating func take(_ character: Unicode.Scalar) throws -> Bool {
    guard try current() == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func expected(_ what: String) throws -> JSONMistake {
    guard let first = try current() else { return mistake("expected \(what), but the text ends") }
    while buffer.count < index + 4, try refill() {}
    let text = String(decoding: buffer[index...].prefix(4), as: UTF8.self)
    guard first < 0x80 || !text.hasPrefix("\u{FFFD}"), let scalar = text.unicodeScalars.first else {
      return notUTF8
    }
    let isControl = scalar.properties.generalCategory == .control
    return mistake("expected \(what), not '\(scalar.escaped(asASCII: isControl))'")
  }

  // MARK: Bytes

  /// The byte that was reached; nil at the end.
  @inline(__always)
  private mutating func current() throws -> UInt8? {
    if index == buffer.count, try !refill() { return nil }
    return buffer[index]
  }

  /// Gets more bytes and keeps those of the token that has begun; false at the end.
  private mutating func refill() throws -> Bool {
    guard !isAtEnd else { return false }
    guard buffer.count - tokenStart <= Self.maximumTokenLength else {
      throw mistake("a string or number of more than \(Self.maximumTokenLength) bytes")
    }
    buffer.removeSubrange(..<tokenStart)
    index -= tokenStart
    tokenStart = 0
    let kept = buffer.count
    try source(&buffer)
    isAtEnd = buffer.count == kept
    return !isAtEnd
  }
}
