import Testing

@testable import Geofencing

@Suite struct `A vector` {
  static let places = [
    (47.0, 8.0), (0, 0), (-33, 151), (0, 180), (10, -179.9999), (89.9999, 0), (-89.9999, 45),
    (90, 0), (-90, 120),
  ]

  @Test(arguments: [
    (0.0, 0.0, 2.0), (90, 2, 0), (180, 0, -2), (270, -2, 0), (360, 0, 2), (-90, -2, 0),
  ])
  func `has a direction in degrees from north`(bearing: Double, east: Double, north: Double) {
    let vector = Vector(length: 2, bearing: bearing)
    #expect(abs(vector.east - east) < 1e-12)
    #expect(abs(vector.north - north) < 1e-12)
    #expect(abs(vector.length - 2) < 1e-12)
  }

  @Test func `adds up, and grows`() {
    let (a, b) = (Vector(east: 1, north: 2), Vector(east: 3, north: -5))
    #expect(a + b == Vector(east: 4, north: -3))
    #expect(a - b == Vector(east: -2, north: 7))
    #expect(b * 2 == Vector(east: 6, north: -10))
    #expect(Vector(east: 3, north: 4).length == 5)
  }

  @Test func `turns clockwise`() {
    let turned = Vector(east: 0, north: 1).turned(by: 90)
    #expect(abs(turned.east - 1) < 1e-12)
    #expect(abs(turned.north) < 1e-12)
    #expect(Vector(east: 3, north: 4).turned(by: 0) == Vector(east: 3, north: 4))
  }

  @Test(arguments: places)
  func `leads to where it was taken from`(latitude: Double, longitude: Double) throws {
    let start = try #require(Coordinate(latitude: latitude, longitude: longitude))
    for bearing in [0.0, 45, 133, 271] {
      let end = start.moved(by: 250, bearing: bearing)
      let way = Vector(from: start, to: end)
      #expect(abs(way.length - 250) < 1e-6)
      #expect(start.moved(by: way).distance(to: end) < 1e-6)
    }
    #expect(start.moved(by: Vector()) == start)
    #expect(Vector(from: start, to: start).length == 0)
  }

  @Test(arguments: places)
  func `keeps its direction on the ground when north turns`(
    latitude: Double, longitude: Double
  ) throws {
    // On along the same geodesic: where the second half leads has to be where the whole does.
    let start = try #require(Coordinate(latitude: latitude, longitude: longitude))
    for bearing in [10.0, 95, 200, 290] {
      let whole = start.moved(by: 600, bearing: bearing)
      let middle = start.moved(by: 300, bearing: bearing)
      let half = Vector(length: 300, bearing: bearing)
        .turned(by: start.convergence(to: middle))
      #expect(middle.moved(by: half).distance(to: whole) < 1)
    }
  }

  @Test func `turns with the meridians, also across the antimeridian`() throws {
    let west = try #require(Coordinate(latitude: 60, longitude: 179.5))
    let east = try #require(Coordinate(latitude: 60, longitude: -179.5))
    #expect(abs(west.convergence(to: east) - 0.866_025) < 1e-5)
    #expect(abs(east.convergence(to: west) + 0.866_025) < 1e-5)
    let equator = try #require(Coordinate(latitude: 0, longitude: 10))
    let further = try #require(Coordinate(latitude: 0, longitude: 11))
    #expect(equator.convergence(to: further) == 0)
  }
}
