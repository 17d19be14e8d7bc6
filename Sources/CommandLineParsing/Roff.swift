/// A manual page written with the `man` macros; all texts are escaped.
package struct Roff {
  /// A piece of text in one typeface.
  package enum Span: Sendable {
    case bold(String)
    case plain(String)
  }

  /// The page so far.
  package private(set) var text: String

  /// Starts a page, for example of `geofenced` in section 1.
  ///
  /// The page carries no date, so that the same definition always gives the same bytes.
  package init(name: String, section: Int, manual: String) {
    text = """
      .\\" Generated from the definitions in the program; changes belong there.
      .TH "\(Roff.escaped(name.uppercased()))" "\(section)" "" "\(Roff.escaped(name))" \
      "\(Roff.escaped(manual))"
      .nh
      .ad l

      """
  }

  /// Starts a section; its title is usually in capitals.
  package mutating func section(_ title: String) { text += ".SH \"\(Roff.escaped(title))\"\n" }

  /// Starts a subsection.
  mutating func subsection(_ title: String) { text += ".SS \"\(Roff.escaped(title))\"\n" }

  /// Adds a paragraph.
  package mutating func paragraph(_ text: String) { paragraph([.plain(text)]) }

  /// Adds a paragraph in several typefaces.
  package mutating func paragraph(_ spans: [Span]) { text += ".PP\n" + Roff.line(spans) }

  /// Adds a term and the paragraphs of its explanation.
  package mutating func definition(_ term: [Span], _ explanation: [String]) {
    text += ".TP\n" + Roff.line(term)
    for (index, paragraph) in explanation.enumerated() {
      text += (index > 0 ? ".IP\n" : "") + Roff.line([.plain(paragraph)])
    }
  }

  /// Adds lines that are shown exactly as they are.
  package mutating func literal(_ lines: [String]) {
    text += ".RS 4\n.nf\n" + lines.map { Roff.line([.plain($0)]) }.joined() + ".fi\n.RE\n"
  }

  private static func line(_ spans: [Span]) -> String {
    let line = spans.map { span in
      switch span {
      case .bold(let text): "\\fB\(escaped(text))\\fR"
      case .plain(let text): escaped(text)
      }
    }.joined()
    // A line that begins with a point or an apostrophe would be read as a request.
    return (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
  }

  /// Replaces characters that mean something to roff, and those that aren't ASCII.
  private static func escaped(_ text: some StringProtocol) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(hexadecimal(scalar.value))]"
      }
    }.joined()
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
