import Foundation
package import Geofencing

/// Random shapes, the same for the same seed: stars, spikes, slivers, holes, several parts.
package struct RandomShapes {
  private var random: SplitMix64

  package init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// The places of shapes: ordinary ones, the antimeridian, near the poles and around them.
  package enum Place: CaseIterable, Sendable {
    case anywhere
    case antimeridian
    case nearPole
    case aroundPole
  }

  /// A random number in a range.
  package mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &random)
  }

  /// A random number in a range, whose logarithm is evenly distributed.
  package mutating func magnitude(_ range: ClosedRange<Double>) -> Double {
    exp(number(log(range.lowerBound)...log(range.upperBound)))
  }

  /// A random centre in a place.
  package mutating func centre(_ place: Place) -> Position {
    let side = Bool.random(using: &random) ? 1.0 : -1
    return switch place {
    case .anywhere: Position(longitude: number(-150...150), latitude: number(-75...75))
    case .antimeridian: Position(longitude: number(179.5...180.5), latitude: number(-70...70))
    case .nearPole, .aroundPole:
      Position(longitude: number(-150...150), latitude: 89.9 * side)
    }
  }

  /// A ring around a centre with a number of vertices, whose distances from it vary within a range, in degrees of
  /// latitude.
  ///
  /// The ring is simple, because the angle only grows.
  package mutating func ring(
    around centre: Position, vertices: Int, radius: ClosedRange<Double>, stretch: Double = 1
  ) -> [Position] {
    var ring = (0..<vertices).map { index in
      let angle = 2 * Double.pi * (Double(index) + number(0...0.8)) / Double(vertices)
      let length = number(radius)
      return Position(
        longitude: centre.longitude + length * stretch * cos(angle),
        latitude: centre.latitude + length * sin(angle))
    }
    if let first = ring.first { ring.append(first) }
    return ring
  }

  /// One or more polygons, some with a hole, in a place; longitudes may be beyond ±180.
  package mutating func polygons(_ place: Place) -> [[[Position]]] {
    var centre = centre(place)
    let isNearPole = place == .nearPole || place == .aroundPole
    let size = isNearPole ? number(0.01...0.09) : magnitude(0.0002...3)
    if place == .aroundPole { return [[ringAroundPole(centre.latitude > 0 ? 1 : -1, size)]] }
    let stretch = isNearPole ? magnitude(1...300) : magnitude(0.05...2)
    var polygons: [[[Position]]] = []
    for _ in 0..<Int(number(1...3.5)) {
      let vertices = Int(number(6...60))
      let roughness = number(0.3...1)
      var rings = [
        ring(
          around: centre, vertices: vertices, radius: size * roughness...size, stretch: stretch)
      ]
      // The hole lies within the edges of the outer ring, which are closer to the centre than its vertices.
      if vertices > 14 {
        rings.append(
          ring(
            around: centre, vertices: 9, radius: size * roughness * 0.2...size * roughness * 0.5,
            stretch: stretch))
      }
      polygons.append(rings)
      centre.longitude += size * stretch * 3 + size * 6
    }
    return polygons
  }

  /// A ring that goes once around a pole, not cut at the antimeridian.
  private mutating func ringAroundPole(_ side: Double, _ size: Double) -> [Position] {
    var ring = (0..<24).map { index in
      Position(
        longitude: -180 + 15 * (Double(index) + number(0.1...0.9)),
        latitude: side * (90 - number(size / 3...size)))
    }
    if let first = ring.first { ring.append(first) }
    return ring
  }

  /// One or two lines with a few bends, in a place; longitudes may be beyond ±180.
  ///
  /// - Parameter size: The largest step in latitude from one position to the next, in degrees.
  package mutating func lines(_ place: Place, size: Double) -> [[Position]] {
    var position = centre(place)
    let stretch = place == .nearPole || place == .aroundPole ? 100.0 : 1
    return (0..<Int(number(1...2.5))).map { _ in
      (0..<Int(number(2...9))).map { _ in
        position.longitude += number(-size...size) * stretch
        position.latitude = min(90, max(-90, position.latitude + number(-size...size)))
        return position
      }
    }
  }
}
