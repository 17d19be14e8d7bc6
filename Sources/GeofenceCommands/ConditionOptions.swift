import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem

/// The options that say how a condition is judged, beside its shape.
enum ConditionOptions {
  /// They all.
  static let all = [
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
  ]

  /// What is known of where it is now.
  static let assuming = Option(
    "assuming", takes: .choice("STATE", ["unknown", "satisfied", "unsatisfied"]),
    help: "What to believe until it is determined.")

  /// The state that `--assuming` says; nil where it isn't given.
  static func assumed(_ arguments: ParsedArguments) -> ConditionState? {
    arguments.string("assuming").flatMap(ConditionState.init)
  }

  /// The condition of a shape that the options make.
  ///
  /// - Parameters:
  ///   - old: Where the rest is from.
  ///   - reset: The options of which it has nothing.
  static func condition(
    of shape: Condition.Shape, basedOn old: Condition? = nil, without reset: Set<String> = [],
    _ arguments: ParsedArguments
  ) throws -> Condition {
    func value<Value>(_ option: String, _ given: Value?, else old: Value?) -> Value? {
      given ?? (reset.contains(option) ? nil : old)
    }
    let minimum = value(
      "minimum-altitude", arguments.double("minimum-altitude"), else: old?.altitude?.minimum)
    let maximum = value(
      "maximum-altitude", arguments.double("maximum-altitude"), else: old?.altitude?.maximum)
    let hasBand = minimum != nil || maximum != nil
    return try Condition(
      shape: shape,
      altitude: AltitudeBand(
        minimum: minimum, maximum: maximum,
        referenceName: arguments.string("altitude-reference")
          ?? (hasBand ? old?.altitude?.reference.rawValue : nil)),
      enterAfter: value("enter-after", arguments.duration("enter-after"), else: old?.enterAfter),
      exitAfter: value("exit-after", arguments.duration("exit-after"), else: old?.exitAfter),
      confidence: value("confidence", arguments.double("confidence"), else: old?.confidence),
      expires: value("expires", expires(arguments), else: old?.expires))
  }

  /// What is made of the options, where `--here` asks for that around where the receiver is.
  ///
  /// - Throws: What is wrong with the options in the words of the command line.
  static func givenHere(
    _ arguments: ParsedArguments, _ make: (_ here: Coordinate?) throws -> Condition
  ) async throws -> (Condition, LocationsCommand.Present?) {
    do {
      guard arguments.flag("here") else { return (try make(nil), nil) }
      // A receiver may be waited for: what is wrong with other options is told before.
      _ = try make(Coordinate(validLatitude: 0, longitude: 0))
      let here = try await LocationsCommand.present(arguments)
      let (latitude, longitude) = (here.location.latitude, here.location.longitude)
      return (try make(Coordinate(validLatitude: latitude, longitude: longitude)), here)
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
      guard let lower = arguments.string(minimum), let upper = arguments.string(maximum) else {
        return error.description
      }
      return "--\(minimum) \(lower) isn't below --\(maximum) \(upper)"
    case .altitudeReferenceAlone:
      return "--altitude-reference is for --minimum-altitude and --maximum-altitude"
    case .identifierInvalid, .monitorInvalid, .altitudeReferenceInvalid, .assumedUnmonitored:
      return error.description
    }
  }

  /// The date that `--expires` says; nil where it isn't given.
  static func expires(_ arguments: ParsedArguments) throws -> Timestamp? {
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
