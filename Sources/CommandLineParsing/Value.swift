/// The kind of value that an option or an argument takes, with its placeholder in help.
///
/// A placeholder in the plural (`METRES`) is read as a unit: "a number of metres".
package enum Value: Sendable {
  /// Any text that isn't empty, or any text that a rule accepts.
  case text(_ placeholder: String, _ rule: TextRule? = nil)
  /// The name of a thing of some kind; completion asks the program for the existing names.
  case name(_ placeholder: String, _ rule: TextRule, of: String)
  /// The path of a file; completion offers files.
  case file(_ placeholder: String)
  /// A finite decimal number.
  case number(_ placeholder: String)
  /// A whole number.
  case integer(_ placeholder: String)
  /// A span of time such as `10s`, `5min` or `1h 30min`.
  case duration(_ placeholder: String)
  /// One of a few words.
  case choice(_ placeholder: String, _ words: [String])

  /// The word that stands for the value in help.
  var placeholder: String {
    switch self {
    case .text(let word, _), .name(let word, _, _), .file(let word), .number(let word),
      .integer(let word), .duration(let word), .choice(let word, _):
      word
    }
  }

  /// The words to choose from; empty for other values.
  var choices: [String] {
    if case .choice(_, let words) = self { words } else { [] }
  }

  /// A sentence with the words to choose from; nil if there are none.
  var choiceHelp: String? {
    choices.isEmpty ? nil : "\(placeholder) is one of \(choices.joined(separator: ", "))."
  }

  /// Whether completion should offer files.
  var isFile: Bool {
    if case .file = self { true } else { false }
  }

  /// The kind of things that the value names; nil if the value isn't a name.
  var kindOfName: String? {
    if case .name(_, _, let kind) = self { kind } else { nil }
  }

  /// Whether a text is a valid value of this kind.
  func accepts(_ text: String) -> Bool {
    switch self {
    case .text(_, let rule?), .name(_, let rule, _): rule.accepts(text)
    case .text, .file: !text.isEmpty && !text.utf8.contains(0)
    case .number: Double(strict: text) != nil
    case .integer: Int(strict: text) != nil
    case .duration: Duration(timeSpan: text) != nil
    case .choice(_, let words): words.contains(text)
    }
  }

  /// A description of valid values for messages, to follow the word "wants".
  var expectation: String {
    let unit = placeholder.hasSuffix("S") ? " of \(placeholder.lowercased())" : ""
    return switch self {
    case .text(_, let rule?), .name(_, let rule, _): rule.expectation
    case .text, .file: "a value that is not empty"
    case .number: "a number\(unit)"
    case .integer: "a whole number\(unit)"
    case .duration: "a time such as 30s, 5min or 1h"
    case .choice(_, let words):
      words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))"
    }
  }
}

/// A rule for texts, if not every text is valid.
package struct TextRule: Sendable {
  /// A description of valid texts for messages, to follow the word "wants".
  let expectation: String
  /// Whether a text, which may be empty, is valid.
  let accepts: @Sendable (String) -> Bool

  package init(_ expectation: String, accepts: @escaping @Sendable (String) -> Bool) {
    self.expectation = expectation
    self.accepts = accepts
  }
}
