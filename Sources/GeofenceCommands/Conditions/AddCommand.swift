import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem

/// The command `geofenced ctl add`.
enum AddCommand: Subcommand {
  static let definition = Command(
    "add", abstract: "Watch a circle, a polygon or the way along a line.",
    discussion: """
      Adds a condition to a monitor. One with the same identifier is replaced and starts again at \
      the assumed state. An equal one stays as it is, so this can be run at every start; but with \
      --expires 8h it ends later each time, and so isn't equal. Without --id a readable identifier \
      is made from the shape and printed.

      The shape is a circle (--lat, --lon, --radius), a polygon (--polygon) or what lies within \
      half a width of a line (--line, --width). A polygon or a line is given as well-known text \
      (LON LAT, not LAT LON as in Traccar), or as a file with one: GeoJSON, KML or, for a line, \
      GPX. 'geofenced ctl import' takes files with many. Only the shape is taken from the file, \
      and the width of a line if --width isn't given; the options say the rest.

      --here, instead of --lat and --lon, takes the receiver's location, and moves an existing \
      circle of that --id there; with --bearing and --distance, the point that lies so far from \
      there. While the receiver is released its last location is taken, but \
      none from before a long sleep of the machine, and none that newer positions contradict.

      On a boat, a van or a robot with power, set PauseMode=updates in geofenced.conf(5). \
      Otherwise an exit is reported minutes late, and what comes and goes between two looks is \
      missed. On a boat, set LiveConfiguration=otherNavigation too.
      """,
    examples: [
      Example(
        "geofenced ctl add --lat 37.5665 --lon 126.9780 --radius 200",
        "Watch 200 metres around a point."),
      Example(
        "geofenced ctl add --here --radius 40 --id anchor --assuming satisfied",
        "Watch a boat at anchor, or a vehicle where it is parked."),
      Example(
        "geofenced ctl add --here --bearing 270 --distance 30 --radius 40",
        "The same, where the anchor lies 30 metres to the west of the boat."),
      Example(
        "geofenced ctl add --lat -33.86 --lon 151.21 --radius 80 --exit-after 30s",
        "Report leaving only after half a minute outside."),
      Example(
        "geofenced ctl add --polygon yard.geojson --maximum-altitude 450", "Watch a yard."),
      Example(
        "geofenced ctl add --line 'LINESTRING (8.5 47.4, 8.6 47.5)' --width 50",
        "Watch 25 metres to either side of a line."),
    ],
    options: GivenShape.options + [
      Option(
        "id", takes: .name(of: .condition),
        help: "The identifier: \(Identifier.rule)."),
      ControlClient.monitor,
      ConditionOptions.assuming,
    ] + ConditionOptions.all + [ControlClient.user],
    surplusAdvice: "--id gives a condition its name")

  static func run(_ arguments: ParsedArguments) async throws {
    let (condition, here) = try await ConditionOptions.givenHere(arguments) { here in
      try Condition(
        shape: GivenShape.shape(arguments, here: here),
        altitude: AltitudeBand(
          minimum: arguments.double("minimum-altitude"),
          maximum: arguments.double("maximum-altitude"),
          referenceName: arguments.string("altitude-reference")),
        enterAfter: arguments.duration("enter-after"), exitAfter: arguments.duration("exit-after"),
        confidence: arguments.double("confidence"),
        expires: ConditionOptions.expires(arguments))
    }
    let name = try arguments.string("id").map { try ControlClient.conditionName($0, arguments) }
    let reply = try await ControlClient.call(
      Add.self,
      Add.Parameters(
        user: try name?.user ?? ControlClient.user(arguments),
        monitor: name?.monitor ?? arguments.string("monitor"),
        identifier: name?.identifier, condition: condition,
        assuming: ConditionOptions.assumed(arguments)), arguments)
    try await tell(reply.record, reply.outcome.rawValue, here, arguments)
  }

  /// Shows the outcome of a change of one condition, with a warning if something about it seems wrong.
  ///
  /// - Parameters:
  ///   - outcome: The outcome as programs read it.
  ///   - words: The outcome as a person reads it; nil if that is the same.
  static func tell(
    _ record: MonitorRecord, _ outcome: String, as words: String? = nil,
    _ here: LocationsCommand.Present?, _ arguments: ParsedArguments
  ) async throws {
    func name(to viewer: UInt32) -> String {
      OwnerText.name(record.identifier, in: record.monitor, of: record.user, to: viewer)
    }
    if record.accuracyLimited {
      Console.tell(
        "warning: '\(record.identifier)' is too small for the present accuracy, or for MinimumSigma=: "
          + "nobody could be sure to be inside; \(record.condition.remedyText), and 'geofenced ctl "
          + "advise \(name(to: ProcessUser.effective))' says how much", by: arguments)
    }
    let viewer = try ControlClient.viewer(arguments)
    let offset = try GivenShape.offset(arguments).map {
      "what is \(Quantity.metres($0.distance)) at \($0.bearing.shortest)° from "
    }
    try ControlClient.show(
      Answer(outcome: outcome, record: record, location: here?.location), arguments,
      text: "\(name(to: viewer)) \(words ?? outcome)"
        + (here.map { " around \(offset ?? "")the location of \($0.text)" } ?? "") + "\n")
    guard outcome != "unchanged" else { return }
    // A condition that stays where it is was checked when it was added.
    let isElsewhere = GivenShape.isPlaced(by: arguments)
    await LikelyMistakes.note(
      record.condition,
      isPlaced: here == nil && isElsewhere && ["added", "replaced"].contains(outcome),
      isHere: here != nil, arguments)
  }

  /// The daemon's answer; with `--here` also the location of the receiver and its accuracy.
  private struct Answer: Encodable {
    let outcome: String
    let record: MonitorRecord
    let location: ControlLocation?
  }
}
