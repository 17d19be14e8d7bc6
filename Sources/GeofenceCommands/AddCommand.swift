import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl add`.
enum AddCommand: Subcommand {
  static let definition = Command(
    "add", abstract: "Watch a circle.",
    discussion: """
      Adds a condition to a monitor. One with the same identifier is replaced and starts again at \
      the assumed state; an equal one stays as it is, so this can be run at every start. Without \
      --id a readable identifier is made and printed.
      """,
    examples: [
      Example(
        "geofenced ctl add --lat 37.5665 --lon 126.9780 --radius 200",
        "Watch 200 metres around a point."),
      Example(
        "geofenced ctl add --lat -33.86 --lon 151.21 --radius 80 --exit-after 30s",
        "Tell of leaving only after half a minute outside."),
    ],
    options: [
      Option("lat", takes: .number("DEGREES"), isRequired: true, help: "Latitude, -90 to 90."),
      Option("lon", takes: .number("DEGREES"), isRequired: true, help: "Longitude, -180 to 180."),
      Option(
        "radius", short: "r", takes: .number("METRES"), isRequired: true,
        help: "Radius, 1 to 2000000."),
      Option(
        "id", takes: .text("IDENTIFIER"),
        help: "The identifier: 1 to 128 characters of A-Z a-z 0-9 . _ and -."),
      ControlClient.monitor,
      Option(
        "assuming", takes: .choice("STATE", ["unknown", "satisfied", "unsatisfied"]),
        help: "What to believe until it is determined."),
      Option(
        "enter-after", takes: .duration("TIME"),
        help: "How long inside before it counts; instead of EnterSec=."),
      Option(
        "exit-after", takes: .duration("TIME"),
        help: "How long outside before it counts; instead of ExitSec=."),
      Option(
        "confidence", takes: .number("PROBABILITY"),
        help: "How sure to be, 0.5 to 0.9999; instead of Confidence=."),
      Option(
        "expires", takes: .text("DATE"),
        help: "When to stop watching, for example 2026-12-31T18:00:00Z."),
      ControlClient.user,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let parameters = try parameters(arguments)
    let reply = try await ControlClient.call(Add.self, parameters, arguments)
    let record = reply.record
    if record.accuracyLimited {
      Console.tell(
        "geofenced ctl add: warning: at the present accuracy nobody can be sure to be inside "
          + "'\(record.identifier)'; a larger radius would help")
    }
    try Console.write(
      arguments.flag("json")
        ? ControlClient.line(reply)
        : "\(record.monitor)/\(record.identifier) \(reply.outcome.rawValue)\n")
  }

  private static func parameters(_ arguments: ParsedArguments) throws -> Add.Parameters {
    do {
      let latitude = try arguments.requiredDouble("lat")
      let longitude = try arguments.requiredDouble("lon")
      let center = try Coordinate(validLatitude: latitude, longitude: longitude)
      let circle = try CircularGeographicCondition(
        center: center, radius: arguments.requiredDouble("radius"))
      if let id = arguments.string("id"), !Identifier.isValid(id) {
        throw ConditionError.identifierInvalid(id)
      }
      if let name = arguments.string("monitor"), !Identifier.isValid(name) {
        throw ConditionError.monitorInvalid(name)
      }
      let condition = try Condition(
        shape: .circle(circle), enterAfter: arguments.duration("enter-after"),
        exitAfter: arguments.duration("exit-after"), confidence: arguments.double("confidence"),
        expires: expires(arguments))
      return Add.Parameters(
        user: try ControlClient.user(arguments), monitor: arguments.string("monitor"),
        identifier: arguments.string("id"), condition: condition,
        assuming: arguments.string("assuming").flatMap(ConditionState.init))
    } catch let error as ConditionError {
      throw arguments.usageError(error.description)
    }
  }

  private static func expires(_ arguments: ParsedArguments) throws -> Timestamp? {
    guard let text = arguments.string("expires") else { return nil }
    guard let date = Timestamp(rfc3339: text) else {
      throw arguments.usageError(
        "--expires wants a date such as 2026-12-31T18:00:00Z, got \(quoted(text))")
    }
    return date
  }
}
