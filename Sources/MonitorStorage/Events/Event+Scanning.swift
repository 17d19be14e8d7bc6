package import Geofencing
import JSONCoding

extension Event {
  /// The event in a text as ``canonicalText()`` writes it, in a fraction of the time of a decoder.
  ///
  /// - Throws: where the text has another form, so that a decoder has to be asked.
  package init(scanning text: String) throws {
    var scanner = try JSONScanner(Array(text.utf8))
    var members = Members()
    try scanner.eachMember { scanner, name in try members.take(name, from: &scanner) }
    guard try scanner.isFinished() else { throw UnexpectedForm() }
    self = try members.event()
  }

  /// What was found so far.
  private struct Members {
    var sequence: Int64?
    var log: String?
    var user: UInt32?
    var (monitor, identifier) = (String?.none, String?.none)
    var kind: EventKind?
    var (state, previousState) = (ConditionState?.none, ConditionState?.none)
    var (date, recorded) = (Timestamp?.none, Timestamp?.none)
    var (earliest, latest) = (Timestamp?.none, Timestamp?.none)
    var location: Location?
    var (distance, probability) = (Double?.none, Double?.none)
    var visit: String?
    var visitBegan: Timestamp?
    var duration: Duration?
    var reason: UnmonitoredReason?
    var isAccuracyLimited = false

    mutating func take(_ name: String, from scanner: inout JSONScanner) throws {
      switch name {
      case "accuracyLimited": isAccuracyLimited = try scanner.requiredFlag()
      case "date": date = try scanner.timestamp()
      case "distance": distance = try scanner.requiredNumber()
      case "duration": duration = try required(Duration(inSeconds: scanner.requiredNumber()))
      case "earliest": earliest = try scanner.timestamp()
      case "identifier": identifier = try scanner.requiredString()
      case "kind": kind = try scanner.choice()
      case "latest": latest = try scanner.timestamp()
      case "location": location = try Self.location(from: &scanner)
      case "log": log = try scanner.requiredString()
      case "monitor": monitor = try scanner.requiredString()
      case "previousState": previousState = try scanner.choice()
      case "probability": probability = try scanner.requiredNumber()
      case "reason": reason = try scanner.choice()
      case "recorded": recorded = try scanner.timestamp()
      case "sequence": sequence = try scanner.requiredWholeNumber()
      case "state": state = try scanner.choice()
      case "user": user = try required(UInt32(exactly: scanner.requiredWholeNumber()))
      case "visit": visit = try scanner.requiredString()
      case "visitBegan": visitBegan = try scanner.timestamp()
      default: throw UnexpectedForm()
      }
    }

    /// The part of a location that an event carries, with a time of 0: it gets the event's later.
    private static func location(from scanner: inout JSONScanner) throws -> Location {
      var (latitude, longitude) = (Double?.none, Double?.none)
      var (altitude, course, speed) = (Double?.none, Double?.none, Double?.none)
      var horizontalAccuracy: Double?
      var isSimulated = false
      try scanner.eachMember { scanner, name in
        switch name {
        case "altitude": altitude = try scanner.requiredNumber()
        case "course": course = try scanner.requiredNumber()
        case "horizontalAccuracy": horizontalAccuracy = try scanner.requiredNumber()
        case "latitude": latitude = try scanner.requiredNumber()
        case "longitude": longitude = try scanner.requiredNumber()
        case "simulated": isSimulated = try scanner.requiredFlag()
        case "speed": speed = try scanner.requiredNumber()
        default: throw UnexpectedForm()
        }
      }
      var location = Location(
        timestamp: Timestamp(nanoseconds: 0),
        coordinate: try Coordinate(
          validLatitude: required(latitude), longitude: required(longitude)),
        horizontalAccuracy: horizontalAccuracy, speed: speed, isSimulated: isSimulated)
      (location.altitude, location.course) = (altitude, course)
      return location
    }

    func event() throws -> Event {
      let monitor = MonitorKey(user: user ?? 0, name: try required(monitor))
      var transition = Transition(
        key: ConditionKey(monitor: monitor, identifier: try required(identifier)),
        kind: try required(kind), state: try required(state),
        previousState: try required(previousState), date: try required(date))
      if let earliest, let latest {
        guard earliest <= latest else { throw UnexpectedForm() }
        transition.bounds = earliest...latest
      }
      transition.location = location
      transition.location?.timestamp = transition.date
      transition.distance = distance
      transition.probability = probability
      if let visit, let visitBegan { transition.visit = Visit(id: visit, began: visitBegan) }
      transition.duration = duration
      transition.reason = reason
      transition.isAccuracyLimited = isAccuracyLimited
      return Event(
        sequence: try required(sequence), log: log, recorded: recorded, transition: transition)
    }
  }
}

extension JSONScanner {
  fileprivate mutating func timestamp() throws -> Timestamp {
    try required(Timestamp(rfc3339: requiredString()))
  }

  fileprivate mutating func choice<Choice: RawRepresentable<String>>() throws -> Choice {
    try required(Choice(rawValue: requiredString()))
  }
}
