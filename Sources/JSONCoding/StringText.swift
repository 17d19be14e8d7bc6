/// Writes texts as JSON strings.
enum StringText {
  /// Appends a text in quotation marks.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      // A text without characters to escape is appended in one piece.
      if unsafe text.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
        for place in text.indices { append(escaped: unsafe text[place], to: &bytes) }
      } else {
        unsafe bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case 0x22: bytes.append(contentsOf: "\\\"".utf8)
    case 0x5C: bytes.append(contentsOf: "\\\\".utf8)
    case 0x08: bytes.append(contentsOf: "\\b".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0C: bytes.append(contentsOf: "\\f".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0..<0x20:
      let digits = String(byte, radix: 16)
      bytes.append(contentsOf: (byte < 16 ? "\\u000" : "\\u00").utf8)
      bytes.append(contentsOf: digits.utf8)
    default: bytes.append(byte)
    }
  }
}

/// The text of a JSON string whose escapes are known to be complete.
///
/// Half a surrogate pair becomes U+FFFD.
func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
  var units: [UInt16] = []
  var rest = bytes
  while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
    units += String(decoding: rest[..<escape], as: UTF8.self).utf16
    let letter = rest[escape + 1]
    rest = rest[(escape + 2)...]
    switch letter {
    case UInt8(ascii: "b"): units.append(8)
    case UInt8(ascii: "f"): units.append(12)
    case UInt8(ascii: "n"): units.append(10)
    case UInt8(ascii: "r"): units.append(13)
    case UInt8(ascii: "t"): units.append(9)
    case UInt8(ascii: "u"):
      units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
      rest = rest.dropFirst(4)
    default: units.append(UInt16(letter))
    }
  }
  return String(decoding: units + String(decoding: rest, as: UTF8.self).utf16, as: UTF16.self)
}
