package import Geofencing

/// The true course of a journey: the exact position ten times a second.
///
/// ``Receiver`` makes a receiver's fixes of it.
package struct Track: Sendable {
  /// One instant of the journey.
  package struct Point: Sendable, Hashable {
    /// The time since the journey began.
    package var time: Duration

    /// The true position.
    package var coordinate: Coordinate

    /// Metres per second over ground.
    package var speed: Double

    /// Degrees clockwise from north; while standing, the last direction of travel.
    package var course: Double
  }

  /// A circle on the way that can be made a condition.
  package struct Place: Sendable, Hashable {
    package var identifier: String
    package var center: Coordinate

    /// The radius in metres.
    package var radius: Double

    package init(identifier: String, center: Coordinate, radius: Double) {
      self.identifier = identifier
      self.center = center
      self.radius = radius
    }
  }

  /// A point to go to, with the speed and the pause there.
  package struct Waypoint: Sendable {
    package var coordinate: Coordinate

    /// The speed on the way there, in metres per second.
    package var cruise: Double

    /// The speed on arrival, in metres per second; zero is a stop.
    package var arrival: Double

    /// How long it stands there.
    package var wait: Duration

    package init(
      _ coordinate: Coordinate, cruise: Double, arrival: Double = 0, wait: Duration = .zero
    ) {
      self.coordinate = coordinate
      self.cruise = cruise
      self.arrival = wait > .zero ? 0 : arrival
      self.wait = wait
    }
  }

  /// All points, in order of time, a tenth of a second apart.
  package private(set) var points: [Point]

  /// The places that the journey passes, in no particular order.
  package var places: [Place] = []

  /// The time between two points.
  package static let step = Duration.milliseconds(100)

  /// How long the journey takes.
  package var duration: Duration { points.last?.time ?? .zero }

  /// The point at a time since the beginning; before and after the journey, its first or last point.
  package func point(at time: Duration) -> Point {
    let index = Int((time / Track.step).rounded())
    return points[min(max(index, 0), points.count - 1)]
  }

  /// A journey that stands at one place for some time.
  package init(standingAt coordinate: Coordinate, for duration: Duration) {
    points = [Point(time: .zero, coordinate: coordinate, speed: 0, course: 0)]
    stand(for: duration)
  }

  /// A journey from a place through waypoints, along geodesics.
  ///
  /// It speeds up at `acceleration`, in metres per second squared, and slows down at up to twice that.
  package init(
    from start: Coordinate, through waypoints: [Waypoint], acceleration: Double = 1.8,
    standingFirst: Duration = .zero
  ) {
    self.init(standingAt: start, for: standingFirst)
    for waypoint in waypoints {
      go(to: waypoint, acceleration: acceleration)
      stand(for: waypoint.wait)
    }
  }

  private mutating func go(to waypoint: Waypoint, acceleration: Double) {
    guard let start = points.last else { return }
    let length = start.coordinate.distance(to: waypoint.coordinate)
    let bearing = start.coordinate.bearing(to: waypoint.coordinate)
    let step = Track.step.inSeconds
    var speed = start.speed
    var done = 0.0
    while done < length {
      // The fastest speed from which it can slow down to the arrival speed on the rest of the way.
      let left = length - done
      let limit = (waypoint.arrival * waypoint.arrival + 2 * acceleration * left).squareRoot()
      let wanted = min(waypoint.cruise, limit)
      speed += min(max(wanted - speed, -2 * acceleration * step), acceleration * step)
      // Creep over the last centimetres, as they would take for ever otherwise.
      speed = max(speed, 0.3)
      done = min(length, done + speed * step)
      let arrived = done >= length
      append(
        arrived ? waypoint.coordinate : start.coordinate.moved(by: done, bearing: bearing),
        speed: speed, course: (bearing + 360).truncatingRemainder(dividingBy: 360))
    }
  }

  private mutating func stand(for duration: Duration) {
    guard let last = points.last, duration > .zero else { return }
    for _ in 0..<Int((duration / Track.step).rounded()) {
      append(last.coordinate, speed: 0, course: last.course)
    }
  }

  private mutating func append(_ coordinate: Coordinate, speed: Double, course: Double) {
    points.append(
      Point(
        time: Track.step * points.count, coordinate: coordinate, speed: speed, course: course))
  }
}
