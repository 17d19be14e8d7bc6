import CommandLineParsing
import ControlInterface
import Geofencing
import GeographicFiles
import Varlink

/// The command `geofenced ctl import`.
enum ImportCommand: Subcommand {
  static let definition = Command(
    "import", abstract: "Watch the places in a GeoJSON, KML or GPX file.",
    discussion: """
      Adds the conditions of a file to a monitor: all of them or, if anything is wrong, none. \
      Those that are there already and equal stay as they are, with their states. Where only the \
      times, the confidence or the end differ, the state stays too, and the new values are taken \
      ('adjusted'). Others with the same identifier are replaced and begin anew.

      With --sync the monitor is made equal to the file: conditions that aren't in the file are \
      removed. A condition whose 'expires' is in the past is left out, and a note says so; --sync \
      removes it if it is still there. A file that has no conditions, or none left, is refused, so \
      that a broken file can't empty a monitor; 'monitor clear' does that. FILE '-' is standard \
      input. If you interrupt the import, either everything or nothing was done: run it again.

      With --dry-run nothing is done. It prints '+' before identifiers that would be added, '-' \
      before those that would be removed and '~' before those that would be different, with what \
      differs and whether they begin anew. The exit status is 0 if there is nothing to do, and 4 \
      if there is.
      """,
    examples: [
      Example("geofenced ctl import yards.geojson", "Watch all yards in the file."),
      Example(
        "geofenced ctl import --sync --dry-run yards.geojson",
        "What would change if the monitor were made equal to the file."),
      Example(
        "geofenced ctl import --monitor routes --width 60 tour.gpx",
        "Watch a track, 30 metres to either side."),
    ],
    arguments: [Argument("file", takes: .file("FILE"), help: "The file; '-' is standard input.")],
    options: [
      ControlClient.monitor,
      Option(
        "format", takes: .choice("FORMAT", GeographicFormat.allCases.map(\.rawValue)),
        help: "The file's format; without it, its name or its contents decide."),
      Option("sync", help: "Also remove the conditions that the file doesn't have."),
      Option("dry-run", help: "Do nothing, and print what would be done."),
      FileSizes.width, FileSizes.radius, ControlClient.user,
    ])

  /// How long the daemon may take to answer: it may have to store all conditions on a slow disk.
  static let patience = Duration.seconds(300)

  static func run(_ arguments: ParsedArguments) async throws {
    try FileSizes.check(arguments)
    let user = try ControlClient.user(arguments)
    let progress = ProgressLine()
    defer { progress.end() }
    // A pipe may never end, so it is found out first whether there is a daemon.
    try await ControlClient.connected(arguments, patience: patience) { _ in }
    var mistakes = await LikelyMistakes.InFile(arguments)
    let (parts, continuation) = AsyncThrowingStream<[NewCondition], any Error>.makeStream()
    // Parts are sent while the rest is read. If the file has a mistake, the daemon keeps nothing of it.
    async let sent = send(parts, of: user, arguments, progress)
    let file: ConditionsFile
    do {
      file = try read(arguments, progress, into: continuation) {
        mistakes.add($0.identifier, $0.condition)
      }
    } catch {
      continuation.finish(throwing: error)
      throw error
    }
    progress.end()
    for note in file.notes { Console.tell(note, by: arguments) }
    progress.show("handing over the conditions", atOnce: true)
    continuation.finish()
    let summary = try await sent
    progress.end()
    let sentence =
      "added \(summary.added), replaced \(summary.replaced), adjusted \(summary.adjusted), "
      + "unchanged \(summary.unchanged), removed \(summary.removed)"
    if arguments.flag("json") {
      try Console.write(
        ControlClient.line([
          "added": summary.added, "adjusted": summary.adjusted, "removed": summary.removed,
          "replaced": summary.replaced, "unchanged": summary.unchanged,
        ]))
    } else if !arguments.flag("dry-run") {
      try Console.write("\(sentence)\n")
    }
    if max(summary.added, summary.replaced) > 0 { await mistakes.tell(arguments) }
    guard arguments.flag("dry-run") else { return }
    if max(summary.added, summary.replaced, summary.adjusted, summary.removed) > 0 {
      throw CommandFailure(
        description: "nothing was done; it would be: \(sentence)", exitCode: .different)
    }
    Console.tell("there is nothing to do: \(sentence)", by: arguments)
  }

  /// Reads the file, and hands over its conditions in parts.
  ///
  /// Parts that the daemon hasn't taken yet wait in memory. The limits of a file bound them.
  private static func read(
    _ arguments: ParsedArguments, _ progress: ProgressLine,
    into continuation: AsyncThrowingStream<[NewCondition], any Error>.Continuation,
    each: @escaping (NamedCondition) -> Void
  ) throws -> ConditionsFile {
    var parts = ChangeParts()
    let file = try ConditionsReader(
      path: arguments.requiredString("file"),
      format: arguments.string("format").flatMap(GeographicFormat.init(rawValue:)),
      width: arguments.double("width"), radius: arguments.double("radius"),
      now: .now,
      // With --sync, a condition that lost its place in the file would be removed.
      skipsUnlocated: !arguments.flag("sync")
    ).read {
      progress.show(read: $0)
    } each: {
      each($0)
      if let part = parts.add($0.condition, as: $0.identifier) { continuation.yield(part) }
    }
    continuation.yield(parts.rest())
    return file
  }

  /// Sends all parts to the daemon, shows the differences of a dry run, and returns the counts.
  private static func send(
    _ parts: AsyncThrowingStream<[NewCondition], any Error>, of user: UInt32?,
    _ arguments: ParsedArguments, _ progress: ProgressLine
  ) async throws -> Change.Reply {
    try await ControlClient.connected(arguments, patience: patience) { connection in
      var handover = ChangeHandover(user: user, monitor: arguments.string("monitor"))
      for try await part in parts {
        try await handover.add(part) { call in
          try await ControlClient.patiently { try await connection.call(call) }
        }
      }
      // The loop also ends when the file can't be read to its end: then this task is cancelled.
      try Task.checkCancellation()
      var change = handover.finish
      (change.sync, change.dryRun) = (arguments.flag("sync"), arguments.flag("dry-run"))
      return try await finish(change, over: connection, arguments, progress)
    }
  }

  /// Has the daemon make the change that it was sent, shows the differences of a dry run, and returns the counts.
  private static func finish(
    _ change: Change.Parameters, over connection: VarlinkConnection, _ arguments: ParsedArguments,
    _ progress: ProgressLine
  ) async throws -> Change.Reply {
    guard change.dryRun == true else {
      progress.show("storing the conditions", atOnce: true)
      return try await ControlClient.patiently {
        try await connection.call(Change.self, change)
      }
    }
    progress.show("comparing the conditions", atOnce: true)
    let isJSON = arguments.flag("json")
    var summary = Change.Reply()
    for try await reply in connection.stream(Change.self, change, prompt: .all) {
      summary = reply
      progress.end()
      try Console.write(
        reply.differences.map { try isJSON ? ControlClient.line($0) : line($0) }.joined())
    }
    return summary
  }

  private static func line(_ difference: Change.Difference) -> String {
    let changed = difference.changed?.joined(separator: ", ") ?? ""
    return switch difference.outcome {
    case .added: "+ \(difference.identifier)\n"
    case .replaced: "~ \(difference.identifier)  \(changed); begins anew\n"
    case .adjusted: "~ \(difference.identifier)  \(changed)\n"
    case .removed: "- \(difference.identifier)\n"
    }
  }
}
