/// The text that stands in a JSON string, whose escapes are known to be whole.
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
