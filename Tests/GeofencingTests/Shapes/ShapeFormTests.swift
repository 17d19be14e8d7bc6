import JSONCoding
import TestSupport
import Testing

@testable import Geofencing

@Suite struct `A polygon's form` {
  private func form(_ polygons: [[[(Double, Double)]]]) throws -> [[[Position]]] {
    try PolygonalGeographicCondition(
      coordinates: polygons.map { $0.map { $0.map { position($0.0, $0.1) } } }
    ).coordinates
  }

  private func positions(_ polygons: [[[(Double, Double)]]]) -> [[[Position]]] {
    polygons.map { $0.map { $0.map { position($0.0, $0.1) } } }
  }

  private static let square = [(0.0, 0.0), (10, 0), (10, 10), (0, 10), (0, 0)]

  @Test func `is right-handed, whichever way it was given`() throws {
    let hole = [(2.0, 2.0), (2, 4), (4, 4), (4, 2), (2, 2)]
    let right = positions([[Self.square, hole]])
    #expect(try form([[Self.square, hole]]) == right)
    #expect(try form([[Self.square.reversed(), hole.reversed()]]) == right)
  }

  @Test func `has no position twice in a row, and no zero below zero`() throws {
    let given = [(-0.0, 0.0), (-0.0, 0), (10, 0), (10, 10), (10, 10), (0, 10), (0, 0)]
    let found = try form([[given]])
    #expect(found == positions([[Self.square]]))
    #expect(found[0][0].allSatisfy { $0.longitude.sign == .plus })
  }

  @Test(arguments: [
    [(170.0, 0.0), (190, 0), (190, 10), (170, 10), (170, 0)],
    [(170, 0), (-170, 0), (-170, 10), (170, 10), (170, 0)],
    [(-190, 0), (-170, 0), (-170, 10), (-190, 10), (-190, 0)],
    [(170, 10), (-170, 10), (-170, 0), (170, 0), (170, 10)],
    [(170, 0), (180, 0), (-180, 0), (-170, 0), (-170, 10), (170, 10), (170, 0)],
  ])
  func `is cut where it crosses the antimeridian`(ring: [(Double, Double)]) throws {
    let found = try form([[ring]])
    #expect(found.count == 2)
    let east: [(Double, Double)] = [(170, 0), (180, 0), (180, 10), (170, 10)]
    let west: [(Double, Double)] = [(-180, 0), (-170, 0), (-170, 10), (-180, 10)]
    let expected = [east, west].map { part in Set(part.map { position($0.0, $0.1) }) }
    #expect(Set(found.map { Set($0[0]) }) == Set(expected))
  }

  @Test(arguments: [
    [(170.0, 0.0), (180, 0), (-180, 0), (-180, 10), (180, 10), (170, 10), (170, 0)],
    [(-180, 60), (-90, 60), (0, 60), (90, 60), (180, 60), (-180, 60)],
  ])
  func `has no position on the antimeridian twice in a row, and stays as it is`(
    ring: [(Double, Double)]
  ) throws {
    let found = try form([[ring]])
    #expect(zip(found[0][0], found[0][0].dropFirst()).allSatisfy { $0 != $1 })
    #expect(try PolygonalGeographicCondition(coordinates: found).coordinates == found)
  }

  @Test func `is moved when it lies beyond the antimeridian, and not cut there`() throws {
    #expect(
      try form([[[(190, 0), (200, 0), (200, 5), (190, 0)]]])
        == positions([[[(-170, 0), (-160, 0), (-160, 5), (-170, 0)]]]))
  }

  @Test func `is closed along the pole that it goes around`() throws {
    #expect(
      try form([[[(0, 80), (120, 80), (-120, 80), (0, 80)]]])
        == positions([
          [
            [
              (-180, 80), (-120, 80), (0, 80), (120, 80), (180, 80), (180, 90), (-180, 90),
              (-180, 80),
            ]
          ]
        ]))
    // The ring begins on the antimeridian, and ends on its other side.
    #expect(
      try form([[[(-180, 80), (-90, 80), (0, 80), (90, 80), (180, 80)]]])
        == positions([
          [
            [
              (-180, 80), (-90, 80), (0, 80), (90, 80), (180, 80), (180, 90), (-180, 90),
              (-180, 80),
            ]
          ]
        ]))
    #expect(
      try form([[[(0, -80), (-120, -80), (120, -80), (0, -80)]]])[0][0].contains(position(180, -90))
    )
  }

  @Test(arguments: [1.0, -1], [false, true])
  func `with a hole around the same pole leads to that and back`(
    pole: Double, isReversed: Bool
  ) throws {
    let outer = [(0.0, 80 * pole), (120, 80 * pole), (-120, 80 * pole), (0, 80 * pole)]
    let hole = [(30.0, 85 * pole), (150, 85 * pole), (-90, 85 * pole), (30, 85 * pole)]
    let aside = [(0.0, 82 * pole), (5, 82 * pole), (5, 83 * pole), (0, 82 * pole)]
    let found = try form([[outer, isReversed ? hole.reversed() : hole, aside]])
    #expect(found.map(\.count) == [2])
    #expect(found[0][0].allSatisfy { abs($0.latitude) < 86 })
    #expect(try PolygonalGeographicCondition(coordinates: found).coordinates == found)
    let band = PreparedShape(.polygon(try PolygonalGeographicCondition(coordinates: found)))
    func distance(_ longitude: Double, _ latitude: Double) throws -> Double {
      let place = try Coordinate(validLatitude: latitude * pole, longitude: longitude)
      return band.signedDistance(to: place)
    }
    for longitude in [-180.0, -179.9, 179.9, 180] {
      #expect(try distance(longitude, 84) < -50_000)
      #expect(try distance(longitude, 88) > 50_000 && distance(longitude, 75) > 50_000)
    }
    #expect(try distance(3, 82.4) > 0 && distance(10, 82.4) < 0)
    // What has a larger hole than itself is nothing.
    #expect(throws: ConditionError.self) { try form([[hole, outer]]) }
  }

  @Test(arguments: [
    [(160.0, -60.0), (-150, -60), (-150, -90), (160, -90), (160, -60)],
    [(160, -60), (180, -60), (-150, -60), (-150, -90), (160, -90), (160, -60)],
    [(-150, -90), (160, -90), (160, -60), (-150, -60), (-150, -90)],
    [(160, -60), (210, -60), (210, -90), (160, -90), (160, -60)],
  ])
  func `of a sector to a pole goes the short way across the antimeridian`(
    ring: [(Double, Double)]
  ) throws {
    let sector = PreparedShape(
      .polygon(
        try PolygonalGeographicCondition(coordinates: [[ring.map { position($0.0, $0.1) }]])))
    func isInside(_ longitude: Double, _ latitude: Double) throws -> Bool {
      let place = try Coordinate(validLatitude: latitude, longitude: longitude)
      return sector.signedDistance(to: place) < 0
    }
    #expect(try isInside(166.7, -77.8) && isInside(-155, -89) && isInside(180, -61))
    #expect(try !isInside(-8.3, -70.65) && !isInside(10, -89.9) && !isInside(159, -75))
  }

  @Test(arguments: [
    [(-180.0, -90.0), (180, -90), (180, 90), (-180, 90), (-180, -90)],
    [(-180, 10), (180, 10), (180, 20), (-180, 20), (-180, 10)],
    [(-180, 60), (180, 60), (180, 90), (-180, 90), (-180, 60)],
    [(-180, -90), (180, -90), (180, -60), (0, -70), (-180, -60), (-180, -90)],
    [(-180, 60), (-60, 50), (60, 55), (180, 60), (180, 90), (-180, 90), (-180, 60)],
    [(-179, -90), (179, -90), (179, -60), (60, -60), (-60, -60), (-179, -60), (-179, -90)],
    [(170, 0), (180, 0), (180, 10), (170, 0)],
  ])
  func `stays as it is where it was cut`(ring: [(Double, Double)]) throws {
    #expect(try form([[ring]]) == positions([[ring]]))
  }

  @Test func `keeps long edges of a cap that was cut at the antimeridian`() throws {
    let cap = [(-180.0, 60.0), (-60, 50), (180, 55), (180, 90), (-180, 90), (-180, 60)]
    #expect(try form([[cap]])[0][0].contains(position(-60, 50)))
  }

  /// Natural Earth's borders have such numbers.
  @Test
  func `isn't turned inside out, or refused, by what rounding moved beyond the edge of the map`()
    throws
  {
    let beyond = 180.00000000000014
    let ring = [(170.0, 0.0), (beyond, -1), (-170, 0), (-170, 5), (170, 5), (170, 0)]
    let exact = ring.map { ($0.0 == beyond ? 180 : $0.0, $0.1) }
    #expect(try form([[ring]]) == form([[exact]]))
    let halves: [[(Double, Double)]] = [
      [(170.0, 0.0), (beyond, 0), (beyond, 5), (170, 0)],
      [(-180, 0), (-170, 0), (-180, 5), (-180, 0)],
    ]
    #expect(try form(halves.map { [$0] }).count == 2)
    let south = [
      (-beyond, -90.00000000000003), (beyond, -90.00000000000003), (beyond, -80), (0, -70),
      (-beyond, -80),
      (-beyond, -90.00000000000003),
    ]
    #expect(
      try form([[south]])
        == positions([
          [[(-180, -90), (180, -90), (180, -80), (0, -70), (-180, -80), (-180, -90)]]
        ]))
    // More than rounding is meant.
    #expect(try form([[[(170, 0), (180.001, 0), (180.001, 5), (170, 0)]]]).count == 2)
  }

  @Test(arguments: [
    [(0.0, -60.0), (360, -60), (360, 60), (0, 60), (0, -60)],
    [(-10, -60), (350, -60), (350, 60), (-10, 60), (-10, -60)],
  ])
  func `goes once around the globe from wherever it begins`(ring: [(Double, Double)]) throws {
    let found = try form([[ring]])
    #expect(found.count == 1 && found[0].count == 1)
    let xs = found[0][0].map(\.longitude)
    #expect(xs.min() == -180 && xs.max() == 180)
    let band = try PolygonalGeographicCondition(coordinates: found)
    for longitude in [-180.0, -90, -10, -0.001, 0, 0.001, 90, 180] {
      for (latitude, isInside) in [(0.0, true), (59, true), (61, false), (-61, false)] {
        let there = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let condition = try Condition(shape: .polygon(band))
        #expect((condition.signedDistance(to: there) < 0) == isInside)
      }
    }
  }

  @Test(arguments: RandomShapes.Place.allCases)
  func `is the same when it is read again, byte for byte`(place: RandomShapes.Place) throws {
    var shapes = RandomShapes(seed: 99)
    for _ in 0..<100 {
      let first = try Condition(
        shape: .polygon(PolygonalGeographicCondition(coordinates: shapes.polygons(place))))
      let written = try CanonicalJSON.text(first)
      let second = try CanonicalJSON.decode(Condition.self, from: written.utf8)
      #expect(second == first)
      #expect(try CanonicalJSON.text(second) == written)
      guard case .polygon(let polygon) = first.shape else { continue }
      #expect(try PolygonalGeographicCondition(valid: polygon.polygons) == polygon)
    }
  }

  @Test func `isn't checked again when our own database says it`() throws {
    let crossed = """
      {"polygon":{"coordinates":[[[[0,0],[10,8],[10,0],[0,10],[0,0]]]]}}
      """
    #expect(throws: ConditionError.self) {
      _ = try CanonicalJSON.decode(Condition.self, from: crossed.utf8)
    }
    let ring = try [(0.0, 0.0), (10, 8), (10, 0), (0, 10), (0, 0)].map {
      try Coordinate(validLatitude: $0.1, longitude: $0.0)
    }
    #expect(try PolygonalGeographicCondition(valid: [[ring]]).vertexCount == 4)
  }

  @Test func `of a corridor goes the short way across the antimeridian`() throws {
    let corridor = try CorridorGeographicCondition(
      coordinates: [[position(179, 0), position(179, 0), position(181, 0), position(-178, 0)]],
      width: 1000)
    #expect(
      corridor.coordinates == [[position(179, 0), position(-179, 0), position(-178, 0)]])
    let condition = try Condition(shape: .corridor(corridor))
    let inside = try #require(Coordinate(latitude: 0.004, longitude: 180))
    #expect(abs(condition.signedDistance(to: inside) - (442.297 - 500)) < 0.01)
    let outside = try #require(Coordinate(latitude: 0, longitude: 0))
    #expect(condition.signedDistance(to: outside) > 19_000_000)
  }
}
