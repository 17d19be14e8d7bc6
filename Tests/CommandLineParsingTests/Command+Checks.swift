@testable import CommandLineParsing

extension Command {
  /// What is wrong with the definition itself, for a test to find empty.
  ///
  /// Found are names that mean two things, arguments that could never be reached, and texts that
  /// are not sentences.
  var definitionMistakes: [String] { CommandPath(self).definitionMistakes }
}

extension CommandPath {
  fileprivate var definitionMistakes: [String] {
    var mistakes: [String] = []
    let names = options.map(\.name) + command.arguments.map(\.name)
    mistakes += repeated(names).map { "'\($0)' is defined twice" }
    mistakes += repeated(options.compactMap(\.short)).map { "'-\($0)' is defined twice" }
    mistakes += repeated(command.subcommands.map(\.name)).map { "command '\($0)' is there twice" }
    for option in options {
      if let short = option.short, short.isNumber || short == "." || short == "-" {
        mistakes.append("'-\(short)' would be taken for a value")
      }
      if let value = option.value, let text = option.defaultValue, !value.accepts(text) {
        mistakes.append("'--\(option.name)' would not accept its own default")
      }
      if option.value == nil, option.isRequired || option.defaultValue != nil {
        mistakes.append("'--\(option.name)' is a flag, neither required nor with a default")
      }
    }
    for (argument, next) in zip(command.arguments, command.arguments.dropFirst()) {
      if !argument.isRequired, next.isRequired {
        mistakes.append("'\(next.name)' is required after one that is not")
      }
      if argument.repeats { mistakes.append("'\(next.name)' is never reached") }
    }
    if !command.subcommands.isEmpty, !command.arguments.isEmpty {
      mistakes.append("arguments would be taken for subcommands")
    }
    let sentences =
      [command.abstract] + command.options.map(\.help) + command.arguments.map(\.help)
      + command.examples.map(\.explanation)
    mistakes += sentences.filter { !$0.hasSuffix(".") && !$0.hasSuffix(":") }
      .map { "'\($0)' is not a sentence" }
    return mistakes.map { "\(fullName): \($0)" }
      + command.subcommands.flatMap { appending($0).definitionMistakes }
  }

  private func repeated<T: Hashable>(_ values: [T]) -> [T] {
    var seen: Set<T> = []
    return values.filter { !seen.insert($0).inserted }
  }
}
