import CExpat
import Glibc

/// Encodings that expat doesn't know.
enum XMLEncoding {
  /// How names of encodings with one byte per character begin.
  private static let families = ["windows-125", "cp125", "iso-8859-", "iso8859-", "latin", "koi8-"]

  /// Teaches expat an encoding; false if that isn't known either.
  static func fill(_ encoding: inout XML_Encoding, named name: String) -> Bool {
    let name = name.lowercased()
    guard name.utf8.count <= 20, families.contains(where: name.hasPrefix) else { return false }
    // The tables are in the C library.
    guard let converter = unsafe iconv_open("UCS-4LE", name),
      unsafe converter != iconv_t(bitPattern: -1)
    else { return false }
    defer { _ = unsafe iconv_close(converter) }
    unsafe withUnsafeMutableBytes(of: &encoding.map) { map in
      let map = unsafe map.bindMemory(to: Int32.self)
      for byte in UInt8.min...UInt8.max {
        unsafe map[Int(byte)] = scalar(of: byte, by: converter).map { Int32(bitPattern: $0) } ?? -1
      }
    }
    return true
  }

  /// The character that one byte stands for; nil if there is none.
  private static func scalar(of byte: UInt8, by converter: iconv_t) -> UInt32? {
    var input = CChar(bitPattern: byte)
    var output: UInt32 = 0
    var (unread, free) = (MemoryLayout.size(ofValue: input), MemoryLayout.size(ofValue: output))
    unsafe withUnsafeMutablePointer(to: &input) { input in
      unsafe withUnsafeMutableBytes(of: &output) { output in
        var from: UnsafeMutablePointer<CChar>? = unsafe input
        var to = unsafe output.bindMemory(to: CChar.self).baseAddress
        // Some encodings hold a letter back, as a mark may follow. So reset the converter first, and flush after it.
        _ = unsafe iconv(converter, nil, nil, nil, nil)
        _ = unsafe iconv(converter, &from, &unread, &to, &free)
        if free > 0 { _ = unsafe iconv(converter, nil, nil, &to, &free) }
      }
    }
    return unread == 0 && free == 0 ? UInt32(littleEndian: output) : nil
  }
}
