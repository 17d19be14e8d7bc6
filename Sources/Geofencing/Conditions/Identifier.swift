/// The rule for names of monitors and identifiers of conditions.
package enum Identifier {
  /// The most characters a name may have.
  package static let maximumLength = 128

  /// What a name has to be, for a person.
  package static let rule = "1 to \(maximumLength) characters of A-Z a-z 0-9 . _ -"

  /// Whether text is 1–128 characters of `A–Z a–z 0–9 . _ -`.
  package static func isValid(_ text: String) -> Bool {
    (1...maximumLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
