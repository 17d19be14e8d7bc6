import Glibc

/// Longitudes and latitudes from and to, in degrees; empty at first.
struct FlatBox: Sendable {
  private(set) var west = Double.infinity
  private(set) var east = -Double.infinity
  private(set) var south = Double.infinity
  private(set) var north = -Double.infinity

  mutating func include(_ end: EdgeCurve.End) {
    west = min(west, end.longitude)
    east = max(east, end.longitude)
    south = min(south, end.latitude)
    north = max(north, end.latitude)
  }

  mutating func include(_ other: FlatBox) {
    west = min(west, other.west)
    east = max(east, other.east)
    south = min(south, other.south)
    north = max(north, other.north)
  }
}

/// A box in space, in metres from the centre of the Earth; empty at first.
struct SpaceBox: Sendable {
  private(set) var low = GeocentricPoint(x: .infinity, y: .infinity, z: .infinity)
  private(set) var high = GeocentricPoint(x: -.infinity, y: -.infinity, z: -.infinity)

  /// Takes in all of a curve: its chord, and as far around as it may bend.
  mutating func include(_ curve: EdgeCurve) {
    let sag = curve.sag
    for point in [curve.start.point, curve.end.point] {
      include(
        low: GeocentricPoint(x: point.x - sag, y: point.y - sag, z: point.z - sag),
        high: GeocentricPoint(x: point.x + sag, y: point.y + sag, z: point.z + sag))
    }
  }

  mutating func include(_ other: SpaceBox) { include(low: other.low, high: other.high) }

  private mutating func include(low: GeocentricPoint, high: GeocentricPoint) {
    self.low = GeocentricPoint(
      x: min(self.low.x, low.x), y: min(self.low.y, low.y), z: min(self.low.z, low.z))
    self.high = GeocentricPoint(
      x: max(self.high.x, high.x), y: max(self.high.y, high.y), z: max(self.high.z, high.z))
  }

  /// The position nearest to its middle, and the length in metres of a straight line from there beyond
  /// which there is nothing of it; nil when it is empty.
  var surroundings: (center: Coordinate, chord: Double)? {
    guard low.x <= high.x else { return nil }
    let middle = GeocentricPoint(
      x: (low.x + high.x) / 2, y: (low.y + high.y) / 2, z: (low.z + high.z) / 2)
    let fromAxis = hypot(middle.x, middle.y) * (1 - GeocentricPoint.squaredEccentricity)
    guard
      let center = Coordinate(
        latitude: atan2(middle.z, fromAxis) * 180 / .pi,
        longitude: atan2(middle.y, middle.x) * 180 / .pi)
    else { return nil }
    let offset = GeocentricPoint(center).squaredDistance(to: middle).squareRoot()
    return (center, offset + middle.squaredDistance(to: high).squareRoot())
  }

  /// The squared distance to a point, 0 inside; infinite when the box is empty.
  func squaredDistance(to point: GeocentricPoint) -> Double {
    // Of two at a time the larger is found without a branch.
    let dx = max(max(low.x - point.x, point.x - high.x), 0)
    let dy = max(max(low.y - point.y, point.y - high.y), 0)
    let dz = max(max(low.z - point.z, point.z - high.z), 0)
    return dx * dx + dy * dy + dz * dz
  }
}
