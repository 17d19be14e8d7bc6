/// What is watched for: a shape, how sure a position must be, and how long it must hold.
package struct Condition: Sendable, Hashable {
  /// Where the condition is satisfied.
  package enum Shape: Sendable, Hashable {
    case circle(CircularGeographicCondition)
    case polygon(PolygonalGeographicCondition)
    case corridor(CorridorGeographicCondition)
  }

  package var shape: Shape

  /// The altitudes at which it is satisfied; nil for any.
  package private(set) var altitude: AltitudeBand?

  /// How long the position must have been inside before `entered` is told; nil for the default.
  package private(set) var enterAfter: Duration?

  /// How long the position must have been outside before `exited` is told; nil for the default.
  package private(set) var exitAfter: Duration?

  /// The probability from which inside or outside is believed; nil for the default.
  package private(set) var confidence: Double?

  /// When the condition ends by itself, by the system's clock; nil for never.
  package private(set) var expires: Timestamp?

  /// The confidences that may be asked for.
  package static let confidenceRange = 0.5...0.9999

  /// The times that may be asked for in `enterAfter` and `exitAfter`.
  package static let durationRange = Duration.zero...Duration.seconds(86_400)

  /// A condition, or an error that names the value that is out of range.
  ///
  /// Times are cut to the precision with which they are stored, so that a stored condition is equal to the same one
  /// that is added again.
  package init(
    shape: Shape, altitude: AltitudeBand? = nil, enterAfter: Duration? = nil,
    exitAfter: Duration? = nil, confidence: Double? = nil, expires: Timestamp? = nil
  ) throws(ConditionError) {
    for (name, duration) in [("enterAfter", enterAfter), ("exitAfter", exitAfter)] {
      if let duration, !Self.durationRange.contains(duration) {
        throw .durationOutOfRange(name: name, seconds: duration.inSeconds)
      }
    }
    if let confidence, !Self.confidenceRange.contains(confidence) {
      throw .confidenceOutOfRange(confidence)
    }
    self.shape = shape
    self.altitude = altitude
    self.enterAfter = enterAfter.map { .nanoseconds($0.wholeNanoseconds) }
    self.exitAfter = exitAfter.map { .nanoseconds($0.wholeNanoseconds) }
    self.confidence = confidence
    self.expires = expires?.cutToMilliseconds
  }

  /// The duration of so many seconds; nil without any.
  ///
  /// - Throws: an error with the name, if no duration is so long. The initializer checks the narrower range.
  package static func duration(
    _ seconds: Double?, named name: String
  ) throws(ConditionError) -> Duration? {
    guard let seconds else { return nil }
    guard let duration = Duration(inSeconds: seconds) else {
      throw .durationOutOfRange(name: name, seconds: seconds)
    }
    return duration
  }

  /// A circle without options.
  package init(circle: CircularGeographicCondition) { shape = .circle(circle) }

  /// How many positions its shape has; 0 for a circle.
  package var vertexCount: Int {
    switch shape {
    case .circle: 0
    case .polygon(let polygon): polygon.vertexCount
    case .corridor(let corridor): corridor.vertexCount
    }
  }

  /// The distance in metres from a position to the shape's edge: negative inside.
  ///
  /// It is for single questions, as the shape is indexed anew each time.
  package func signedDistance(to position: Coordinate) -> Double {
    PreparedShape(shape).signedDistance(to: position)
  }
}

extension Condition: Codable {
  fileprivate enum CodingKeys: String, CodingKey {
    case circle
    case polygon
    case corridor
    case minimumAltitude
    case maximumAltitude
    case altitudeReference
    case enterAfter
    case exitAfter
    case confidence
    case expires
  }

  /// Decodes the one shape and the options; durations are seconds.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func duration(_ key: CodingKeys) throws -> Duration? {
      try Self.duration(
        container.decodeIfPresent(Double.self, forKey: key), named: key.rawValue)
    }
    try self.init(
      shape: Shape(from: container),
      altitude: AltitudeBand(
        minimum: container.decodeIfPresent(Double.self, forKey: .minimumAltitude),
        maximum: container.decodeIfPresent(Double.self, forKey: .maximumAltitude),
        referenceName: container.decodeIfPresent(String.self, forKey: .altitudeReference)),
      enterAfter: duration(.enterAfter), exitAfter: duration(.exitAfter),
      confidence: container.decodeIfPresent(Double.self, forKey: .confidence),
      expires: container.decodeIfPresent(Timestamp.self, forKey: .expires))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch shape {
    case .circle(let circle): try container.encode(circle, forKey: .circle)
    case .polygon(let polygon): try container.encode(polygon, forKey: .polygon)
    case .corridor(let corridor): try container.encode(corridor, forKey: .corridor)
    }
    try container.encodeIfPresent(altitude?.minimum, forKey: .minimumAltitude)
    try container.encodeIfPresent(altitude?.maximum, forKey: .maximumAltitude)
    if let altitude, altitude.reference != .meanSeaLevel {
      try container.encode(altitude.reference, forKey: .altitudeReference)
    }
    try container.encodeIfPresent(enterAfter?.inSeconds, forKey: .enterAfter)
    try container.encodeIfPresent(exitAfter?.inSeconds, forKey: .exitAfter)
    try container.encodeIfPresent(confidence, forKey: .confidence)
    try container.encodeIfPresent(expires, forKey: .expires)
  }
}

extension Condition.Shape {
  fileprivate init(from container: KeyedDecodingContainer<Condition.CodingKeys>) throws {
    let circle = try container.decodeIfPresent(CircularGeographicCondition.self, forKey: .circle)
    let polygon = try container.decodeIfPresent(PolygonalGeographicCondition.self, forKey: .polygon)
    let corridor = try container.decodeIfPresent(
      CorridorGeographicCondition.self, forKey: .corridor)
    switch (circle, polygon, corridor) {
    case (let circle?, nil, nil): self = .circle(circle)
    case (nil, let polygon?, nil): self = .polygon(polygon)
    case (nil, nil, let corridor?): self = .corridor(corridor)
    default:
      throw ConditionError.shapeInvalid(
        "a condition needs exactly one of 'circle', 'polygon' and 'corridor'")
    }
  }
}
