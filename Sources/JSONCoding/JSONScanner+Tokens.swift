/// The tokens that values consist of.
extension JSONScanner {
  mutating func goesOn(until end: Unicode.Scalar) throws -> Bool {
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

  /// Passes a string and returns the range of its bytes between the quotes, with their escapes.
  mutating func stringBytes() throws -> Range<Int> {
    tokenStart = index
    index += 1
    var isASCII = true
    var hasCodes = false
    while true {
      guard let byte = try current() else { throw mistake("a string has no end") }
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        isEmpty = false
        let range = tokenStart + 1..<index - 1
        guard isASCII || isUTF8(range) else { throw notUTF8 }
        guard isASCII && !hasCodes || range.count <= maximumOtherText else {
          throw mistake("a text of more than \(maximumOtherText) bytes that isn't ASCII")
        }
        return range
      case UInt8(ascii: "\\"):
        if try escape() { hasCodes = true }
      case 0..<0x20:
        throw mistake("a control character in a string; a quote may be missing before it")
      case 0x80...: isASCII = false
      default: break
      }
    }
  }

  func isUTF8(_ range: Range<Int>) -> Bool {
    (try? UTF8Span(validating: buffer.span.extracting(range))) != nil
  }

  var notUTF8: JSONMistake { mistake("the text isn't UTF-8; save it in that encoding") }

  /// Passes what follows a backslash; true if that is the code of a character (`\u` and four digits).
  mutating func escape() throws -> Bool {
    guard let byte = try current() else { throw mistake("a string has no end") }
    guard "\"\\/bfnrtu".utf8.contains(byte) else {
      throw try expected("one of \" \\ / b f n r t u after '\\'")
    }
    index += 1
    guard byte == UInt8(ascii: "u") else { return false }
    for _ in 0..<4 {
      guard let digit = try current(), Unicode.Scalar(digit).properties.isASCIIHexDigit else {
        throw try expected("four hexadecimal digits after '\\u'")
      }
      index += 1
    }
    return true
  }

  /// Passes a number and returns the range of its bytes.
  mutating func numberBytes() throws -> Range<Int> {
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

  /// Passes digits and returns their count.
  mutating func digits() throws -> Int {
    var count = 0
    while let byte = try current(), (0x30...0x39).contains(byte) {
      index += 1
      count += 1
    }
    return count
  }

  mutating func skipSpace() throws {
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

  mutating func take(_ character: Unicode.Scalar) throws -> Bool {
    guard try current() == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func expected(_ what: String) throws -> JSONMistake {
    guard let first = try current() else { return mistake("expected \(what), but the text ends") }
    while buffer.count < index + 4, try refill() {}
    let text = String(decoding: buffer[index...].prefix(4), as: UTF8.self)
    guard first < 0x80 || !text.hasPrefix("\u{FFFD}"), let scalar = text.unicodeScalars.first else {
      return notUTF8
    }
    let isControl = scalar.properties.generalCategory == .control
    return mistake("expected \(what), not '\(scalar.escaped(asASCII: isControl))'")
  }
}
