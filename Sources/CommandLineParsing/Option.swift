/// What a text has to be, where not every text will do.
package struct TextRule: Sendable {
  /// What it has to be, as the object of "wants".
  let expectation: String
  /// Whether a text, which may be empty, is that.
  let accepts: @Sendable (String) -> Bool

  package init(_ expectation: String, accepts: @escaping @Sendable (String) -> Bool) {
    self.expectation = expectation
    self.accepts = accepts
  }
}

/// What an option or an argument takes, with the word that stands for it in help.
///
/// A placeholder in the plural (`METRES`) is read as a unit: "a number of metres".
package enum Value: Sendable {
  /// Any text that is not empty, or one that a rule accepts.
  case text(_ placeholder: String, _ rule: TextRule? = nil)
  /// The name of one of the things of a kind; completion asks the program which there are.
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

  /// The word that stands for the value in help, in capitals.
  package var placeholder: String {
    switch self {
    case .text(let word, _), .name(let word, _, _), .file(let word), .number(let word),
      .integer(let word), .duration(let word), .choice(let word, _):
      word
    }
  }

  /// The words to choose from; empty when the value is free.
  package var choices: [String] {
    if case .choice(_, let words) = self { words } else { [] }
  }

  /// A sentence with the words to choose from, if there are any.
  fileprivate var choiceHelp: String? {
    choices.isEmpty ? nil : "\(placeholder) is one of \(choices.joined(separator: ", "))."
  }

  /// Whether completion should offer files.
  package var isFile: Bool {
    if case .file = self { true } else { false }
  }

  /// The kind of what it names; nil of what isn't a name.
  var kindOfName: String? {
    if case .name(_, _, let kind) = self { kind } else { nil }
  }

  /// Whether text is a value of this kind.
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

  /// What the value must be, as the object of "wants".
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

/// One option of a command, as parsing, help, manual page and completion all know it.
///
/// An option of a command is also understood by all its subcommands. `--help` needs no definition.
package struct Option: Sendable {
  /// The name without its dashes, by which ``ParsedArguments`` gives the value.
  package let name: String
  /// The letter of the short form.
  package let short: Character?
  /// What the option takes; a flag takes nothing.
  package let value: Value?
  /// Whether the command line must have it.
  package let isRequired: Bool
  /// Whether it may be given more than once.
  package let repeats: Bool
  /// What stands in when it is not given, as it would be typed.
  package let defaultValue: String?
  /// What it does: a sentence or two.
  package let help: String

  package init(
    _ name: String, short: Character? = nil, takes value: Value? = nil, isRequired: Bool = false,
    repeats: Bool = false, defaultValue: String? = nil, help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRequired = isRequired
    self.repeats = repeats
    self.defaultValue = defaultValue
    self.help = help
  }

  /// How it is typed, for example `--radius METRES`.
  var usage: String { "--\(name)" + (value.map { " \($0.placeholder)" } ?? "") }

  /// The option that every command has.
  static let help = Option("help", short: "h", help: "Show this help and exit.")
  /// The option that the program itself has.
  static let version = Option("version", help: "Show the version and exit.")

  /// The help with all that follows from the rest of the definition.
  var fullHelp: String {
    let repeating = repeats ? "May be given more than once." : nil
    let standard = defaultValue.map { "Default: \($0)." }
    return [help, value?.choiceHelp, repeating, standard].compactMap(\.self).joined(separator: " ")
  }
}

/// One positional argument of a command.
package struct Argument: Sendable {
  /// The name by which ``ParsedArguments`` gives the value.
  package let name: String
  /// What it is; its placeholder stands in the usage line.
  package let value: Value
  /// Whether the command line must have it.
  package let isRequired: Bool
  /// Whether there may be several of it; only of the last one.
  package let repeats: Bool
  /// What it is for: a sentence or two.
  package let help: String

  package init(
    _ name: String, takes value: Value, isRequired: Bool = true, repeats: Bool = false, help: String
  ) {
    self.name = name
    self.value = value
    self.isRequired = isRequired
    self.repeats = repeats
    self.help = help
  }

  /// The help with the words to choose from.
  var fullHelp: String { [help, value.choiceHelp].compactMap(\.self).joined(separator: " ") }
}
