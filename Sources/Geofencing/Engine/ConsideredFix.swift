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

  /// A fix that the engine itself refused.
  init(_ fix: Location, because reason: String) {
    self.init(
      timestamp: fix.timestamp, coordinate: fix.coordinate,
      horizontalAccuracy: fix.horizontalAccuracy, speed: fix.speed, reason: reason)
  }

  /// The code of a fix that lies where nothing can have moved to at the speeds reported.
  package static let contradictsMotion = "contradictsMotion"
}

/// A fix as the engine remembers it for explanations: judged, or left out with a reason.
enum ConsideredFix: Sendable {
  case judged(JudgedFix)
  case rejected(RejectedFix)

  /// What it said about a condition, by the same distance as the condition was judged by.
  func evidence(
    about condition: JudgedCondition, _ points: inout PointFinder,
    with parameters: DecisionParameters
  ) -> Explanation.Evidence {
    switch self {
    case .judged(let fix):
      var evidence = Explanation.Evidence(timestamp: fix.timestamp)
      evidence.latitude = fix.coordinate.latitude
      evidence.longitude = fix.coordinate.longitude
      evidence.horizontalAccuracy = fix.horizontalAccuracy
      evidence.speed = fix.speed
      let judgement = condition.judgement(of: fix.estimate, &points, with: parameters)
      evidence.distance = judgement.distance
      evidence.sigma = judgement.sigma
      evidence.probability = judgement.probability
      evidence.verdict = judgement.verdict
      evidence.altitude = judgement.altitude?.metres
      evidence.verticalSigma = judgement.altitude?.sigma
      return evidence
    case .rejected(let fix):
      var evidence = Explanation.Evidence(timestamp: fix.timestamp)
      evidence.latitude = fix.coordinate?.latitude
      evidence.longitude = fix.coordinate?.longitude
      evidence.horizontalAccuracy = fix.horizontalAccuracy
      evidence.speed = fix.speed
      evidence.rejection = fix.reason
      evidence.count = fix.count > 1 ? fix.count : nil
      return evidence
    }
  }
}
