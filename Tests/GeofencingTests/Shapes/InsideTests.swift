import Foundation
import Geofencing
import PlanarGeometry
import TestSupport
import Testing

/// How many points are drawn: a million with `GEOFENCED_POINTS=1000000`, in a release build.
private let pointCount =
  ProcessInfo.processInfo.environment["GEOFENCED_POINTS"].flatMap { Int($0) } ?? 60_000

@Suite struct `Inside and outside` {
  @Test(arguments: RandomShapes.Place.allCases)
  func `are what GEOS says, a millimetre from the edge and farther`(place: RandomShapes.Place)
    throws
  {
    var shapes = RandomShapes(seed: 2_026_1121)
    let shapeCount = 100
    let points = pointCount / RandomShapes.Place.allCases.count / shapeCount
    var inside = 0
    for _ in 0..<shapeCount {
      let given = shapes.polygons(place)
      let polygon = try PolygonalGeographicCondition(coordinates: given)
      let prepared = PreparedCondition(try Condition(shape: .polygon(polygon)))
      let planar = polygon.polygons.map {
        $0.map { $0.map { PlanarPoint(x: $0.longitude, y: $0.latitude) } }
      }
      let second = try PreparedPolygons(planar)
      let vertices = polygon.polygons.joined().joined().map(\.self)
      for index in 0..<points {
        // Half of them around the shape, half close to a vertex.
        let vertex = vertices[index % vertices.count]
        let spread = index.isMultiple(of: 2) ? 1.0 : shapes.magnitude(1e-9...1)
        let other = vertices[Int(shapes.number(0...Double(vertices.count - 1)))]
        let latitude =
          vertex.latitude + (other.latitude - vertex.latitude) * shapes.number(-0.2...1) * spread
        let longitude =
          vertex.longitude + (other.longitude - vertex.longitude) * shapes.number(-0.2...1) * spread
        // On the globe, neither the antimeridian nor a pole's latitude is an edge; in the plane it is.
        guard let position = Coordinate(latitude: latitude, longitude: longitude),
          abs(longitude) < 180, abs(latitude) < 90
        else { continue }
        let distance = prepared.signedDistance(to: position)
        guard abs(distance) > 0.001 else { continue }
        let isInside = second.contains(
          PlanarPoint(x: position.longitude, y: position.latitude))
        if isInside { inside += 1 }
        if (distance < 0) != isInside {
          Issue.record("\(position) at \(distance): GEOS says \(isInside)\n\(given)")
          return
        }
      }
    }
    // Neither side is all there is.
    #expect(inside > points * shapeCount / 20 && inside < points * shapeCount * 19 / 20)
  }

  /// What GEOS is asked for above are the shapes as they were cut; here, as they were given.
  @Test func `are the same for what is given uncut`() throws {
    var shapes = RandomShapes(seed: 7)
    for _ in 0..<60 {
      let given = shapes.polygons(.antimeridian)
      let polygon = try PolygonalGeographicCondition(coordinates: given)
      let shape = try Condition(shape: .polygon(polygon))
      let uncut = try PreparedPolygons(
        given.map { $0.map { $0.map { PlanarPoint(x: $0.longitude, y: $0.latitude) } } })
      let prepared = PreparedCondition(shape)
      let vertices = given.joined().joined().map(\.self)
      for _ in 0..<100 {
        let (a, b) = (
          vertices[Int(shapes.number(0...Double(vertices.count - 1)))],
          vertices[Int(shapes.number(0...Double(vertices.count - 1)))]
        )
        let point = PlanarPoint(
          x: a.longitude + (b.longitude - a.longitude) * shapes.number(0...1),
          y: a.latitude + (b.latitude - a.latitude) * shapes.number(0...1))
        let position = try #require(
          Coordinate(latitude: point.y, longitude: remainder(point.x, 360)))
        let distance = prepared.signedDistance(to: position)
        if abs(distance) > 0.001 { #expect((distance < 0) == uncut.contains(point)) }
      }
    }
  }
}
