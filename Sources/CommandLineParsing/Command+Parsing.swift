/// The result of parsing a command line.
package enum Invocation: Sendable {
  /// Run a command.
  case run(ParsedArguments)
  /// Only print a text, help or the version, to standard output.
  case show(String)
}

extension Command {
  /// Parses a command line, given without the program's name.
  ///
  /// Words are read from the left, and the first mistake is thrown. `--help` and `-h` work at every level; so does
  /// `help`, in place of a command or before its name. A negative number counts as a value wherever a value can stand,
  /// and `--` ends the options.
  package func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var parser = Parser(path: CommandPath(self), words: words[...])
    return try parser.parse()
  }
}

extension CommandPath {
  /// The subcommand with a name; throws if there is none.
  func subcommand(_ name: String) throws(UsageError) -> CommandPath {
    if let found = command.subcommands.first(where: { $0.name == name }) { return appending(found) }
    guard !command.shownSubcommands.isEmpty else {
      throw error("unexpected argument \(quoted(name))")
    }
    let groups = command.shownSubcommands
    if let group = groups.first(where: { $0.shownSubcommands.contains { $0.name == name } }) {
      throw error(
        "unknown command \(quoted(name)) (did you mean '\(fullName) \(group.name) \(name)'?)")
    }
    let names = groups.map(\.name)
    if let near = nearestName(to: name, among: names) {
      throw error("unknown command \(quoted(name)) (did you mean '\(near)'?)")
    }
    throw error("unknown command \(quoted(name)): use one of \(names.joined(separator: ", "))")
  }

  /// An error at this command.
  func error(_ message: String) -> UsageError { UsageError(command: fullName, message: message) }
}

/// Reads the words of a command line from the left.
private struct Parser {
  var path: CommandPath
  var words: ArraySlice<String>
  var given: [String: [String]] = [:]
  var positionals: [String] = []

  /// The help of the command that the remaining words name.
  private func help() throws(UsageError) -> String {
    var path = path
    for name in words where !["help", "--help", "-h"].contains(name) {
      path = try path.subcommand(name)
    }
    return HelpText.render(path)
  }

  mutating func parse() throws(UsageError) -> Invocation {
    var optionsEnded = false
    while let word = words.popFirst() {
      if !optionsEnded, word == "--" {
        optionsEnded = true
      } else if !optionsEnded, word.hasPrefix("--") {
        if let text = try parseLong(word) { return .show(text) }
      } else if !optionsEnded, isShortOption(word) {
        if let text = try parseShort(word) { return .show(text) }
      } else if !path.command.subcommands.isEmpty {
        if word == "help", !optionsEnded { return .show(try help()) }
        path = try path.subcommand(word)
      } else {
        positionals.append(word)
      }
    }
    guard path.command.subcommands.isEmpty else {
      let names = path.command.shownSubcommands.map(\.name).joined(separator: ", ")
      throw path.error("missing command: use one of \(names), or --help")
    }
    try assignPositionals()
    // Options given before the name of a command that declines them.
    for name in given.keys.sorted() { try decline(name) }
    for option in path.options where option.isRequired && given[option.name] == nil {
      throw path.error("missing option '\(option.usage)'")
    }
    return .run(ParsedArguments(path, given: given))
  }

  /// Parses `--name`, `--name value` or `--name=value`; returns the text to show, if any.
  private mutating func parseLong(_ word: String) throws(UsageError) -> String? {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = path.options.first(where: { $0.name == name }) else {
      try decline(name)
      let near = nearestName(to: name, among: path.options.map(\.name))
      let hint = near.map { "did you mean '--\($0)'?" } ?? "see --help"
      throw path.error("unknown option \(quoted("--" + name)) (\(hint))")
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if attached != nil, option.value == nil {
      throw path.error("option '--\(option.name)' takes no value")
    }
    return try take(option, attached: attached)
  }

  /// Parses `-x`, `-x value`, `-xvalue` or `-xyz`; returns the text to show, if any.
  private mutating func parseShort(_ word: String) throws(UsageError) -> String? {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = option(for: letter) else {
        throw path.error("unknown option \(quoted("-\(letter)")) (see --help)")
      }
      let attached = option.value != nil && !letters.isEmpty ? String(letters) : nil
      if let text = try take(option, attached: attached) { return text }
      if attached != nil { break }
    }
    return nil
  }

  private func decline(_ name: String) throws(UsageError) {
    guard let advice = path.command.declined[name] else { return }
    throw path.error("no '--\(name)' here: \(advice)")
  }

  private mutating func take(_ option: Option, attached: String?) throws(UsageError) -> String? {
    if option.name == Option.help.name { return HelpText.render(path) }
    if option.name == Option.version.name, path.isRoot, let version = path.command.version {
      return "\(path.command.name) \(version)\n"
    }
    if given[option.name] != nil, !option.repeats {
      throw path.error("option '--\(option.name)' is given twice")
    }
    guard let value = option.value else {
      given[option.name, default: []].append("")
      return nil
    }
    guard let text = attached ?? nextValue() else {
      throw path.error(
        "option '--\(option.name)' wants a value: \(option.usage)")
    }
    try check(text, value, name: "--\(option.name)")
    given[option.name, default: []].append(text)
    return nil
  }

  /// The next word as a value; nil if it can only be another option.
  private mutating func nextValue() -> String? {
    guard let word = words.first, !word.hasPrefix("--") else { return nil }
    if word.hasPrefix("-"), let letter = word.dropFirst().first, option(for: letter) != nil {
      return nil
    }
    return words.popFirst()
  }

  private func check(_ text: String, _ value: Value, name: String) throws(UsageError) {
    guard !value.accepts(text) else { return }
    throw path.error("\(name) wants \(value.expectation), got \(quoted(text))")
  }

  private mutating func assignPositionals() throws(UsageError) {
    var rest = positionals[...]
    for argument in path.command.arguments {
      guard let first = rest.popFirst() else {
        if argument.isRequired {
          throw path.error("missing argument \(argument.value.placeholder)")
        }
        continue
      }
      let texts = [first] + (argument.repeats ? rest : [])
      if argument.repeats { rest = [] }
      for text in texts { try check(text, argument.value, name: argument.value.placeholder) }
      given[argument.name] = texts
    }
    if let extra = rest.first {
      throw path.error("unexpected argument \(quoted(extra)) (\(path.command.surplusAdvice))")
    }
  }

  /// Whether a word is one or more short options rather than `-` or a negative number.
  private func isShortOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let letter = word.dropFirst().first else { return false }
    return !(letter.isNumber || letter == ".")
  }

  private func option(for letter: Character) -> Option? {
    path.options.first { $0.short == letter }
  }
}
