import CommandLineParsing
import GeofenceDaemon
import Geofencing
import JSONCoding
import Positioning

/// The command `geofenced replay`.
enum ReplayCommand: Subcommand {
  static let definition = Command(
    "replay", abstract: "Judge a recording and print its events.",
    discussion: """
      Plays a recording of a receiver through the same rules as the daemon, on the recorded time \
      and as fast as it can, without a daemon. RECORDING is gpsd's JSON as 'gpspipe -w' writes it, \
      or NMEA 0183; '-' is standard input. The same recording gives the same bytes again.

      The conditions file is a GeoJSON FeatureCollection. A circle is a Point with "properties": \
      {"radius": METRES}; the feature's id is the identifier. The properties enterAfter, exitAfter \
      (seconds), confidence and expires (a date) are understood too.
      """,
    examples: [
      Example(
        "geofenced replay --conditions places.geojson drive.json",
        "What would have happened on that drive."),
      Example(
        "gpspipe -w | geofenced replay --conditions places.geojson --format json -",
        "Judge what gpsd says now, without keeping anything."),
    ],
    arguments: [Argument("recording", takes: .file("RECORDING"), help: "The recording.")],
    options: [
      Option("conditions", takes: .file("FILE"), help: "What to watch for, as GeoJSON."),
      Option(
        "format", takes: .choice("FORMAT", ["text", "json"]), defaultValue: "text",
        help: "Lines for people, or one JSON object an event."),
      Option(
        "explain", help: "Print below each event why it came about; with JSON, in 'explanation'."),
      Option(
        "config", short: "c", takes: .file("FILE"),
        help: "A configuration whose numbers to judge by; the defaults where none is named."),
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let configuration = try configuration(arguments)
    let conditions = try arguments.string("conditions").map { try ConditionsFile(path: $0) }
    let path = try arguments.requiredString("recording")
    let recording = try Recording(path: path)

    var output = Output(
      isJSON: arguments.string("format") == "json",
      isWatched: !recording.isRegularFile || Console.isTerminal)
    let replay = Replay(conditions: conditions, configuration: configuration)
    let result =
      arguments.flag("explain")
      ? try await replay.run(recording, explained: { try output.write($0, text: $0.text) })
      : try await replay.run(recording) { try output.write($0, text: EventText.line($0)) }
    try output.flush()
    Console.tell(result.summary)
    if let failure = recording.summary.failure {
      throw CommandFailure(description: "\(path): reading ended early: \(failure)")
    }
  }

  private static func configuration(_ arguments: ParsedArguments) throws -> Configuration {
    guard let path = arguments.string("config") else { return Configuration() }
    let (configuration, issues) = Configuration.load(from: path)
    for issue in issues { Console.tell(issue.description) }
    guard let configuration else {
      throw CommandFailure(description: "the configuration has errors, see above")
    }
    return configuration
  }

  /// Events as lines, written in large pieces, or one by one where somebody waits for them.
  private struct Output {
    let isJSON: Bool
    let isWatched: Bool
    private var bytes: [UInt8] = []

    init(isJSON: Bool, isWatched: Bool) {
      self.isJSON = isJSON
      self.isWatched = isWatched
    }

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
