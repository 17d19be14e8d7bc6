/// The rule for the names of monitors and the identifiers of conditions.
package enum Identifier {
  /// The most characters a name may have.
  package static let maximumLength = 128

  /// The rule in words, for errors.
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

  /// The error for a name that isn't valid, in one line.
  ///
  /// - Parameter what: what kind of name it is.
  package static func refusal(of name: String, as what: String) -> String {
    "\(what) \(quoted(name)) is not valid: use \(rule)"
  }

  /// Text in quotes on one line: control characters are escaped and long text is cut.
  package static func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { scalar in
      scalar.properties.generalCategory == .control
        ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
    return "'\(shown)\(text.unicodeScalars.count > 60 ? "…" : "")'"
  }
}
