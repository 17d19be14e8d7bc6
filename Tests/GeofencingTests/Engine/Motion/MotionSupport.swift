import Geofencing
import Glibc
import TestSupport

/// What a receiver says so many metres east and north of a place; its speed doesn't move it.
func report(
  _ seconds: Double, east: Double = 0, north: Double = 0, speed: Double? = 0,
  course: Double? = nil, accuracy: Double? = 5, from origin: Coordinate = centre
) -> Location {
  var fix = Location(
    timestamp: at(seconds),
    coordinate: (east, north) == (0, 0) ? origin : origin.moved(east: east, north: north),
    horizontalAccuracy: accuracy, speed: speed)
  fix.course = course
  return fix
}

/// A receiver whose position wanders, with a Doppler speed that doesn't.
struct WanderingReceiver {
  /// The deviation of the wandering error along one axis in metres, and how long it remembers.
  var drift = 4.0
  var driftTime = 60.0

  /// The deviation of the noise on top of it.
  var noise = 0.4

  /// The deviation of the velocity along one axis, in metres per second.
  var doppler = 0.08

  /// The 68 % radius that it claims; right for the drift unless set.
  var accuracy: Double? = 6

  private var random: SplitMix64
  private var error: (east: Double, north: Double)?
  private var last = 0.0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// What it says where it is so many metres east and north of the centre, at a velocity.
  mutating func report(
    _ seconds: Double, east: Double = 0, north: Double = 0,
    velocity: (east: Double, north: Double) = (0, 0)
  ) -> Location {
    let kept = error == nil ? 0 : exp(-(seconds - last) / driftTime)
    let kick = drift * (1 - kept * kept).squareRoot()
    let before = error ?? (0, 0)
    let now = (
      east: kept * before.east + kick * random.normal(),
      north: kept * before.north + kick * random.normal()
    )
    error = now
    last = seconds
    let (vx, vy) = (
      velocity.east + doppler * random.normal(), velocity.north + doppler * random.normal()
    )
    let degrees = atan2(vx, vy) * 180 / .pi
    return GeofencingTests.report(
      seconds, east: east + now.east + noise * random.normal(),
      north: north + now.north + noise * random.normal(), speed: hypot(vx, vy),
      course: degrees < 0 ? degrees + 360 : degrees, accuracy: accuracy)
  }
}

extension ConditionEngine {
  /// One with a circle, satisfied, whose centre is so many metres to the west of where tests begin.
  static func insideHome(
    radius: Double = 50, west: Double = 0, with parameters: DecisionParameters = .init()
  ) throws -> ConditionEngine {
    engine(
      try circle(radius, around: centre.moved(by: west, bearing: 270)), assuming: .satisfied,
      parameters: parameters)
  }

  /// Takes a fix; nil when it was refused.
  mutating func judge(_ fix: Location) -> [Transition]? {
    let transitions = process(fix)
    return lastFix == fix ? transitions : nil
  }

  /// Takes fixes; what changed, and which were refused, in seconds of the tests.
  mutating func judge(
    _ fixes: some Sequence<Location>
  ) -> (transitions: [Transition], refused: [Double]) {
    var transitions: [Transition] = []
    var refused: [Double] = []
    for fix in fixes {
      transitions += process(fix)
      if lastFix != fix { refused.append((fix.timestamp - at(0)).inSeconds) }
    }
    return (transitions, refused)
  }
}

/// The numbers from the first to below the last, a step apart.
func seconds(_ first: Double, _ last: Double, every step: Double = 1) -> [Double] {
  Array(stride(from: first, to: last, by: step))
}
