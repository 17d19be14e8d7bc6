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
    let (length, bearing) = origin.geodesic(to: coordinate)
    let radians = bearing * .pi / 180
    return Point(x: length * sin(radians), y: length * cos(radians))
  }

  func coordinate(of point: Point) -> Coordinate {
    origin.moved(by: hypot(point.x, point.y), bearing: atan2(point.x, point.y) * 180 / .pi)
  }
}

/// The point whose coordinates are the medians: a few that are far off don't move it.
func median(of points: ArraySlice<Plane.Point>) -> Plane.Point {
  Plane.Point(x: quantile(0.5, of: points.map(\.x)), y: quantile(0.5, of: points.map(\.y)))
}

extension Location {
  /// The Doppler velocity to the east and north, in metres per second; nil where speed or course isn't
  /// known.
  var velocity: Plane.Point? {
    guard let speed else { return nil }
    if let course {
      return Plane.Point(
        x: speed * sin(course * .pi / 180), y: speed * cos(course * .pi / 180))
    }
    // Many receivers give no course at rest.
    return speed < 0.5 ? Plane.Point(x: 0, y: 0) : nil
  }
}
