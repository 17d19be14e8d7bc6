/// The text that `--help` prints: at most 80 columns wide.
enum HelpText {
  static func render(_ path: CommandPath) -> String {
    let command = path.command
    var sections: [String] = [
      TextLayout.wrap(command.abstract),
      TextLayout.wrap(path.usage, firstPrefix: "Usage: ", prefix: "         "),
    ]
    sections += command.paragraphs.map { TextLayout.wrap($0) }
    sections += section(
      "Commands",
      command.shownSubcommands.map { ($0.name, $0.abstract) }
        + (path.isRoot && !command.subcommands.isEmpty
          ? [("help", "Show the help of a command.")] : []))
    sections += section(
      "Arguments", command.arguments.map { ($0.value.placeholder, $0.fullHelp) })
    sections += section(
      "Options",
      path.options.map { (($0.short.map { "-\($0), " } ?? "    ") + $0.usage, $0.fullHelp) })
    sections += examples(command.examples)
    if path.isRoot {
      sections += section(
        "Exit status", ExitCode.allCases.map { ("\($0.rawValue)", $0.explanation) })
    }
    return sections.joined(separator: "\n")
  }

  private static func section(_ title: String, _ entries: [(String, String)]) -> [String] {
    entries.isEmpty ? [] : ["\(title):\n" + TextLayout.definitionList(entries)]
  }

  private static func examples(_ examples: [Example]) -> [String] {
    guard !examples.isEmpty else { return [] }
    let lines = examples.map { example in
      TextLayout.wrap(example.explanation, firstPrefix: "  ", prefix: "  ")
        + example.command.split(separator: "\n").map { "    \($0)\n" }.joined()
    }
    return ["Examples:\n" + lines.joined()]
  }
}
