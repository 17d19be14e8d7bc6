import Geofencing
import Glibc

/// The true course of a journey, ten times a second, in metres east and north of an origin.
///
/// The plane is the azimuthal equidistant projection around the origin. Within 60 km of the origin, lengths have an
/// error of less than two parts in 100,000.
struct Truth {
  struct Point {
    var east: Double
    var north: Double
    /// Metres per second.
    var eastSpeed = 0.0
    var northSpeed = 0.0
    /// Whether the sky can't be seen at all.
    var isCovered = false
  }

  /// A circle to watch, or a regular polygon that covers the same place.
  struct Fence {
    var east: Double
    var north: Double
    var radius: Double
    var isPolygon = false

    /// The number of corners of the polygon.
    ///
    /// With the same area, the polygon is nowhere farther from the circle than (2π ÷ count)² ÷ 12 of the radius: 3 mm
    /// for 400 m. So both have the same visits.
    private static let cornerCount = 720

    /// The corners of the polygon, counterclockwise, in metres from its centre.
    var corners: [(east: Double, north: Double)] {
      let angle = 2 * Double.pi / Double(Self.cornerCount)
      let distance = radius * (angle / sin(angle)).squareRoot()
      return (0..<Self.cornerCount).map {
        (distance * cos(Double($0) * angle), distance * sin(Double($0) * angle))
      }
    }

    /// Metres from a point to the line, negative inside.
    func distance(to point: Point) -> Double {
      let (x, y) = (point.east - east, point.north - north)
      let fromCentre = hypot(x, y)
      guard isPolygon else { return fromCentre - radius }
      // All edges are alike, so the point is turned to an edge that is upright.
      let angle = 2 * Double.pi / Double(Self.cornerCount)
      let direction = remainder(atan2(y, x) - angle / 2, angle)
      let apothem = radius * (angle / sin(angle)).squareRoot() * cos(angle / 2)
      let beyond = fromCentre * cos(direction) - apothem
      let beside = abs(fromCentre * sin(direction)) - apothem * tan(angle / 2)
      return beyond > 0 && beside > 0 ? hypot(beyond, beside) : beyond
    }
  }

  /// Seconds between two points.
  static let step = 0.1

  static let origin: Coordinate = {
    guard let origin = Coordinate(latitude: 48.137, longitude: 11.575) else {
      preconditionFailure("the origin is on the globe")
    }
    return origin
  }()

  private(set) var points: [Point]
  var fences: [Fence] = []
  var isCovered = false

  /// Begins at a position.
  init(east: Double = 0, north: Double = 0) {
    points = [Point(east: east, north: north)]
  }

  /// The last point.
  var last: Point { points.last ?? Point(east: 0, north: 0) }

  /// The duration in seconds.
  var seconds: Double { Double(points.count - 1) * Self.step }

  /// Stands still for some seconds.
  mutating func stand(_ seconds: Double) {
    var point = last
    point.eastSpeed = 0
    point.northSpeed = 0
    point.isCovered = isCovered
    points += Array(repeating: point, count: Int((seconds / Self.step).rounded()))
  }

  /// Goes straight to a position, with a highest speed and a speed on arrival.
  mutating func go(
    east: Double, north: Double, speed cruise: Double, arriving: Double = 0,
    acceleration: Double = 1.8
  ) {
    let start = last
    let length = hypot(east - start.east, north - start.north)
    guard length > 0 else { return }
    let (x, y) = ((east - start.east) / length, (north - start.north) / length)
    var speed = hypot(start.eastSpeed, start.northSpeed)
    var done = 0.0
    while done < length {
      // The fastest speed from which it can slow down to the arrival speed on the rest of the way.
      let limit = (arriving * arriving + 2 * acceleration * (length - done)).squareRoot()
      let wanted = min(cruise, limit)
      speed += min(
        max(wanted - speed, -2 * acceleration * Self.step), acceleration * Self.step)
      // At least a slow speed, as the last centimetres would take for ever otherwise.
      speed = max(speed, min(cruise, 0.2))
      done = min(length, done + speed * Self.step)
      append(
        Point(
          east: start.east + x * done, north: start.north + y * done, eastSpeed: x * speed,
          northSpeed: y * speed))
    }
  }

  /// Adds a point, with the speed that it has.
  mutating func append(_ point: Point) {
    var point = point
    point.isCovered = isCovered
    points.append(point)
  }

  /// The coordinate of a position in the plane.
  static func coordinate(east: Double, north: Double) -> Coordinate {
    origin.moved(by: hypot(east, north), bearing: atan2(east, north) * 180 / .pi)
  }

  /// A stretch of time on one side of a line, in seconds from the beginning.
  struct Leg: Equatable {
    let isInside: Bool
    let began: Double
    var ended: Double
    /// The largest distance from the line, in metres.
    var farthest = 0.0
    /// The time when it first was ``Score/depth`` metres from the line; nil if it never was.
    var reached: Double?
  }

  /// The stays inside and outside of a fence, alternately, from the beginning to the end.
  ///
  /// The first one doesn't begin with a crossing of the line, but with the journey.
  func legs(of fence: Fence) -> [Leg] {
    var legs: [Leg] = []
    for (index, point) in points.enumerated() {
      let distance = fence.distance(to: point)
      let time = Double(index) * Self.step
      if legs.last?.isInside != (distance < 0) {
        if !legs.isEmpty { legs[legs.count - 1].ended = time }
        legs.append(Leg(isInside: distance < 0, began: time, ended: seconds))
      }
      let last = legs.count - 1
      legs[last].farthest = max(legs[last].farthest, abs(distance))
      if legs[last].reached == nil, abs(distance) >= Score.depth { legs[last].reached = time }
    }
    return legs
  }
}
