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

  /// How many in a row it stands for, itself the last of them.
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

  /// A fix that lies where nothing can have moved to: the engine itself refused it.
  package init(contradictingMotion fix: Location) {
    self.init(
      timestamp: fix.timestamp, coordinate: fix.coordinate,
      horizontalAccuracy: fix.horizontalAccuracy, speed: fix.speed,
      reason: Self.contradictsMotion)
  }

  /// The code of a fix that lies where nothing can have moved to at the speeds reported.
  package static let contradictsMotion = "contradictsMotion"
}

extension RejectedFix {
  /// What is told of it where a decision is explained.
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
