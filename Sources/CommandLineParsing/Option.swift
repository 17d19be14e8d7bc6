/// One option of a command, for parsing, help, manual page and completion.
///
/// All subcommands of the command accept the option, too. `--help` needs no definition.
package struct Option: Sendable {
  /// The name without its dashes, by which ``ParsedArguments`` returns the value.
  package let name: String
  /// The letter of the short form; nil if there is none.
  let short: Character?
  /// The kind of value that the option takes; nil for a flag.
  let value: Value?
  /// Whether the option has to be given.
  let isRequired: Bool
  /// Whether it may be given more than once.
  let repeats: Bool
  /// The value that is used if the option isn't given, in the form in which it would be typed.
  let defaultValue: String?
  /// What the option does: a sentence or two.
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

  /// The `--help` option, which every command has.
  static let help = Option("help", short: "h", help: "Show this help and exit.")
  /// The `--version` option, which only the program itself has.
  static let version = Option("version", help: "Show the version and exit.")

  /// The help, with sentences about choices, repetition and the default value.
  var fullHelp: String {
    let repeating = repeats ? "May be given more than once." : nil
    let standard = defaultValue.map { "Default: \($0)." }
    return [help, value?.choiceHelp, repeating, standard].compactMap(\.self).joined(separator: " ")
  }
}
