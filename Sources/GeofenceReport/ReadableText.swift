import Geofencing

extension Unicode.Scalar {
  /// Whether it changes how other text is shown: a control character, or a mark that turns the direction of the text.
  package var isSteering: Bool {
    properties.generalCategory == .control || ("\u{202A}"..."\u{202E}").contains(self)
      || ("\u{2066}"..."\u{2069}").contains(self)
  }
}

extension String {
  /// This text with U+FFFD in the place of characters that change how text is shown.
  package var shown: String {
    var text = ""
    text.unicodeScalars.append(
      contentsOf: unicodeScalars.map { scalar in
        scalar.isSteering && scalar != "\n" && scalar != "\t" ? "\u{FFFD}" : scalar
      })
    return text
  }

  /// This text escaped for HTML, also for an attribute in quotation marks.
  var html: String {
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in shown.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Int {
  /// This number with non-breaking spaces between groups of three digits.
  var grouped: String {
    var groups: [Substring] = []
    var digits = Substring(String(magnitude))
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = digits.dropLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: "\u{202F}")
  }

  /// This number with what it counts.
  func counted(_ one: String, _ many: String) -> String { "\(grouped) \(self == 1 ? one : many)" }
}
