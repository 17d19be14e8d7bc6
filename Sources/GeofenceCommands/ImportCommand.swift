import CommandLineParsing
import ControlInterface
import GeographicFiles
import Varlink

/// The command `geofenced ctl import`.
enum ImportCommand: Subcommand {
  static let definition = Command(
    "import", abstract: "Watch the places in a GeoJSON, KML or GPX file.",
    discussion: """
      Adds the conditions of a file to a monitor, all of them or, if anything is wrong, none. \
      Those that are there already and equal stay as they are, with their states; others of the \
      same identifier are replaced. With --sync the monitor is made equal to the file: what isn't \
      in it is removed. A file without any conditions is refused, so that one that went wrong never \
      empties a monitor. FILE '-' is standard input.

      With --dry-run nothing is done. It prints '+' before each identifier that would be added, \
      '~' before what would be replaced and '-' before what would be removed; the exit status is 0 \
      when there is nothing to do, and 4 when there is.
      """,
    examples: [
      Example("geofenced ctl import yards.geojson", "Watch all yards in the file."),
      Example(
        "geofenced ctl import --sync --dry-run yards.geojson",
        "What would change if the file were all there is."),
      Example(
        "geofenced ctl import --monitor routes --width 60 tour.gpx",
        "Watch a track, 30 metres to either side."),
    ],
    arguments: [Argument("file", takes: .file("FILE"), help: "The file; '-' is standard input.")],
    options: [
      ControlClient.monitor,
      Option(
        "format", takes: .choice("FORMAT", GeographicFormat.allCases.map(\.rawValue)),
        help: "What the file is; without it, its name or its contents tell."),
      Option("sync", help: "Also remove the conditions that the file doesn't have."),
      Option("dry-run", help: "Do nothing, and print what would be done."),
      Option(
        "width", takes: .number("METRES"), help: "The width of lines for which the file has none."),
      Option(
        "radius", short: "r", takes: .number("METRES"),
        help: "The radius of points for which the file has none."),
      ControlClient.user,
    ])

  /// How long the daemon may take for one part, or for storing all of them on a slow disk.
  private static let patience = Duration.seconds(300)

  static func run(_ arguments: ParsedArguments) async throws {
    var parameters = Change.Parameters(
      user: try ControlClient.user(arguments), monitor: try ControlClient.monitorName(arguments))
    parameters.sync = arguments.flag("sync")
    parameters.dryRun = arguments.flag("dry-run")
    let progress = ProgressLine()
    defer { progress.end() }
    let file = try ConditionsReader(
      path: arguments.requiredString("file"),
      format: arguments.string("format").flatMap(GeographicFormat.init(rawValue:)),
      width: arguments.double("width"), radius: arguments.double("radius")
    ).read { progress.show(read: $0) }
    progress.end()
    for note in file.notes { Console.tell("geofenced ctl import: \(note)") }
    let summary = try await ControlClient.connected(arguments, patience: patience) { connection in
      try await send(
        file.conditions, parameters, over: connection, isJSON: arguments.flag("json"), progress)
    }
    progress.end()
    let sentence =
      "added \(summary.added), replaced \(summary.replaced), "
      + "unchanged \(summary.unchanged), removed \(summary.removed)"
    if arguments.flag("json") {
      try Console.write(ControlClient.line(summary))
    } else if !arguments.flag("dry-run") {
      try Console.write("\(sentence)\n")
    }
    guard arguments.flag("dry-run") else { return }
    let isDifferent = summary.added + summary.replaced + summary.removed > 0
    if isDifferent {
      throw CommandFailure(
        description: "nothing was done; it would be: \(sentence)", exitCode: .different)
    }
    Console.tell("geofenced ctl import: there is nothing to do: \(sentence)")
  }

  /// Hands all conditions over, tells the differences of a dry run, and returns the counts.
  private static func send(
    _ conditions: [NamedCondition], _ parameters: Change.Parameters,
    over connection: VarlinkConnection, isJSON: Bool, _ progress: ProgressLine
  ) async throws -> Change.Reply {
    let parts = ChangeParts(of: conditions, parameters)
    var change: String?
    if let first = try parts.call(0, of: nil) {
      change = try await connection.call(first, returning: Change.Reply.self).change
    }
    var next = try parts.call(1, of: change)
    var number = 1
    while let call = next {
      progress.show("sent \(parts.ranges[number].lowerBound) of \(conditions.count) conditions")
      // The daemon reads one part while the next one is made.
      let (following, token) = (number + 1, change)
      async let made = parts.call(following, of: token)
      let _: Change.Reply = try await connection.call(call)
      next = try await made
      number = following
    }
    let last = parts.last(of: change)
    guard last.dryRun == true else {
      progress.show("storing \(conditions.count) conditions", atOnce: true)
      return try await connection.call(Change.qualifiedName, last)
    }
    progress.show("comparing \(conditions.count) conditions", atOnce: true)
    var summary = Change.Reply()
    for try await reply in connection.stream(
      Change.qualifiedName, last, returning: Change.Reply.self)
    {
      summary = reply
      progress.end()
      try Console.write(
        reply.differences.map { try isJSON ? ControlClient.line($0) : line($0) }.joined())
    }
    return summary
  }

  private static func line(_ difference: Change.Difference) -> String {
    let sign =
      switch difference.outcome {
      case .added: "+"
      case .replaced: "~"
      case .removed: "-"
      }
    return "\(sign) \(difference.identifier)\n"
  }
}
