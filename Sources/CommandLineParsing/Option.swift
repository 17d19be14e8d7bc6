/// One option of a command, as parsing, help, manual page and completion all know it.
///
/// An option of a command is also understood by all its subcommands. `--help` needs no definition.
package struct Option: Sendable {
  /// The name without its dashes, by which ``ParsedArguments`` gives the value.
  package let name: String
  /// The letter of the short form.
  let short: Character?
  /// What the option takes; a flag takes nothing.
  let value: Value?
  /// Whether the command line must have it.
  let isRequired: Bool
  /// Whether it may be given more than once.
  let repeats: Bool
  /// What stands in when it is not given, as it would be typed.
  let defaultValue: String?
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
