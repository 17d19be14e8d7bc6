/// Plain text laid out in lines of at most 80 columns.
package enum TextLayout {
  /// The widest line, in characters.
  static let width = 80

  /// Breaks a text between words; every line ends in a line break.
  package static func wrap(
    _ text: String, firstPrefix: String = "", prefix: String = ""
  ) -> String {
    wrap(text.split(separator: " ").map(String.init), firstPrefix: firstPrefix, prefix: prefix)
  }

  /// Breaks a text between the given pieces; the pieces themselves aren't broken.
  static func wrap(
    _ pieces: [String], firstPrefix: String = "", prefix: String = ""
  ) -> String {
    var text = ""
    var line = firstPrefix
    var isStart = true
    for piece in pieces {
      if !isStart, line.count + 1 + piece.count > width {
        text += line + "\n"
        line = prefix
        isStart = true
      }
      line += (isStart ? "" : " ") + piece
      isStart = false
    }
    return text + line + "\n"
  }

  /// A list of terms in a column; each explanation stands beside its term, or below it if the term is long.
  static func definitionList(_ entries: [(term: String, explanation: String)]) -> String {
    let widest = 26
    let column = entries.map(\.term.count).filter { $0 <= widest }.max() ?? widest
    let indent = String(repeating: " ", count: column + 4)
    return entries.map { term, explanation in
      let isLong = term.count > column
      let padding = String(repeating: " ", count: max(0, column - term.count) + 2)
      return (isLong ? "  \(term)\n" : "")
        + wrap(
          explanation, firstPrefix: isLong ? indent : "  \(term)\(padding)", prefix: indent)
    }.joined()
  }
}
