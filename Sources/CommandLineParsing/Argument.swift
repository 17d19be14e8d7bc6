/// One positional argument of a command.
package struct Argument: Sendable {
  /// The name by which ``ParsedArguments`` returns the value.
  let name: String
  /// The kind of value; its placeholder stands in the usage line.
  let value: Value
  /// Whether the argument has to be given.
  let isRequired: Bool
  /// Whether it may be given several times; only for the last argument.
  let repeats: Bool
  /// What the argument is for: a sentence or two.
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

  /// The help, with the words to choose from if there are any.
  var fullHelp: String { [help, value.choiceHelp].compactMap(\.self).joined(separator: " ") }
}
