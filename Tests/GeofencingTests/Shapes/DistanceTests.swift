import Foundation
import TestSupport
import Testing

@testable import Geofencing

/// The least distance to edges that are straight in longitude and latitude, by trying: many positions
/// of each, and then finer ones around the best.
private func leastDistance(from position: Coordinate, to lines: [[Position]]) -> Double {
  var least = Double.infinity
  for line in lines {
    for (a, b) in zip(line, line.dropFirst()) {
      let turn = remainder(b.longitude - a.longitude, 360)
      func distance(_ share: Double) -> Double {
        let longitude = remainder(a.longitude + turn * share, 360)
        let latitude = a.latitude + (b.latitude - a.latitude) * share
        return Coordinate(latitude: latitude, longitude: longitude)
          .map { position.distance(to: $0) } ?? .infinity
      }
      let count = 32
      let best = (0...count).min {
        distance(Double($0) / Double(count)) < distance(Double($1) / Double(count))
      }
      var low = max(0, (Double(best ?? 0) - 1) / Double(count))
      var high = min(1, (Double(best ?? 0) + 1) / Double(count))
      guard distance((low + high) / 2) < least + (high - low) * 4e5 else { continue }
      for _ in 0..<45 {
        let (first, second) = (low + (high - low) * 0.382, low + (high - low) * 0.618)
        if distance(first) < distance(second) { high = second } else { low = first }
      }
      least = min(least, distance((low + high) / 2))
    }
  }
  return least
}

@Suite struct `The distance to an edge` {
  @Test(arguments: RandomShapes.Place.allCases)
  func `of polygons is that along the ellipsoid, to a millimetre`(place: RandomShapes.Place)
    throws
  {
    var shapes = RandomShapes(seed: 4711)
    for _ in 0..<25 {
      let given = shapes.polygons(place)
      let polygon = try PolygonalGeographicCondition(coordinates: given)
      let condition = PreparedCondition(try Condition(shape: .polygon(polygon)))
      let vertices = given.joined().joined().map(\.self)
      for _ in 0..<4 {
        let near = vertices[Int(shapes.number(0...Double(vertices.count - 1)))]
        let start = try #require(
          Coordinate(latitude: near.latitude, longitude: remainder(near.longitude, 360)))
        let position = start.moved(
          by: shapes.magnitude(0.1...30_000), bearing: shapes.number(0...360))
        let found = abs(condition.signedDistance(to: position))
        let expected = leastDistance(from: position, to: given.flatMap(\.self))
        #expect(abs(found - expected) < 0.001, "\(position) \(given)")
      }
    }
  }

  @Test(arguments: RandomShapes.Place.allCases)
  func `of corridors is that to the line less half the width`(place: RandomShapes.Place) throws {
    var shapes = RandomShapes(seed: 815)
    for _ in 0..<25 {
      let given = shapes.lines(place, size: shapes.magnitude(0.0005...1))
      let width = shapes.magnitude(2...2000)
      let corridor = try CorridorGeographicCondition(
        coordinates: given.map {
          $0.map {
            Position(longitude: remainder($0.longitude, 360), latitude: $0.latitude)
          }
        }, width: width)
      let condition = PreparedCondition(try Condition(shape: .corridor(corridor)))
      let vertices = given.joined().map(\.self)
      for _ in 0..<4 {
        let near = vertices[Int(shapes.number(0...Double(vertices.count - 1)))]
        let start = try #require(
          Coordinate(latitude: near.latitude, longitude: remainder(near.longitude, 360)))
        let position = start.moved(
          by: shapes.magnitude(0.1...30_000), bearing: shapes.number(0...360))
        let found = condition.signedDistance(to: position)
        let expected = leastDistance(from: position, to: given) - width / 2
        #expect(abs(found - expected) < 0.001, "\(position) \(given)")
      }
    }
  }

  @Test(arguments: RandomShapes.Place.allCases)
  func `of polygons is within a circle that isn't much too large`(place: RandomShapes.Place) throws
  {
    var shapes = RandomShapes(seed: 42)
    for _ in 0..<50 {
      let polygon = try PolygonalGeographicCondition(coordinates: shapes.polygons(place))
      let shape = PreparedShape(.polygon(polygon))
      let (center, chord) = try #require(shape.surroundings)
      let middle = GeocentricPoint(center)
      var farthest = 0.0
      for ring in polygon.polygons.joined() {
        for (a, b) in zip(ring, ring.dropFirst())
        where abs(a.longitude) < 180 || a.longitude != b.longitude {
          for share in stride(from: 0, through: 1, by: 0.125) {
            let point = GeocentricPoint(
              longitude: a.longitude + (b.longitude - a.longitude) * share,
              latitude: a.latitude + (b.latitude - a.latitude) * share)
            farthest = max(farthest, point.squaredDistance(to: middle).squareRoot())
          }
        }
      }
      #expect(chord >= farthest - 1e-6)
      // Beside a pole edges of many degrees bend.
      if place == .anywhere || place == .antimeridian { #expect(chord <= farthest * 1.05 + 1) }
    }
  }

  /// A parallel isn't the shortest way: at 60° north, one of 10° of longitude bends by 6 km.
  @Test func `of a long edge is that to the line that is straight on the map`() throws {
    let polygon = try PolygonalGeographicCondition(
      coordinates: [[[(0, 60), (10, 60), (10, 70), (0, 70), (0, 60)].map(position)]])
    let condition = try Condition(shape: .polygon(polygon))
    for (latitude, sign) in [(59.99, 1.0), (60.01, -1)] {
      let place = try #require(Coordinate(latitude: latitude, longitude: 5.0001))
      let below = try #require(Coordinate(latitude: 60, longitude: 5.0001))
      #expect(
        abs(condition.signedDistance(to: place) - sign * place.distance(to: below)) < 0.001)
    }
  }

  @Test func `is no distance to where a shape was cut, nor to a pole's latitude`() throws {
    let polygon = try PolygonalGeographicCondition(
      coordinates: [[[(170, -10), (190, -10), (190, 10), (170, 10), (170, -10)].map(position)]])
    let condition = try Condition(shape: .polygon(polygon))
    for longitude in [180.0, -180, 179.9999, -179.9999] {
      let place = try #require(Coordinate(latitude: 0, longitude: longitude))
      #expect(condition.signedDistance(to: place) < -1_000_000)
    }
    let cap = try PolygonalGeographicCondition(
      coordinates: [[[(0, 80), (120, 80), (-120, 80), (0, 80)].map(position)]])
    let north = try Condition(shape: .polygon(cap))
    for (latitude, longitude) in [(90.0, 0.0), (90, 180), (89.9, 180), (89.9, -77)] {
      let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
      #expect(north.signedDistance(to: place) < -1_000_000)
    }
  }

  /// Only one half reaches so far north along the antimeridian: there it has an edge.
  @Test func `is a distance to where only one side of the antimeridian belongs to it`() throws {
    let polygon = try PolygonalGeographicCondition(coordinates: [
      [[(170, 0), (180, 0), (180, 20), (170, 20), (170, 0)].map(position)],
      [[(-180, 0), (-170, 0), (-170, 10), (-180, 10), (-180, 0)].map(position)],
    ])
    let condition = try Condition(shape: .polygon(polygon))
    let inside = try #require(Coordinate(latitude: 15, longitude: 179.99))
    let seam = try #require(Coordinate(latitude: 15, longitude: 180))
    #expect(abs(condition.signedDistance(to: inside) + inside.distance(to: seam)) < 0.001)
    let outside = try #require(Coordinate(latitude: 15, longitude: -179.99))
    #expect(abs(condition.signedDistance(to: outside) - outside.distance(to: seam)) < 0.001)
    let joint = try #require(Coordinate(latitude: 5, longitude: 180))
    #expect(condition.signedDistance(to: joint) < -500_000)
  }
}

/// A position given as longitude and latitude.
func position(_ longitude: Double, _ latitude: Double) -> Position {
  Position(longitude: longitude, latitude: latitude)
}
