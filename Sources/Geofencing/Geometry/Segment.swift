import Glibc

/// The distance in metres from a point to the closest position on the way between two others.
///
/// The two ends are laid out around the point by their geodesic distance and direction (the
/// azimuthal equidistant projection), where the way is taken as straight. Distances from the point
/// are exact; the way's curvature is off by less than a metre in a way of 20 km.
func distanceToSegment(of point: Coordinate, from start: Coordinate, to end: Coordinate) -> Double {
  func planar(_ position: Coordinate) -> (x: Double, y: Double) {
    let (length, bearing) = point.geodesic(to: position)
    let radians = bearing * .pi / 180
    return (length * sin(radians), length * cos(radians))
  }
  let a = planar(start)
  let b = planar(end)
  let (dx, dy) = (b.x - a.x, b.y - a.y)
  let squaredLength = dx * dx + dy * dy
  guard squaredLength > 0 else { return hypot(a.x, a.y) }
  let fraction = min(1, max(0, -(a.x * dx + a.y * dy) / squaredLength))
  return hypot(a.x + fraction * dx, a.y + fraction * dy)
}
