import CommandLineParsing
import GeofenceDaemon
import Glibc

/// The command `geofenced check-config`.
enum CheckConfigCommand: Subcommand {
  static let definition = Command(
    "check-config", abstract: "Check a configuration without running the daemon.",
    discussion: """
      Reports all mistakes at once, with file and line. The daemon ignores what it doesn't know, \
      such as a misspelt key, with a warning; here that counts as a mistake, and the exit status \
      is 1.
      """,
    examples: [Example("geofenced check-config", "Check /etc/geofenced/geofenced.conf.")],
    arguments: [
      Argument(
        "file", takes: .file("FILE"), isRequired: false,
        help: "The configuration; drop-ins are read from FILE.d.")
    ],
    options: [
      Option("lenient", help: "Only warn about what is ignored, as the daemon does.")
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    _ = try Console.accepted(
      Configuration.load(from: arguments.string("file")), isStrict: !arguments.flag("lenient"))
    let path = Configuration.defaultPath
    let isMissing = unsafe arguments.string("file") == nil && access(path, F_OK) != 0
    guard isMissing else { return try Console.write("The configuration is good.\n") }
    let rest = try Configuration.hasDropIns ? "the drop-ins are good" : "the defaults hold"
    try Console.write("There is no \(path); \(rest).\n")
  }
}
