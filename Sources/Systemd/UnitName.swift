/// The name of a unit that can be started, as systemd writes it: `greeter.service`.
package struct UnitName: Sendable, Hashable, CustomStringConvertible {
  /// The name with its suffix.
  package let description: String

  /// The longest name, in bytes, that systemd accepts (systemd.unit(5)).
  package static let maximumLength = 255

  /// The kinds of units that can be started to have something run.
  static let suffixes = ["service", "target", "socket", "timer", "path"]

  /// A description of valid names for messages, to follow the word "wants".
  package static let expectation =
    "the name of a unit that ends with "
    + suffixes.dropLast().map { ".\($0)" }.joined(separator: ", ") + " or .\(suffixes.last ?? "")"
    + "; of a template, with its instance"

  /// Makes a name from a text; nil if the text isn't one.
  ///
  /// Paths, and names of templates without an instance, aren't accepted: they can't be started.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumLength, bytes.allSatisfy(Self.isAllowed),
      let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
      Self.suffixes.contains(String(decoding: bytes[(dot + 1)...], as: UTF8.self))
    else { return nil }
    // In "name@instance", neither part may be empty.
    let parts = bytes[..<dot].split(
      separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    // Tools that show units would take a name that begins with a dash for an option.
    guard bytes.first != UInt8(ascii: "-"), bytes.first != UInt8(ascii: ".") else { return nil }
    description = String(text)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ":-_.\\@".utf8.contains(byte)
    }
  }
}
