import Glibc

/// Metres or metres per second to the east and the north, no more than there are on the globe.
package struct Vector: Sendable, Hashable {
  package var east = 0.0
  package var north = 0.0

  package var length: Double { squaredLength.squareRoot() }

  /// The same squared.
  var squaredLength: Double { dot(self) }

  /// The direction, in degrees from north; 0 where there is none.
  var bearing: Double { atan2(east, north) * 180 / .pi }

  package init(east: Double = 0, north: Double = 0) {
    self.east = east
    self.north = north
  }

  /// So much in a direction given in degrees from north.
  package init(length: Double, bearing: Double) {
    let radians = bearing * .pi / 180
    east = length * sin(radians)
    north = length * cos(radians)
  }

  /// The way from one position to another.
  package init(from start: Coordinate, to end: Coordinate) {
    if let near = Vicinity(of: start).vector(to: end) {
      self = near
      return
    }
    let (length, bearing) = start.geodesic(to: end)
    self.init(length: length, bearing: bearing)
  }

  /// The same length in a direction that is so many degrees further clockwise.
  func turned(by degrees: Double) -> Vector {
    guard degrees != 0 else { return self }
    let radians = degrees * .pi / 180
    return Vector(
      east: east * cos(radians) + north * sin(radians),
      north: north * cos(radians) - east * sin(radians))
  }

  /// The scalar product.
  @inline(__always)
  package func dot(_ other: Vector) -> Double { east * other.east + north * other.north }

  /// The product with a vector turned to the left by a right angle: positive where that other one is to the left.
  @inline(__always)
  package func cross(_ other: Vector) -> Double { east * other.north - north * other.east }

  package static func + (a: Vector, b: Vector) -> Vector {
    Vector(east: a.east + b.east, north: a.north + b.north)
  }

  package static func - (a: Vector, b: Vector) -> Vector {
    Vector(east: a.east - b.east, north: a.north - b.north)
  }

  static func * (vector: Vector, factor: Double) -> Vector {
    Vector(east: vector.east * factor, north: vector.north * factor)
  }
}

extension Coordinate {
  /// By how many degrees a straight way to another position turns against the meridians.
  ///
  /// The convergence of the meridians, Δλ sin φ: exact enough over a few kilometres (P. D. Thomas,
  /// "Conformal Projections in Geodesy and Cartography", 1952).
  func convergence(to other: Coordinate) -> Double {
    let difference = remainder(other.longitude - longitude, 360)
    return difference * sin((latitude + other.latitude) / 2 * .pi / 180)
  }

  /// The position that lies so far to the east and the north.
  package func moved(by vector: Vector) -> Coordinate {
    Vicinity(of: self).position(at: vector)
      ?? moved(by: vector.length, bearing: vector.bearing)
  }
}
