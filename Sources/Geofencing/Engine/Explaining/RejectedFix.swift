/// A fix that was refused before it could be judged.
package struct RejectedFix: Sendable, Hashable {
  /// The time of the fix, if it had one.
  package var timestamp: Timestamp?

  /// The reported position, if there was one that is on the globe.
  package var coordinate: Coordinate?

  /// The reported 68 % radius in metres.
  package var horizontalAccuracy: Double?

  /// The reported speed in metres per second.
  package var speed: Double?

  /// Why it was refused, as a code.
  package var reason: String

  /// How many fixes in a row this one stands for as the last.
  package var count = 1

  package init(
    timestamp: Timestamp?, coordinate: Coordinate?, horizontalAccuracy: Double? = nil,
    speed: Double? = nil, reason: String
  ) {
    self.timestamp = timestamp
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.speed = speed
    self.reason = reason
  }

  /// Makes a refusal by the engine itself: of a fix that lies where nothing can have moved.
  package init(contradictingMotion fix: Location) {
    self.init(
      timestamp: fix.timestamp, coordinate: fix.coordinate,
      horizontalAccuracy: fix.horizontalAccuracy, speed: fix.speed,
      reason: Self.contradictsMotion)
  }

  /// The reason code of a fix that lies where nothing can have moved at the speeds told.
  package static let contradictsMotion = "contradictsMotion"
}

extension RejectedFix {
  /// What an explanation tells about the fix.
  var evidence: Explanation.Evidence {
    var evidence = Explanation.Evidence(timestamp: timestamp)
    evidence.latitude = coordinate?.latitude
    evidence.longitude = coordinate?.longitude
    evidence.horizontalAccuracy = horizontalAccuracy
    evidence.speed = speed
    evidence.rejection = reason
    evidence.count = count > 1 ? count : nil
    return evidence
  }
}
