/// A transition as the log has it, with a number, and with the same JSON wherever it is told.
///
/// Its JSON is a contract with programs: fields are added over time, but never changed or removed.
package struct Event: Sendable, Hashable {
  /// Its place in the log; grows by one from event to event.
  package let sequence: Int64

  /// The log that numbers it; nil in a replay, which has none.
  ///
  /// `(log, sequence)` identifies the event.
  package let log: String?

  /// When it was written, by the system's clock; nil in a replay.
  package let recorded: Timestamp?

  package let transition: Transition

  package init(sequence: Int64, log: String?, recorded: Timestamp?, transition: Transition) {
    self.sequence = sequence
    self.log = log
    self.recorded = recorded
    self.transition = transition
  }
}

extension Event: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case sequence
    case log
    case user
    case monitor
    case identifier
    case kind
    case state
    case previousState
    case date
    case recorded
    case earliest
    case latest
    case location
    case distance
    case probability
    case visit
    case visitBegan
    case duration
    case reason
    case accuracyLimited
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let monitor = MonitorKey(
      user: try container.decodeIfPresent(UInt32.self, forKey: .user) ?? 0,
      name: try container.decode(String.self, forKey: .monitor))
    let key = ConditionKey(
      monitor: monitor, identifier: try container.decode(String.self, forKey: .identifier))
    var transition = Transition(
      key: key, kind: try container.decode(EventKind.self, forKey: .kind),
      state: try container.decode(ConditionState.self, forKey: .state),
      previousState: try container.decode(ConditionState.self, forKey: .previousState),
      date: try container.decode(Timestamp.self, forKey: .date))
    if let earliest = try container.decodeIfPresent(Timestamp.self, forKey: .earliest),
      let latest = try container.decodeIfPresent(Timestamp.self, forKey: .latest),
      earliest <= latest
    {
      transition.bounds = earliest...latest
    }
    transition.location = try container.decodeIfPresent(EventLocation.self, forKey: .location)?
      .location(at: transition.date)
    transition.distance = try container.decodeIfPresent(Double.self, forKey: .distance)
    transition.probability = try container.decodeIfPresent(Double.self, forKey: .probability)
    if let id = try container.decodeIfPresent(String.self, forKey: .visit),
      let began = try container.decodeIfPresent(Timestamp.self, forKey: .visitBegan)
    {
      transition.visit = Visit(id: id, began: began)
    }
    if let seconds = try container.decodeIfPresent(Double.self, forKey: .duration) {
      guard let duration = Duration(inSeconds: seconds) else {
        throw DecodingError.dataCorruptedError(
          forKey: .duration, in: container, debugDescription: "out of range")
      }
      transition.duration = duration
    }
    transition.reason = try container.decodeIfPresent(UnmonitoredReason.self, forKey: .reason)
    transition.isAccuracyLimited =
      try container.decodeIfPresent(Bool.self, forKey: .accuracyLimited) ?? false
    self.init(
      sequence: try container.decode(Int64.self, forKey: .sequence),
      log: try container.decodeIfPresent(String.self, forKey: .log),
      recorded: try container.decodeIfPresent(Timestamp.self, forKey: .recorded),
      transition: transition)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // In alphabetical order, in which they are written: that saves sorting them.
    if transition.isAccuracyLimited { try container.encode(true, forKey: .accuracyLimited) }
    try container.encode(transition.date.rfc3339, forKey: .date)
    try container.encodeIfPresent(transition.distance?.rounded(toPlaces: 3), forKey: .distance)
    try container.encodeIfPresent(transition.duration?.inSeconds, forKey: .duration)
    try container.encodeIfPresent(transition.bounds?.lowerBound, forKey: .earliest)
    try container.encode(transition.key.identifier, forKey: .identifier)
    try container.encode(transition.kind.rawValue, forKey: .kind)
    try container.encodeIfPresent(transition.bounds?.upperBound, forKey: .latest)
    try container.encodeIfPresent(transition.location.map(EventLocation.init), forKey: .location)
    try container.encodeIfPresent(log, forKey: .log)
    try container.encode(transition.key.monitor.name, forKey: .monitor)
    try container.encode(transition.previousState.rawValue, forKey: .previousState)
    try container.encodeIfPresent(
      transition.probability?.rounded(toPlaces: 6), forKey: .probability)
    try container.encodeIfPresent(transition.reason, forKey: .reason)
    try container.encodeIfPresent(recorded?.rfc3339, forKey: .recorded)
    try container.encode(sequence, forKey: .sequence)
    try container.encode(transition.state.rawValue, forKey: .state)
    // Users belong to one machine; a replay has none.
    if log != nil { try container.encode(transition.key.monitor.user, forKey: .user) }
    try container.encodeIfPresent(transition.visit?.id, forKey: .visit)
    try container.encodeIfPresent(transition.visit?.began.rfc3339, forKey: .visitBegan)
  }
}

/// The part of a location that an event carries.
private struct EventLocation: Codable {
  let altitude: Double?
  let course: Double?
  let horizontalAccuracy: Double?
  let latitude: Double
  let longitude: Double
  let simulated: Bool?
  let speed: Double?

  init(_ location: Location) {
    latitude = location.coordinate.latitude
    longitude = location.coordinate.longitude
    altitude = location.altitude
    horizontalAccuracy = location.horizontalAccuracy?.rounded(toPlaces: 3)
    speed = location.speed
    course = location.course
    simulated = location.isSimulated ? true : nil
  }

  func location(at date: Timestamp) -> Location? {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
    var location = Location(
      timestamp: date, coordinate: coordinate, horizontalAccuracy: horizontalAccuracy,
      speed: speed, isSimulated: simulated ?? false)
    location.altitude = altitude
    location.course = course
    return location
  }
}
