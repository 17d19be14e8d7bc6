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
      the assumed state; an equal one stays as it is, so this can be run at every start. With \
      --expires in how long, it is another one each time. Without --id a readable identifier is made \
      from the shape and printed.

      The shape is a circle (--lat, --lon, --radius), a polygon (--polygon) or what lies within \
      half a width of a line (--line, --width). A polygon or a line is well-known text, or a file \
      with one; 'geofenced ctl import' takes files with many. Only the shape is taken from the \
      file: the options say the rest. With --here instead of --lat and --lon, a circle with an --id \
      is moved to where the receiver is each time; of one that is released, that is its last location. What has \
      power, such as a boat, a van or a robot, wants PauseMode=updates in geofenced.conf(5), or an exit \
      is told minutes late and what comes and goes between two looks isn't told; boats want \
      LiveConfiguration=otherNavigation too.
      """,
    examples: [
      Example(
        "geofenced ctl add --lat 37.5665 --lon 126.9780 --radius 200",
        "Watch 200 metres around a point."),
      Example(
        "geofenced ctl add --here --radius 40 --id anchor --assuming satisfied",
        "Watch a boat at anchor, or a vehicle where it is parked."),
      Example(
        "geofenced ctl add --lat -33.86 --lon 151.21 --radius 80 --exit-after 30s",
        "Tell of leaving only after half a minute outside."),
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
      Option(
        "assuming", takes: .choice("STATE", ["unknown", "satisfied", "unsatisfied"]),
        help: "What to believe until it is determined."),
      Option(
        "enter-after", takes: .duration("TIME"),
        help: """
          How long inside before it counts, up to 24h; instead of EnterSec=. What was passed through in \
          less time isn't told of. A state that wasn't known is told at once.
          """),
      Option(
        "exit-after", takes: .duration("TIME"),
        help: "How long outside before it counts, up to 24h; instead of ExitSec=."),
      Option(
        "confidence", takes: .number("PROBABILITY"),
        help: "How sure to be, \(Condition.confidenceRange.text); instead of Confidence=."),
      Option(
        "minimum-altitude", takes: .number("METRES"),
        help: "The altitude from which on it is inside, \(AltitudeBand.altitudeRange.text)."),
      Option(
        "maximum-altitude", takes: .number("METRES"),
        help: "The altitude up to which it is inside, \(AltitudeBand.altitudeRange.text)."),
      Option(
        "altitude-reference",
        takes: .choice("REFERENCE", AltitudeBand.Reference.allCases.map(\.rawValue)),
        help: "What these altitudes are above; without it, the mean sea level."),
      Option(
        "expires", takes: .text("DATE"),
        help: """
          When to stop watching: a date such as 2026-12-31 or 2026-12-31T18:00, or in how long, such as 8h.
          """),
      ControlClient.user,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let here = try await here(arguments)
    let parameters = try parameters(
      arguments,
      here.map {
        try Coordinate(validLatitude: $0.location.latitude, longitude: $0.location.longitude)
      })
    let reply = try await ControlClient.call(Add.self, parameters, arguments)
    let record = reply.record
    if record.accuracyLimited {
      Console.tell(
        "warning: at the present accuracy or MinimumSigma= nobody can be sure to be inside "
          + "'\(record.identifier)'; \(record.condition.remedyText)", by: arguments)
    }
    try ControlClient.show(
      Answer(outcome: reply.outcome, record: record, location: here?.location), arguments,
      text: "\(record.monitor)/\(record.identifier) \(reply.outcome.rawValue)"
        + (here.map { " around the location of \($0.text)" } ?? "") + "\n")
    if here == nil, reply.outcome != .unchanged {
      await FarPlaces.note(record.condition, arguments)
    }
  }

  /// What the daemon answers, with `--here` also where the receiver was, and how well that was known.
  private struct Answer: Encodable {
    let outcome: Add.Outcome
    let record: MonitorRecord
    let location: ControlLocation?
  }

  /// Where the receiver is, if `--here` asks for that, also in words.
  private static func here(
    _ arguments: ParsedArguments
  ) async throws -> (location: ControlLocation, text: String)? {
    guard arguments.flag("here") else { return nil }
    // A receiver may be waited for: what is wrong with other options is told before.
    _ = try parameters(arguments, Coordinate(validLatitude: 0, longitude: 0))
    return try await LocationsCommand.present(arguments)
  }

  private static func parameters(
    _ arguments: ParsedArguments, _ here: Coordinate?
  ) throws -> Add.Parameters {
    do {
      let condition = try Condition(
        shape: GivenShape.shape(arguments, here: here),
        altitude: AltitudeBand(
          minimum: arguments.double("minimum-altitude"),
          maximum: arguments.double("maximum-altitude"),
          referenceName: arguments.string("altitude-reference")),
        enterAfter: arguments.duration("enter-after"), exitAfter: arguments.duration("exit-after"),
        confidence: arguments.double("confidence"),
        expires: expires(arguments))
      return Add.Parameters(
        user: try ControlClient.user(arguments), monitor: arguments.string("monitor"),
        identifier: arguments.string("id"), condition: condition,
        assuming: arguments.string("assuming").flatMap(ConditionState.init))
    } catch let error as ConditionError {
      throw arguments.usageError(sentence(error, arguments))
    }
  }

  /// What is wrong with a condition, in the words of the command line.
  private static func sentence(_ error: ConditionError, _ arguments: ParsedArguments) -> String {
    func wants(_ option: String, _ expectation: String) -> String {
      "--\(option) wants \(expectation), got \(quoted(arguments.string(option) ?? ""))"
    }
    /// The options that may have made it; the shape may also come from a text.
    func mistake(of options: String...) -> String {
      let option = options.first(where: arguments.isGiven)
      return (option.map { "--\($0): " } ?? "") + error.description
    }
    switch error {
    case .latitudeOutOfRange: return mistake(of: "lat")
    case .longitudeOutOfRange: return mistake(of: "lon")
    case .radiusOutOfRange: return mistake(of: "radius")
    case .widthOutOfRange: return mistake(of: "width")
    case .confidenceOutOfRange: return mistake(of: "confidence")
    case .shapeInvalid: return mistake(of: "polygon", "line")
    case .durationOutOfRange(let name, _):
      return wants(name == "enterAfter" ? "enter-after" : "exit-after", "a time from 0 to 24h")
    case .altitudeOutOfRange(let name, _):
      return wants(
        name == "minimumAltitude" ? "minimum-altitude" : "maximum-altitude",
        "metres from -20000 to 100000")
    case .altitudesReversed:
      let (minimum, maximum) = ("minimum-altitude", "maximum-altitude")
      return "--\(minimum) \(arguments.string(minimum) ?? "") isn't below "
        + "--\(maximum) \(arguments.string(maximum) ?? "")"
    case .altitudeReferenceAlone:
      return "--altitude-reference is for --minimum-altitude and --maximum-altitude"
    case .identifierInvalid, .monitorInvalid, .altitudeReferenceInvalid, .assumedUnmonitored:
      return error.description
    }
  }

  private static func expires(_ arguments: ParsedArguments) throws -> Timestamp? {
    guard let text = arguments.string("expires") else { return nil }
    // The daemon is on this machine, so its clock is the same.
    let now = Timestamp(nanoseconds: SystemClock.nanoseconds)
    let span = try arguments.span(text, of: "expires")
    let date = try span.map { now + $0 } ?? arguments.date(text, of: "expires")
    // What is later than all dates becomes the last one.
    if let span, date - now != span {
      throw arguments.usageError("--expires \(text) is later than any date that can be kept")
    }
    guard date > now else {
      throw arguments.usageError("--expires \(date.text(in: .local)) is in the past")
    }
    return date
  }
}
