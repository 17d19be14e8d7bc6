import CommandLineParsing
import Geofencing
import JSONCoding
import LinuxSystem
import Positioning

/// The command `geofenced replay`.
enum ReplayCommand: Subcommand {
  static let definition = Command(
    "replay", abstract: "Judge a recording and print its events.",
    discussion: """
      Judges a recording of a receiver by the daemon's rules, in recorded time and as fast as it \
      can, without a daemon. Time passes with the receiver's reports, with or without a fix. \
      RECORDING is gpsd's JSON as 'gpspipe -w' writes it, NMEA 0183, or a GPX track whose points \
      have times; '-' is standard input. The same recording always gives the same bytes, so times \
      are in UTC.

      With --explain it also says at the end why each condition is in its state: all of them, or \
      the \(Replay.mostExplained) nearest. --until chooses that end, and so tells why there was no event then.

      The conditions file is GeoJSON, KML or GPX, as its extension or its contents say. A circle \
      is a point with "radius", a corridor a line with "width", both in metres; polygons are just \
      polygons. In GeoJSON these are in the feature's properties, and the feature's id is the \
      identifier. minimumAltitude and maximumAltitude (metres above mean sea level, or above the \
      ellipsoid with altitudeReference "ellipsoid"), enterAfter, exitAfter (seconds), confidence \
      and expires (a date) are understood too.

      The numbers to judge by are the defaults, not those in /etc/geofenced. --config overrides \
      them, --configuration overrides that, and --set overrides everything.

      With --report the track, the conditions, the events and why they came about are also written \
      to a file. With the ending .html it is a page that shows them on a map and opens in any \
      browser; with .geojson it has features for a program such as QGIS. The file holds positions, \
      so only its owner may read it.

      With any option that begins with --diff the recording is judged twice in one pass: as the \
      other options say, and with the change. Only differences are printed: '-' before a line \
      means that it happens only without the change, '+' only with it, and '~' both ways, but at \
      another time or in another way. With --json each difference is an object with \
      "change" (removed, added or moved), "before", "after" and "shift" in seconds. The exit \
      status is 0 if nothing is different, and 4 if something is.
      """,
    examples: [
      Example(
        "geofenced replay --conditions places.geojson drive.json",
        "What would have happened on that drive."),
      Example(
        "geofenced replay --conditions places.geojson --report drive.html drive.json",
        "The same as a picture."),
      Example(
        "geofenced replay --conditions places.geojson --diff-set ExitSec=30s day.json",
        "Whether a longer wait would have avoided a false alarm."),
      Example(
        "geofenced replay --conditions places.geojson --explain --until 2h day.json",
        "Why nothing had been heard two hours ago."),
      Example(
        "gpspipe -w | geofenced replay --conditions places.geojson --json -",
        "Judge what gpsd says now, without keeping anything."),
    ],
    arguments: [Argument("recording", takes: .file("RECORDING"), help: "The recording.")],
    options: [
      ControlClient.json,
      Option(
        "explain",
        help: """
          Print below each event why it came about, and then why conditions are in their states at \
          the end; with JSON, in 'explanation', and as objects with 'present'.
          """),
      Option(
        "until", takes: .text("TIME"),
        help: """
          Leave out what is later: a date (by the clocks here without Z or an \
          offset), or this long ago, such as 2h.
          """),
      Option(
        "report", takes: .file("OUT"),
        help: "Also write a report to this file, which ends in .html or .geojson."),
    ] + ReplaySettings.options)

  static func run(_ arguments: ParsedArguments) async throws {
    var report = try arguments.string("report").map { try ReportFile($0, arguments) }
    let path = try arguments.requiredString("recording")
    // Standard input can be read only once.
    let inputs = ["recording", "conditions", "diff-conditions"].compactMap(arguments.string)
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw arguments.usageError(
        "only one of RECORDING, --conditions and --diff-conditions can be standard input")
    }
    if let report {
      if let conditions = arguments.string("conditions"), report.replaces(conditions) {
        throw arguments.usageError("--report would replace the file with the conditions")
      }
      if report.replaces(path) {
        throw arguments.usageError("--report would replace the recording")
      }
    }
    let settings = try ReplaySettings(arguments)
    if settings.after != nil { try checkComparison(arguments) }
    // Opened first: if it can't be written, a recording from a pipe isn't read in vain.
    try report?.open()
    let recording = try Recording(
      path: path, until: arguments.moment("until", before: .now))
    guard let after = settings.after else {
      if !arguments.isGiven("conditions") {
        Console.tell("nothing is watched for without --conditions")
      }
      return try await replay(recording, path, by: settings.before, into: report, arguments)
    }
    let result = try await ReplayComparison(
      of: recording, before: settings.before, after: after, progress: ProgressLine())
    try checkLines(result.before, path)
    if arguments.flag("json") {
      try ControlClient.showEach(result.difference.entries)
    } else {
      try Console.write(ReplayText.lines(result.difference, changed: settings.change))
    }
    try checkEnd(of: recording, path)
    guard result.difference.isEmpty else {
      throw CommandFailure(description: result.summary, exitCode: .different)
    }
    Console.tell(result.summary)
    tellLack(of: result.before, recording, path)
  }

  /// Refuses options that don't go with those that begin with `--diff`.
  private static func checkComparison(_ arguments: ParsedArguments) throws(UsageError) {
    guard !arguments.isGiven("report") else {
      throw arguments.usageError("--report shows one side: leave the --diff options out")
    }
    guard !arguments.flag("explain") else {
      throw arguments.usageError("--explain explains one side: leave the --diff options out")
    }
    guard arguments.isGiven("conditions") || arguments.isGiven("diff-conditions") else {
      throw arguments.usageError(
        "nothing can be different without conditions: give --conditions or --diff-conditions")
    }
  }

  private static func replay(
    _ recording: Recording, _ path: String, by replay: Replay, into file: ReportFile?,
    _ arguments: ParsedArguments
  ) async throws {
    var output = Output(
      isJSON: arguments.flag("json"),
      isWatched: !recording.isRegularFile || Console.isTerminal)
    let isExplained = arguments.flag("explain")
    // On the same terminal it would get mixed up with the events.
    let progress = Console.isTerminal ? nil : ProgressLine()
    func write(_ event: ReplayedEvent) throws {
      try isExplained
        ? output.write(event, text: event.text)
        : output.write(event.event, text: EventText.line(event.event, in: .utc))
    }
    var report = file.map { _ in ReplayReport(of: path, against: replay) }
    // If the reader of the results stops, the file is still written, unless the recording may have no end.
    let outlivesReader = file != nil && recording.isRegularFile
    if outlivesReader { ProcessSignals.ignoreBrokenPipes() }
    var failure: (any Error)?
    func print(_ body: () throws -> Void) throws {
      guard failure == nil else { return }
      do {
        try body()
      } catch {
        guard outlivesReader else { throw error }
        failure = error
      }
    }
    let result = try await replay.run(
      recording, explains: isExplained || file != nil, progress: progress,
      updates: { report?.note($0) },
      events: { event in
        report?.note(event)
        try print { try write(event) }
      })
    try checkLines(result, path)
    try print {
      if isExplained {
        for present in result.present { try output.write(present, text: present.text) }
      }
      try output.flush()
    }
    if let file, let finished = report?.finish(result) { try file.write(finished) }
    if let failure { throw failure }
    Console.tell(result.summary)
    let told = result.present.count
    if isExplained, told < result.watched {
      let which = result.end == nil ? "" : "nearest "
      Console.tell("explained at the end are \(told) \(which)of \(result.watched) conditions")
    }
    tellLack(of: result, recording, path)
    if let end = result.end {
      var mistakes = LikelyMistakes.InFile(endOfRecording: end)
      for (identifier, condition) in replay.watched { mistakes.add(identifier, condition) }
      mistakes.tellAll(arguments)
    }
    try checkEnd(of: recording, path)
  }

  private static func tellLack(
    of result: Replay.Result, _ recording: Recording, _ path: String
  ) {
    if result.fixes == 0, let end = recording.summary.cut {
      Console.tell("\(path): no fix in it counts until \(end.text(in: .utc)) (--until)")
    } else if let lack = result.lack {
      Console.tell("\(path): \(lack)")
    }
  }

  private static func checkLines(_ result: Replay.Result, _ path: String) throws(RecordingError) {
    guard !result.isUnreadable else { throw .unreadableLines(path: path) }
  }

  private static func checkEnd(of recording: Recording, _ path: String) throws {
    // Nobody cares about a mistake after the time that was asked for.
    guard let failure = recording.summary.failure, recording.summary.cut == nil else { return }
    throw CommandFailure(description: "\(path): reading ended early: \(failure)")
  }

  /// Writes events as lines: in large pieces, or one by one if somebody waits for them.
  private struct Output {
    let isJSON: Bool
    let isWatched: Bool
    var bytes: [UInt8] = []

    mutating func write(_ event: some Encodable, text: @autoclosure () -> String) throws {
      bytes += try isJSON ? CanonicalJSON.encode(event) + [0x0A] : Array(text().utf8)
      if isWatched || bytes.count > 1 << 16 { try flush() }
    }

    mutating func flush() throws {
      try Console.write(bytes)
      bytes = []
    }
  }
}
