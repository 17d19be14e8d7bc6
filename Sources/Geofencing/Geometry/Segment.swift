/// The distance in metres from a point to the closest position on the way between two others.
///
/// The two ends are laid out around the point by their geodesic distance and direction (the
/// azimuthal equidistant projection), where the way is taken as straight. Distances from the point
/// are exact; the way's curvature is off by less than a metre in a way of 20 km.
func distanceToSegment(of point: Coordinate, from start: Coordinate, to end: Coordinate) -> Double {
  let a = Vector(from: point, to: start)
  let way = Vector(from: point, to: end) - a
  guard way.squaredLength > 0 else { return a.length }
  let fraction = min(1, max(0, -(a.east * way.east + a.north * way.north) / way.squaredLength))
  return (a + way * fraction).length
}
