import CommandLineParsing

/// A small program with one of everything, for the tests of this module.
let program = Command(
  "boat",
  abstract: "Look after a boat.",
  discussion: """
    The boat is looked after in the harbour and at sea. Lines that are longer than the terminal
    is wide are broken.

    A backslash \\ and a 'quote' stay what they are.
    """,
  examples: [Example("boat log add --lat -33.86 --lon 151.2 Sighted", "Write one entry.")],
  options: [Option("quiet", short: "q", help: "Say nothing that is not asked for.")],
  subcommands: [
    Command(
      "log", abstract: "Keep the log.",
      options: [
        Option(
          "book", short: "b", takes: .file("FILE"), defaultValue: "log.txt",
          help: "The book to write in.")
      ],
      subcommands: [
        Command(
          "add", abstract: "Write an entry.",
          examples: [
            Example("boat log add --lat 1 --lon=-2 'Fog'", "Write an entry with a position.")
          ],
          arguments: [Argument("text", takes: .text("TEXT"), help: "What has happened.")],
          options: [
            Option("lat", takes: .number("DEGREES"), isRequired: true, help: "The latitude."),
            Option("lon", takes: .number("DEGREES"), isRequired: true, help: "The longitude."),
            Option("range", short: "r", takes: .integer("MILES"), help: "How far one can see."),
            Option("after", takes: .duration("TIME"), help: "How long to wait before writing."),
            Option(
              "sea", takes: .choice("STATE", ["calm", "rough"]), defaultValue: "calm",
              help: "The state of the sea, which everybody on board will have an opinion about."),
            Option("tag", short: "t", takes: .text("WORD"), repeats: true, help: "A word to find."),
            Option("dry-run", short: "n", help: "Write nothing."),
          ]),
        Command(
          "read", abstract: "Read entries.",
          arguments: [
            Argument("file", takes: .file("FILE"), isRequired: false, help: "The book to read.")
          ]),
      ]),
    Command("sink", abstract: "Sink.", isHidden: true),
  ],
  version: "1.2.3")

/// The arguments that a command line comes to; the words are split at spaces.
func parsed(_ line: String) throws -> ParsedArguments {
  guard case .run(let arguments) = try program.parse(words(line)) else {
    throw UsageError(command: "test", message: "the line only shows a text")
  }
  return arguments
}

/// The text that a command line only shows.
func shown(_ words: [String]) throws -> String {
  guard case .show(let text) = try program.parse(words) else {
    throw UsageError(command: "test", message: "the line shows no text")
  }
  return text
}

/// A line's words.
func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
