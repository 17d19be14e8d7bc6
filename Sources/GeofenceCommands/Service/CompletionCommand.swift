import CommandLineParsing

/// The command `geofenced completion`.
enum CompletionCommand: Subcommand {
  static let definition = Command(
    "completion", abstract: "Print a script that completes commands in a shell.",
    discussion: """
      It completes commands, options, files, and the names that the daemon knows, for which it \
      asks the daemon.
      """,
    examples: [
      Example("source <(geofenced completion bash)", "Complete commands in this shell.")
    ],
    arguments: [Argument("shell", takes: .choice("SHELL", ["bash"]), help: "The shell.")])

  static func run(_ arguments: ParsedArguments) async throws {
    try Console.write(BashCompletion.render(Program.definition, namesBy: NamesCommand.path))
  }
}
