/// A command line worth showing, with what it does.
package struct Example: Sendable {
  /// The line as it is typed.
  let command: String
  /// What it does: a sentence.
  let explanation: String

  package init(_ command: String, _ explanation: String) {
    self.command = command
    self.explanation = explanation
  }
}

/// A command and everything below it, defined once.
///
/// Parsing (``Command/parse(_:)``), help (``HelpText``), the manual page (``ManualPage``) and
/// completion (``BashCompletion``) are all derived from this value.
package struct Command: Sendable {
  /// The word that calls it.
  package let name: String
  /// What it does in one sentence.
  let abstract: String
  /// The rest there is to say; an empty line parts paragraphs.
  let discussion: String
  /// Lines worth showing.
  let examples: [Example]
  /// What stands on the command line without a name, in order.
  let arguments: [Argument]
  /// What stands there with a name; subcommands understand it too.
  package let options: [Option]
  /// The options of commands above that it has no use for, by name: what to say to who uses one.
  let declined: [String: String]
  /// What to say to who gives an argument more than it takes.
  let surplusAdvice: String
  /// The commands below it.
  ///
  /// A command with subcommands does nothing by itself.
  package let subcommands: [Command]
  /// Whether help, manual page and completion keep quiet about it.
  let isHidden: Bool
  /// What `--version` prints after the name; the program itself has one, other commands don't.
  let version: String?

  package init(
    _ name: String, abstract: String, discussion: String = "", examples: [Example] = [],
    arguments: [Argument] = [], options: [Option] = [], declined: [String: String] = [:],
    surplusAdvice: String = "see --help", subcommands: [Command] = [], isHidden: Bool = false,
    version: String? = nil
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.examples = examples
    self.arguments = arguments
    self.options = options
    self.declined = declined
    self.surplusAdvice = surplusAdvice
    self.subcommands = subcommands
    self.isHidden = isHidden
    self.version = version
  }

  /// The subcommands that people are told of.
  var shownSubcommands: [Command] { subcommands.filter { !$0.isHidden } }

  /// The paragraphs of its discussion, which empty lines part, each on one line.
  var paragraphs: [String] {
    discussion.split(separator: "\n", omittingEmptySubsequences: false)
      .split { $0.allSatisfy(\.isWhitespace) }
      .map { lines in
        lines.flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " ")
      }
  }
}

/// A command with the way to it, so that its full name and inherited options are known.
struct CommandPath {
  /// From the program to the command; never empty.
  let commands: [Command]

  init(_ root: Command) { commands = [root] }

  private init(commands: [Command]) { self.commands = commands }

  var command: Command { commands[commands.count - 1] }
  var fullName: String { commands.map(\.name).joined(separator: " ") }
  var isRoot: Bool { commands.count == 1 }

  /// The command's own options, then those of the commands above it, then the automatic ones.
  var options: [Option] {
    commands.reversed().flatMap(\.options).filter { command.declined[$0.name] == nil }
      + (isRoot && command.version != nil ? [.version] : []) + [.help]
  }

  func appending(_ subcommand: Command) -> CommandPath {
    CommandPath(commands: commands + [subcommand])
  }

  /// This command and all that people are told of below it, each before its subcommands.
  var shownTree: [CommandPath] {
    [self] + command.shownSubcommands.flatMap { appending($0).shownTree }
  }

  /// What can be typed, for example `geofenced ctl add --lat DEGREES [OPTIONS]`.
  var usage: [String] {
    guard command.subcommands.isEmpty else { return [fullName, "COMMAND", "[OPTION…]"] }
    let required = options.filter(\.isRequired).map(\.usage)
    let arguments = command.arguments.map { argument in
      let word = argument.value.placeholder + (argument.repeats ? "…" : "")
      return argument.isRequired ? word : "[\(word)]"
    }
    return [fullName] + required + ["[OPTION…]"] + arguments
  }
}
