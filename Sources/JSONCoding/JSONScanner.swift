/// Reads JSON (RFC 8259) value by value from bytes that come in pieces.
///
/// It keeps only one piece of the bytes and the token that is being read. The caller enters objects and arrays, and
/// reads or skips the values in them. If something isn't valid JSON, a ``JSONMistake`` with its line is thrown.
package struct JSONScanner {
  /// The kind of a value, known from its first byte.
  package enum Kind: Sendable {
    case object, array, string, number
    /// `true`, `false` or `null`.
    case word
  }

  /// The length in bytes from which on no more bytes are fetched for a string or number.
  ///
  /// A longer one that is in memory already is accepted.
  static let maximumTokenLength = 1 << 20

  /// The longest key, in bytes as written: comparing long keys that aren't ASCII takes long.
  static let maximumKeyLength = 1_024

  /// The current line, counted from 1.
  package internal(set) var line = 1

  private let source: (inout [UInt8]) throws -> Void
  private let maximumDepth: Int
  let maximumOtherText: Int
  var buffer: [UInt8] = []
  var index = 0
  /// The index at which the string or number being read begins; bytes before it may be dropped.
  var tokenStart = 0
  private var isAtEnd = false
  var depth = 0
  /// Whether nothing was read yet from the current object or array.
  var isEmpty = true

  /// Begins to read, and passes a byte order mark.
  ///
  /// - Parameters:
  ///   - maximumDepth: the deepest nesting of arrays and objects that is accepted.
  ///   - maximumOtherText: the longest string with characters outside ASCII that is accepted, in bytes as written:
  ///     comparing such strings, and walking through them, may take time in the square of their length.
  ///   - source: appends the next bytes to the array, or nothing at the end.
  package init(
    maximumDepth: Int = 64, maximumOtherText: Int = .max,
    source: @escaping (inout [UInt8]) throws -> Void
  ) throws {
    self.maximumDepth = maximumDepth
    self.maximumOtherText = maximumOtherText
    self.source = source
    // A piece may be shorter than the mark.
    while buffer.count < 3, try refill() {}
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// The kind of the next value.
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

  /// Enters the object or array that comes next.
  package mutating func enter() throws {
    guard depth < maximumDepth else {
      throw JSONMistake(
        line: line, problem: "nested deeper than \(maximumDepth) levels", isNesting: true)
    }
    index += 1
    depth += 1
    isEmpty = true
  }

  /// The next key of the current object; nil at the object's end, which is passed.
  package mutating func nextKey() throws -> String? {
    guard try goesOn(until: "}") else { return nil }
    guard try current() == UInt8(ascii: "\"") else { throw try expected("a key in quotes") }
    let range = try stringBytes()
    guard range.count <= Self.maximumKeyLength else {
      throw mistake("a key of more than \(Self.maximumKeyLength) bytes")
    }
    let key = string(in: range)
    try skipSpace()
    guard try take(":") else { throw try expected("':'") }
    return key
  }

  /// Whether the current array has another element; at its end, which is passed, false.
  package mutating func nextElement() throws -> Bool { try goesOn(until: "]") }

  /// Passes the next value.
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

  /// Whether nothing but white space is left.
  package mutating func isFinished() throws -> Bool {
    try skipSpace()
    return try current() == nil
  }

  /// Reads the next value, a string.
  package mutating func string() throws -> String {
    let range = try stringBytes()
    return string(in: range)
  }

  private func string(in range: Range<Int>) -> String {
    guard buffer[range].contains(UInt8(ascii: "\\")) else {
      return String(decoding: buffer[range], as: UTF8.self)
    }
    return unescaped(buffer[range])
  }

  /// Reads the next value, a number; nil if it is too large for a `Double`.
  package mutating func number() throws -> Double? {
    let range = try numberBytes()
    guard case .number(let value) = DecimalText(buffer.span.extracting(range)) else { return nil }
    return value
  }

  /// Reads the next value, a number; nil if it has a point or an exponent, or is too large for `Int64`.
  package mutating func wholeNumber() throws -> Int64? { Int64(try numberText()) }

  /// Reads the next value, a number, as it is written.
  package mutating func numberText() throws -> String {
    String(decoding: buffer[try numberBytes()], as: UTF8.self)
  }

  /// Reads the next value, `true`, `false` or `null`; nil means `null`.
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

  /// A mistake on the current line.
  package func mistake(_ problem: String) -> JSONMistake {
    JSONMistake(line: line, problem: problem)
  }

  // MARK: Bytes

  /// The current byte; nil at the end.
  @inline(__always)
  mutating func current() throws -> UInt8? {
    if index == buffer.count, try !refill() { return nil }
    return buffer[index]
  }

  /// Fetches more bytes and keeps those of the current token; false at the end.
  mutating func refill() throws -> Bool {
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
