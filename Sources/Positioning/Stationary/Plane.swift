import Geofencing
import Glibc

/// A flat map of the surroundings of a place, in metres.
struct Plane: Sendable {
  /// A position on it.
  struct Point: Sendable {
    /// Metres to the east.
    var x: Double

    /// Metres to the north.
    var y: Double
  }

  private let origin: Coordinate

  init(around origin: Coordinate) {
    self.origin = origin
  }

  func point(of coordinate: Coordinate) -> Point {
    let distance = origin.distance(to: coordinate)
    let bearing = origin.bearing(to: coordinate) * .pi / 180
    return Point(x: distance * sin(bearing), y: distance * cos(bearing))
  }

  func coordinate(of point: Point) -> Coordinate {
    origin.moved(by: hypot(point.x, point.y), bearing: atan2(point.x, point.y) * 180 / .pi)
  }
}

/// The point whose coordinates are the medians: a few that are far off don't move it.
func median(of points: ArraySlice<Plane.Point>) -> Plane.Point {
  Plane.Point(x: quantile(0.5, of: points.map(\.x)), y: quantile(0.5, of: points.map(\.y)))
}
