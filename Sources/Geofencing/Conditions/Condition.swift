/// What is watched for: a shape, and how sure and how long something must hold.
package struct Condition: Sendable, Hashable {
  /// Where the condition is satisfied.
  package enum Shape: Sendable, Hashable {
    case circle(CircularGeographicCondition)
  }

  package var shape: Shape

  /// How long the position must have been inside before `entered` is told; nil is the default.
  package private(set) var enterAfter: Duration?

  /// How long the position must have been outside before `exited` is told; nil is the default.
  package private(set) var exitAfter: Duration?

  /// The probability from which inside or outside is believed; nil is the default.
  package private(set) var confidence: Double?

  /// When the condition ends by itself, by the system's clock.
  package private(set) var expires: Timestamp?

  /// The confidences that may be asked for.
  package static let confidenceRange = 0.5...0.9999

  /// The times that may be asked for in `enterAfter` and `exitAfter`.
  package static let durationRange = Duration.zero...Duration.seconds(86_400)

  /// A condition, or an error that names the value that is out of range.
  ///
  /// Times are taken to the precision with which they are stored, so that a condition that was stored
  /// is equal to the same one that is added again.
  package init(
    shape: Shape, enterAfter: Duration? = nil, exitAfter: Duration? = nil,
    confidence: Double? = nil, expires: Timestamp? = nil
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
    self.enterAfter = enterAfter.map { .nanoseconds($0.wholeNanoseconds) }
    self.exitAfter = exitAfter.map { .nanoseconds($0.wholeNanoseconds) }
    self.confidence = confidence
    self.expires = expires?.cutToMilliseconds
  }

  /// The distance in metres from a position to the shape's edge: negative inside.
  package func signedDistance(to position: Coordinate) -> Double {
    switch shape {
    case .circle(let circle): circle.signedDistance(to: position)
    }
  }
}

extension Condition: Codable {
  private enum CodingKeys: String, CodingKey {
    case circle
    case enterAfter
    case exitAfter
    case confidence
    case expires
  }

  /// Decodes `circle` and the options; durations are seconds.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func duration(_ key: CodingKeys) throws -> Duration? {
      guard let seconds = try container.decodeIfPresent(Double.self, forKey: key) else {
        return nil
      }
      guard let duration = Duration(inSeconds: seconds) else {
        throw ConditionError.durationOutOfRange(name: key.rawValue, seconds: seconds)
      }
      return duration
    }
    try self.init(
      shape: .circle(container.decode(CircularGeographicCondition.self, forKey: .circle)),
      enterAfter: duration(.enterAfter), exitAfter: duration(.exitAfter),
      confidence: container.decodeIfPresent(Double.self, forKey: .confidence),
      expires: container.decodeIfPresent(Timestamp.self, forKey: .expires))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch shape {
    case .circle(let circle): try container.encode(circle, forKey: .circle)
    }
    try container.encodeIfPresent(enterAfter?.inSeconds, forKey: .enterAfter)
    try container.encodeIfPresent(exitAfter?.inSeconds, forKey: .exitAfter)
    try container.encodeIfPresent(confidence, forKey: .confidence)
    try container.encodeIfPresent(expires, forKey: .expires)
  }
}
