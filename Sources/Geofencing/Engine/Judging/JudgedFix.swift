/// A fix that was judged, without the receiver's name: plain memory, which is copied as it is.
///
/// To keep a ``Location`` itself would take more than a quarter of the time of a fix that changes nothing.
struct JudgedFix: BitwiseCopyable, Sendable {
  // See ``Location``.
  private(set) var timestamp: Timestamp
  private(set) var coordinate: Coordinate
  private(set) var altitude: Double?
  private(set) var ellipsoidalAltitude: Double?
  private(set) var horizontalAccuracy: Double?
  private(set) var verticalAccuracy: Double?
  private(set) var speed: Double?
  private(set) var speedAccuracy: Double?
  private(set) var course: Double?
  private(set) var courseAccuracy: Double?
  private(set) var mode: Int
  private(set) var satellitesUsed: Int?
  private(set) var isSimulated: Bool
  private(set) var followsDiscontinuity: Bool

  /// Where the fix was taken to be.
  private(set) var estimate: PositionEstimate

  /// Copies another fix field by field: assigning a new value would build that first.
  @inline(__always)
  mutating func take(_ fix: Location, _ estimate: PositionEstimate) {
    timestamp = fix.timestamp
    coordinate = fix.coordinate
    altitude = fix.altitude
    ellipsoidalAltitude = fix.ellipsoidalAltitude
    horizontalAccuracy = fix.horizontalAccuracy
    verticalAccuracy = fix.verticalAccuracy
    speed = fix.speed
    speedAccuracy = fix.speedAccuracy
    course = fix.course
    courseAccuracy = fix.courseAccuracy
    mode = fix.mode
    satellitesUsed = fix.satellitesUsed
    isSimulated = fix.isSimulated
    followsDiscontinuity = fix.followsDiscontinuity
    self.estimate = estimate
  }

  /// Where the fix was taken to be, and its velocity.
  var waypoint: Waypoint { waypoint(at: estimate) }

  /// The same with another estimate of where it was.
  func waypoint(at estimate: PositionEstimate) -> Waypoint {
    Waypoint(
      time: timestamp, estimate: estimate, speed: speed, course: course,
      courseAccuracy: courseAccuracy)
  }

  /// The fix as it came from a receiver.
  func location(from device: String?) -> Location {
    var fix = Location(
      timestamp: timestamp, coordinate: coordinate, horizontalAccuracy: horizontalAccuracy,
      speed: speed, mode: mode, isSimulated: isSimulated,
      followsDiscontinuity: followsDiscontinuity)
    fix.altitude = altitude
    fix.ellipsoidalAltitude = ellipsoidalAltitude
    fix.verticalAccuracy = verticalAccuracy
    fix.speedAccuracy = speedAccuracy
    fix.course = course
    fix.courseAccuracy = courseAccuracy
    fix.satellitesUsed = satellitesUsed
    fix.device = device
    return fix
  }
}

extension JudgedFix {
  /// A value to read an archived fix into.
  static var blank: JudgedFix {
    JudgedFix(
      timestamp: .never, coordinate: .nowhere, mode: 3, isSimulated: false,
      followsDiscontinuity: false, estimate: PositionEstimate(coordinate: .nowhere, sigma: 1))
  }

  /// Writes to the archive, or reads from there, what an explanation tells, the velocity, and the estimate.
  @inline(__always)
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&timestamp)
    archive.exchange(&coordinate)
    archive.exchange(row: { row in
      row.exchange(inRow: &horizontalAccuracy)
      row.exchange(inRow: &speed)
      row.exchange(inRow: &course)
      row.exchange(inRow: &courseAccuracy)
    })
    estimate.exchange(with: &archive)
  }

  /// What the fix said about a condition, by the same distance by which the condition was judged.
  func evidence(
    about condition: borrowing JudgedCondition, _ points: inout PointFinder,
    with parameters: borrowing DecisionParameters
  ) -> Explanation.Evidence {
    let judgement = condition.judgement(of: estimate, &points, with: parameters)
    var evidence = Explanation.Evidence(timestamp: timestamp)
    evidence.latitude = coordinate.latitude
    evidence.longitude = coordinate.longitude
    evidence.horizontalAccuracy = horizontalAccuracy
    evidence.speed = speed
    evidence.distance = judgement.distance
    evidence.sigma = judgement.sigma
    // If the altitude that a band asks for is missing, only outside has a probability.
    if !judgement.lacksAltitude || judgement.verdict == .outside {
      evidence.probability = judgement.probability
    }
    evidence.verdict = judgement.verdict
    evidence.altitude = judgement.altitude?.metres
    evidence.verticalSigma = judgement.altitude?.sigma
    return evidence
  }
}
