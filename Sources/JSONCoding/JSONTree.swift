/// A JSON value as it is collected before its bytes are written: keys come in any order.
enum JSONTree {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  /// A finite number.
  case number(Double)
  /// A finite number of less precision, which has shorter digits.
  case short(Float)
  case text(String)
  case object(Members)
  case array(Elements)

  /// The members of an object, in the order in which they were encoded.
  final class Members {
    var list: [(key: String, value: JSONTree)] = []

    init() { list.reserveCapacity(16) }
  }

  /// The elements of an array.
  final class Elements {
    var list: [JSONTree] = []
  }

  /// Writes the value behind what is there already.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): NumberText.append(value, to: &bytes)
    case .unsigned(let value): bytes.append(contentsOf: value.description.utf8)
    case .number(let value): NumberText.append(value, to: &bytes)
    case .short(let value): NumberText.append(digits: value.description, to: &bytes)
    case .text(let value): Self.write(value, to: &bytes)
    case .object(let members): Self.write(members.list, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.list.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  private static func write(
    _ members: [(key: String, value: JSONTree)], to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: "{"))
    let isSorted = zip(members, members.dropFirst()).allSatisfy { $0.key < $1.key }
    // The standard library's sort keeps the order of equals: of two with one name the later counts.
    let sorted = isSorted ? members : members.sorted { $0.key < $1.key }
    var isFirst = true
    for (index, member) in sorted.enumerated() {
      if index + 1 < sorted.count, sorted[index + 1].key == member.key { continue }
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      write(member.key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      member.value.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes a text with its quotation marks.
  static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      // In one piece where nothing is to be escaped.
      if unsafe text.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
        for place in text.indices { write(escaped: unsafe text[place], to: &bytes) }
      } else {
        unsafe bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func write(escaped byte: UInt8, to bytes: inout [UInt8]) {
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
