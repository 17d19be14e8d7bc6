/// The position of some edges that is closest to another one, of those looked at so far.
struct ClosestPosition {
  private let position: Coordinate

  /// The position in space, and how far from there the closest one is in a straight line, squared.
  let point: GeocentricPoint
  private(set) var squaredDistance = Double.infinity

  private var end: EdgeCurve.End?
  private var points: PointFinder

  init(to position: Coordinate, _ points: PointFinder) {
    self.position = position
    self.points = points
    point = self.points.point(latitude: position.latitude, longitude: position.longitude)
  }

  /// The closest position; nil where none was looked at.
  var coordinate: Coordinate? { end.flatMap { Coordinate($0) } }

  /// How far it is in metres along the ground; nil where none was looked at.
  var distance: Double? {
    let chord = squaredDistance.squareRoot()
    if chord < Chord.longestShort { return Chord.geodesic(ofShort: chord) }
    return coordinate.map { position.distance(to: $0) }
  }

  /// So many metres beyond the closest position, squared.
  func squaredDistance(beyond metres: Double) -> Double {
    let distance = squaredDistance.squareRoot() + metres
    return distance * distance
  }

  /// Takes it for the closest if it is.
  mutating func take(_ candidate: EdgeCurve.End) {
    let squared = candidate.point.squaredDistance(to: point)
    if squared < squaredDistance {
      squaredDistance = squared
      end = candidate
    }
  }

  /// The same of the position at a share of an edge.
  mutating func take(_ curve: EdgeCurve, at share: Double) {
    take(curve.position(at: share, &points))
  }

  /// How far such a position is, in a straight line and squared.
  mutating func squaredDistance(to curve: EdgeCurve, at share: Double) -> Double {
    curve.position(at: share, &points).point.squaredDistance(to: point)
  }
}
