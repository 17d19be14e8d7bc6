/// An example of a command line, with an explanation.
package struct Example: Sendable {
  /// The command line as it is typed.
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
  /// What the command does, in one sentence.
  let abstract: String
  /// Further explanations; an empty line separates paragraphs.
  let discussion: String
  /// Examples of command lines.
  let examples: [Example]
  /// The positional arguments, in order.
  let arguments: [Argument]
  /// The options; subcommands accept them, too.
  package let options: [Option]
  /// Options of commands above this one that don't apply to it, by name, each with a message for people who use it.
  let declined: [String: String]
  /// Advice for people who give more arguments than the command takes.
  let surplusAdvice: String
  /// The commands below it.
  ///
  /// A command with subcommands does nothing by itself.
  package let subcommands: [Command]
  /// Whether help, manual page and completion leave this command out.
  let isHidden: Bool
  /// The version that `--version` prints after the name; nil except for the program itself.
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

  /// The subcommands that aren't hidden.
  var shownSubcommands: [Command] { subcommands.filter { !$0.isHidden } }

  /// The paragraphs of the discussion, each on one line.
  var paragraphs: [String] {
    discussion.split(separator: "\n", omittingEmptySubsequences: false)
      .split { $0.allSatisfy(\.isWhitespace) }
      .map { lines in
        lines.flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " ")
      }
  }
}

/// A command with the commands above it, which give its full name and inherited options.
struct CommandPath {
  /// The commands from the program to this command; never empty.
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

  /// This command and all commands below it that aren't hidden, each before its subcommands.
  var shownTree: [CommandPath] {
    [self] + command.shownSubcommands.flatMap { appending($0).shownTree }
  }

  /// The words of the usage line, for example `geofenced ctl add --lat DEGREES [OPTIONS]`.
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
