import CommandLineParsing
import GeofenceDaemon
import GeographicFiles
import Positioning

/// The settings by which `geofenced replay` judges, or those before and after a change.
struct ReplaySettings {
  /// The options for these settings; all but the sizes have a counterpart that begins with `diff-`.
  static let options: [Option] = [
    Option("conditions", takes: .file("FILE"), help: "What to watch for, as GeoJSON, KML or GPX."),
    FileSizes.width, FileSizes.radius,
    Option(
      "config", short: "c", takes: .file("FILE"),
      help: "The configuration to judge by; without it, the defaults."),
    Option(
      "configuration", takes: configurationName,
      help: "What the receiver moved with; overrides LiveConfiguration= and its numbers."),
    Option(
      "set", takes: .text("KEY=VALUE"), repeats: true,
      help: """
        Judge by this instead of what the configuration says. KEY is one of \
        \(ConfigurationSection.replayedKeys.map(\.name).joined(separator: ", ")); see \
        geofenced.conf(5).
        """),
    Option(
      "diff-conditions", takes: .file("FILE"), help: "Compare with these conditions instead."),
    Option(
      "diff-config", takes: .file("FILE"), help: "Compare with this configuration instead."),
    Option(
      "diff-configuration", takes: configurationName,
      help: "Compare with the numbers of this live configuration instead."),
    Option(
      "diff-set", takes: .text("KEY=VALUE"), repeats: true,
      help: "Compare with this set too, in addition to --set."),
  ]

  private static let configurationName = Value.choice(
    "NAME", LiveConfiguration.allCases.map(\.rawValue))

  /// The replay before the change.
  let before: Replay

  /// The replay after the change; nil if nothing is compared.
  let after: Replay?

  /// The change in the words of the command line.
  let change: String

  /// Reads the files that the command line names.
  ///
  /// - Throws: `UsageError`, or what is wrong with a file.
  init(_ arguments: ParsedArguments) throws {
    try FileSizes.check(arguments)
    let conditions = try Self.conditions("conditions", arguments)
    let base = try Self.base("config", arguments) ?? Configuration()
    let live = Self.live("configuration", arguments)
    before = Replay(
      conditions: conditions,
      configuration: try Self.apply(live, ["set"], of: arguments, to: base))
    let changes = ["diff-conditions", "diff-config", "diff-configuration", "diff-set"]
    change = changes.flatMap { name in
      arguments.strings(name).map { "--\(name) \($0)" }
    }.joined(separator: " ")
    guard changes.contains(where: arguments.isGiven) else {
      after = nil
      return
    }
    after = Replay(
      conditions: try Self.conditions("diff-conditions", arguments) ?? conditions,
      configuration: try Self.apply(
        Self.live("diff-configuration", arguments) ?? live, ["set", "diff-set"], of: arguments,
        to: Self.base("diff-config", arguments) ?? base))
  }

  private static func live(_ name: String, _ arguments: ParsedArguments) -> LiveConfiguration? {
    arguments.string(name).flatMap(LiveConfiguration.init)
  }

  private static func conditions(
    _ name: String, _ arguments: ParsedArguments
  ) throws -> ConditionsFile? {
    guard let path = arguments.string(name) else { return nil }
    let file = try ConditionsReader(
      path: path, width: arguments.double("width"), radius: arguments.double("radius")
    ).read()
    for note in file.notes { Console.tell(note) }
    return file
  }

  /// The configuration of an option; nil if it isn't given.
  static func base(
    _ name: String, _ arguments: ParsedArguments
  ) throws -> Configuration? {
    try arguments.string(name).map { try Console.accepted(Configuration.load(from: $0)) }
  }

  /// The configuration after options are applied to it, one after the other.
  private static func apply(
    _ live: LiveConfiguration?, _ names: [String], of arguments: ParsedArguments,
    to base: Configuration
  ) throws -> Configuration {
    var configuration = base
    if let live { configuration.apply(live) }
    for name in names {
      for assignment in arguments.strings(name) {
        do {
          try configuration.assign(assignment)
        } catch {
          throw arguments.usageError("--\(name): \(error)")
        }
      }
    }
    return configuration
  }
}
