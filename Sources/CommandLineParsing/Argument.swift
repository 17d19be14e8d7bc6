/// One positional argument of a command.
package struct Argument: Sendable {
  /// The name by which ``ParsedArguments`` gives the value.
  let name: String
  /// What it is; its placeholder stands in the usage line.
  let value: Value
  /// Whether the command line must have it.
  let isRequired: Bool
  /// Whether there may be several of it; only of the last one.
  let repeats: Bool
  /// What it is for: a sentence or two.
  let help: String

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
