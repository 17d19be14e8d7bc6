import CommandLineParsing
import ControlInterface
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
        "config", short: "c", takes: .file("FILE"),
        help: "A configuration whose numbers to judge by; the defaults where none is named."),
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let configuration = try configuration(arguments)
    var engine = ConditionEngine(parameters: configuration.decision)
    if let path = arguments.string("conditions") {
      for (identifier, condition) in try ConditionsFile(path: path).conditions {
        let monitor = MonitorKey(user: 0, name: GeofencedInterface.defaultMonitor)
        _ = engine.add(
          condition, as: ConditionKey(monitor: monitor, identifier: identifier),
          at: Timestamp(nanoseconds: 0))
      }
    }
    let path = try arguments.requiredString("recording")
    let recording = try Recording(path: path)
    let diagnostics = ReceiverDiagnostics()
    let updates = LocationUpdates(
      recording, parameters: configuration.positioning, diagnostics: diagnostics)

    var output = Output(isJSON: arguments.string("format") == "json")
    for await update in updates {
      guard let fix = update.location else { continue }
      try output.write(engine.expire(at: fix.timestamp))
      try output.write(engine.process(fix))
    }
    try output.flush()
    tell(recording.summary, diagnostics.status, events: output.count)
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

  private static func tell(_ summary: RecordingSummary, _ status: ReceiverStatus, events: Int) {
    let rejected = status.rejected.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue) \($0.value)" }
    var line = "\(summary.lines) lines, \(status.accepted) fixes"
    line += rejected.isEmpty ? "" : ", rejected: \(rejected.joined(separator: ", "))"
    if summary.malformedLines > 0 { line += ", \(summary.malformedLines) lines malformed" }
    if summary.overlongLines > 0 { line += ", \(summary.overlongLines) lines too long" }
    Console.tell("\(line); \(events) events")
  }

  /// Events as lines, written in large pieces.
  private struct Output {
    let isJSON: Bool
    var count = 0
    private var bytes: [UInt8] = []

    init(isJSON: Bool) {
      self.isJSON = isJSON
    }

    mutating func write(_ transitions: [Transition]) throws {
      for transition in transitions {
        count += 1
        let event = Event(
          sequence: Int64(count), log: nil, recorded: nil, transition: transition)
        bytes +=
          try isJSON ? CanonicalJSON.encode(event) + [0x0A] : Array(EventText.line(event).utf8)
      }
      if bytes.count > 1 << 16 { try flush() }
    }

    mutating func flush() throws {
      try Console.write(bytes)
      bytes = []
    }
  }
}
