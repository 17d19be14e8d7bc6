import CommandLineParsing
import ControlInterface
import Geofencing

/// The options of a condition beside its shape.
enum ConditionOptions {
  /// All of them.
  static let all = [
    Option(
      "enter-after", takes: .duration("TIME"),
      help: """
        How long to be inside before it counts, up to 24h; overrides EnterSec=. Passing through in \
        less time isn't reported. A state that wasn't known doesn't wait for this.
        """),
    Option(
      "exit-after", takes: .duration("TIME"),
      help: "How long to be outside before it counts, up to 24h; overrides ExitSec=."),
    Option(
      "confidence", takes: .number("PROBABILITY"),
      help: "How sure to be, \(Condition.confidenceRange.text); overrides Confidence=."),
    Option(
      "minimum-altitude", takes: .number("METRES"),
      help: "The lowest altitude that is inside, \(AltitudeBand.altitudeRange.text)."),
    Option(
      "maximum-altitude", takes: .number("METRES"),
      help: "The highest altitude that is inside, \(AltitudeBand.altitudeRange.text)."),
    Option(
      "altitude-reference",
      takes: .choice("REFERENCE", AltitudeBand.Reference.allCases.map(\.rawValue)),
      help: "What these altitudes are above; mean sea level by default."),
    Option(
      "expires", takes: .text("DATE"),
      help: """
        When to stop watching: a date such as 2026-12-31 or 2026-12-31T18:00, or after how long, \
        such as 8h.
        """),
  ]

  /// The option for the state that is known already.
  static let assuming = Option(
    "assuming", takes: .choice("STATE", ["unknown", "satisfied", "unsatisfied"]),
    help: "The state to assume until it is determined.")

  /// The state of `--assuming`; nil if it isn't given.
  static func assumed(_ arguments: ParsedArguments) -> ConditionState? {
    arguments.string("assuming").flatMap(ConditionState.init)
  }

  /// Makes something from the options, with `--here` around the present location of the receiver.
  ///
  /// - Throws: What is wrong with the options, in the words of the command line.
  static func givenHere<Made>(
    _ arguments: ParsedArguments, _ make: (_ here: Coordinate?) throws -> Made
  ) async throws -> (Made, LocationsCommand.Present?) {
    do {
      // The receiver may have to be waited for, so mistakes in other options are told before.
      _ = try GivenShape.offset(arguments)
      guard arguments.flag("here") else { return (try make(nil), nil) }
      _ = try make(Coordinate(validLatitude: 0, longitude: 0))
      let here = try await LocationsCommand.present(arguments)
      let (latitude, longitude) = (here.location.latitude, here.location.longitude)
      let position = try Coordinate(validLatitude: latitude, longitude: longitude)
      return (try make(GivenShape.center(from: position, arguments)), here)
    } catch let error as ConditionError {
      throw arguments.usageError(sentence(error, arguments))
    }
  }

  /// What is wrong with a condition, in the words of the command line.
  private static func sentence(_ error: ConditionError, _ arguments: ParsedArguments) -> String {
    func wants(_ member: String, _ expectation: String) -> String {
      let option = member.words(separatedBy: "-")
      return "--\(option) wants \(expectation), got \(quoted(arguments.string(option) ?? ""))"
    }
    /// Names the options that may be wrong, as far as they were given: the shape may also come from a text.
    func mistake(of options: String...) -> String {
      let option = options.first(where: arguments.names)
      return (option.map { "--\($0): " } ?? "") + error.description
    }
    switch error {
    case .latitudeOutOfRange: return mistake(of: "lat")
    case .longitudeOutOfRange: return mistake(of: "lon")
    case .radiusOutOfRange: return mistake(of: "radius")
    case .widthOutOfRange: return mistake(of: "width")
    case .confidenceOutOfRange: return mistake(of: "confidence")
    case .shapeInvalid: return mistake(of: "polygon", "line")
    case .durationOutOfRange(let member, _): return wants(member, "a time from 0 to 24h")
    case .altitudeOutOfRange(let member, _):
      return wants(member, "metres from \(AltitudeBand.altitudeRange.text)")
    case .altitudesReversed(let low, let high):
      let (minimum, maximum) = ("minimum-altitude", "maximum-altitude")
      /// A bound of the altitudes, with its option if that was given.
      func bound(_ option: String, _ value: Double) -> String {
        arguments.isGiven(option)
          ? "--\(option) \(value.shortest)" : "the \(value.shortest) m that it has"
      }
      return arguments.isGiven(minimum)
        ? "\(bound(minimum, low)) isn't below \(bound(maximum, high))"
        : "\(bound(maximum, high)) isn't above \(bound(minimum, low))"
    case .altitudeReferenceAlone:
      return "--altitude-reference is for --minimum-altitude and --maximum-altitude"
    case .partOfOtherShape(let part, let shapes, let shape):
      let options = ["latitude": "lat", "longitude": "lon"]
      let isHere = options[part] != nil && arguments.names("here")
      return
        "--\(isHere ? "here" : options[part, default: part]) is for \(shapes), and this is \(shape)"
    case .assumedInPlace:
      return "--assuming is for another place: if the shape stays, so does the state"
    case .identifierInvalid, .monitorInvalid, .altitudeReferenceInvalid, .assumedUnmonitored,
      .givenAndReset:
      return error.description
    }
  }

  /// The date of `--expires`; nil if it isn't given.
  static func expires(_ arguments: ParsedArguments) throws -> Timestamp? {
    guard let text = arguments.string("expires") else { return nil }
    // The daemon is on this machine, so its clock is the same.
    let now = Timestamp.now
    let span = try arguments.span(text, of: "expires")
    let date = try span.map { now + $0 } ?? arguments.date(text, of: "expires")
    // A sum beyond the last date becomes the last date.
    if let span, date - now != span {
      throw arguments.usageError("--expires \(text) is later than any date that can be kept")
    }
    guard date > now else {
      throw arguments.usageError("--expires \(date.text(in: .local)) is in the past")
    }
    return date
  }
}
