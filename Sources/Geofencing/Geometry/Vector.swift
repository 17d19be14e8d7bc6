import Glibc

/// A vector to the east and the north, in metres or metres per second.
package struct Vector: Sendable, Hashable {
  package var east = 0.0
  package var north = 0.0

  package var length: Double { squaredLength.squareRoot() }

  /// The square of the length.
  var squaredLength: Double { dot(self) }

  /// The direction in degrees from north; 0 for a vector without length.
  var bearing: Double { atan2(east, north) * 180 / .pi }

  package init(east: Double = 0, north: Double = 0) {
    self.east = east
    self.north = north
  }

  /// A vector of some length in a direction in degrees from north.
  package init(length: Double, bearing: Double) {
    let radians = bearing * .pi / 180
    east = length * sin(radians)
    north = length * cos(radians)
  }

  /// The vector in metres from one position to another, along the geodesic.
  package init(from start: Coordinate, to end: Coordinate) {
    if let near = Vicinity(of: start).vector(to: end) {
      self = near
      return
    }
    let (length, bearing) = start.geodesic(to: end)
    self.init(length: length, bearing: bearing)
  }

  /// The vector turned clockwise by some degrees.
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

  /// The cross product: positive if the other vector is to the left of this one.
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
  /// By how many degrees the direction of a straight way to another position changes against the meridians.
  ///
  /// It is the convergence of the meridians, Δλ sin φ, exact enough over a few kilometres (P. D. Thomas, "Conformal
  /// Projections in Geodesy and Cartography", 1952).
  func convergence(to other: Coordinate) -> Double {
    let difference = remainder(other.longitude - longitude, 360)
    return difference * sin((latitude + other.latitude) / 2 * .pi / 180)
  }

  /// The position that lies so many metres to the east and the north.
  package func moved(by vector: Vector) -> Coordinate {
    Vicinity(of: self).position(at: vector)
      ?? moved(by: vector.length, bearing: vector.bearing)
  }
}
