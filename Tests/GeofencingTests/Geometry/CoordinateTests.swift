import Foundation
import Testing

@testable import Geofencing

@Suite struct `A coordinate` {
  @Test(arguments: [
    (0.0, 0.0), (90, 180), (-90, -180), (-0.0, 0.0), (37.5665, 126.978),
    (90, .leastNonzeroMagnitude),
  ])
  func `is within the ranges of latitude and longitude`(latitude: Double, longitude: Double) throws
  {
    let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
    #expect(coordinate.latitude == latitude)
    #expect(coordinate.longitude == longitude)
  }

  @Test(arguments: [
    (90.0.nextUp, 0.0, ConditionError.latitudeOutOfRange(90.0.nextUp)),
    (-91, 0, .latitudeOutOfRange(-91)), (0, 180.0.nextUp, .longitudeOutOfRange(180.0.nextUp)),
    (0, -540, .longitudeOutOfRange(-540)), (.infinity, 0, .latitudeOutOfRange(.infinity)),
    (0, -.infinity, .longitudeOutOfRange(-.infinity)), (91, 181, .latitudeOutOfRange(91)),
  ])
  func `is refused beyond them, with the number that is wrong`(
    latitude: Double, longitude: Double, error: ConditionError
  ) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    #expect(throws: error) {
      try Coordinate(validLatitude: latitude, longitude: longitude)
    }
  }

  @Test func `is refused when it is not a number`() {
    #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: .nan) == nil)
    let error = #expect(throws: ConditionError.self) {
      try Coordinate(validLatitude: 0, longitude: .nan)
    }
    #expect(error?.description == "longitude nan is out of range: give degrees from -180 to 180")
  }

  @Test func `is refused in JSON as elsewhere`() {
    #expect(throws: ConditionError.latitudeOutOfRange(91)) {
      try JSONDecoder().decode(
        Coordinate.self, from: Data(#"{"latitude":91,"longitude":0}"#.utf8))
    }
  }

  struct Geodesic: CustomTestStringConvertible {
    let from: (Double, Double)
    let to: (Double, Double)
    let length: Double
    let precision: Double
    var testDescription: String { "\(from) to \(to)" }
  }

  // Published results: the test cases of GeographicLib (its names in the comments; the first are
  // exact to 1e-8 m there), and the examples of its documentation
  // (https://geographiclib.sourceforge.io). Longitudes beyond 180 are brought into the range.
  static let published = [
    // geodtest, lines 1, 2, 5, 9 and 15 of the table
    Geodesic(
      from: (35.60777, -139.44815), to: (-11.17491, -69.95921), length: 8935244.5604818305,
      precision: 1e-7),
    Geodesic(
      from: (55.52454, 106.05087), to: (77.03196, 197.18234 - 360), length: 4105086.1713924406,
      precision: 1e-7),
    Geodesic(
      from: (-17.42761, 173.34268), to: (-15.84784, 5.93557), length: 16076603.1631180673,
      precision: 1e-7),
    Geodesic(
      from: (-58.93002, -8.90775), to: (-8.91104, 133.13503), length: 11756066.0219864627,
      precision: 1e-7),
    Geodesic(
      from: (-87.85331, 85.66836), to: (66.48646, 16.09921), length: 17286615.3147144645,
      precision: 1e-7),
    // GeodSolve4: a very short line
    Geodesic(
      from: (36.493349428792, 0), to: (36.49334942879201, 0.0000008), length: 0.072,
      precision: 0.5e-3),
    // GeodSolve6, 9, 10, 11: nearly antipodal
    Geodesic(
      from: (88.202499451857, 0), to: (-88.202499451857, 179.981022032992859592),
      length: 20003898.214, precision: 0.5e-3),
    Geodesic(
      from: (56.320923501171, 0), to: (-56.320923501171, 179.664747671772880215),
      length: 19993558.287, precision: 0.5e-3),
    Geodesic(
      from: (52.784459512564, 0), to: (-52.784459512563990912, 179.634407464943777557),
      length: 19991596.095, precision: 0.5e-3),
    Geodesic(
      from: (48.522876735459, 0), to: (-48.52287673545898293, 179.599720456223079643),
      length: 19989144.774, precision: 0.5e-3),
    // GeodSolve29: across the antimeridian
    Geodesic(from: (0, 179), to: (0, -179), length: 222_639, precision: 0.5),
    // GeodSolve33: along and off the equator, antipodes
    Geodesic(from: (0, 0), to: (0, 179), length: 19_926_189, precision: 0.5),
    Geodesic(from: (0, 0), to: (0, 179.5), length: 19_980_862, precision: 0.5),
    Geodesic(from: (0, 0), to: (0, 180), length: 20_003_931, precision: 0.5),
    Geodesic(from: (0, 0), to: (1, 180), length: 19_893_357, precision: 0.5),
    // Wellington to Salamanca, the first example of the documentation
    Geodesic(from: (-41.32, 174.81), to: (40.96, -5.50), length: 19959679.267, precision: 0.5e-3),
    // Pole to pole is half a meridian: 20003931.4586 m on WGS84
    Geodesic(from: (90, 12), to: (-90, -77), length: 20003931.4586, precision: 1e-4),
  ]

  @Test(arguments: published)
  func `is as far from another as has been published`(geodesic: Geodesic) throws {
    let a = try #require(Coordinate(latitude: geodesic.from.0, longitude: geodesic.from.1))
    let b = try #require(Coordinate(latitude: geodesic.to.0, longitude: geodesic.to.1))
    #expect(abs(a.distance(to: b) - geodesic.length) <= geodesic.precision)
    #expect(abs(b.distance(to: a) - geodesic.length) <= geodesic.precision)
  }

  @Test func `is at no distance from itself by another name`() throws {
    let pole = try #require(Coordinate(latitude: 90, longitude: 0))
    #expect(pole.distance(to: try #require(Coordinate(latitude: 90, longitude: 135))) < 1e-8)
    let east = try #require(Coordinate(latitude: 52, longitude: 180))
    #expect(east.distance(to: try #require(Coordinate(latitude: 52, longitude: -180))) < 1e-8)
    #expect(east.distance(to: east) == 0)
  }

  /// The direct problem: GeodSolve1 and the second example of the documentation.
  @Test(arguments: [
    (40.63972222, -73.77888889, 53.5, 5850e3, 49.01467, 2.56106, 0.5e-5),
    (-32.06, 115.74, 225, 20000e3, 32.11195529, -63.95925278, 0.5e-8),
  ])
  func `reaches another by direction and distance`(
    latitude: Double, longitude: Double, bearing: Double, metres: Double, endLatitude: Double,
    endLongitude: Double, precision: Double
  ) throws {
    let end = try #require(Coordinate(latitude: latitude, longitude: longitude))
      .moved(by: metres, bearing: bearing)
    #expect(abs(end.latitude - endLatitude) <= precision)
    #expect(abs(end.longitude - endLongitude) <= precision)
  }

  @Test(arguments: [0.0, 45, 90, 179, 270])
  func `moved over the antimeridian and the pole stays a coordinate`(bearing: Double) throws {
    for (latitude, longitude) in [(0.0, 180.0), (89.9999, 10), (-90, 0), (52, -180)] {
      let start = try #require(Coordinate(latitude: latitude, longitude: longitude))
      let end = start.moved(by: 5000, bearing: bearing)
      #expect(abs(start.distance(to: end) - 5000) < 1e-6)
      #expect((-180...180).contains(end.longitude))
    }
  }

  @Test(arguments: [
    // ends east and north of the point in metres, and the shortest distance to the way between
    (-100.0, 30.0, 100.0, 30.0, 30.0), (10, 40, 90, 40, hypot(10, 40)), (0, 5, 0, 5, 5),
    (-1000, -1000, 1000, 1000, 0), (-9000, 200, 9000, 200, 200),
  ])
  func `is as near to a way as plane geometry says`(
    east1: Double, north1: Double, east2: Double, north2: Double, distance: Double
  ) throws {
    for (latitude, longitude) in [(47.0, 8.0), (-33, 179.9999), (80, 0)] {
      let point = try #require(Coordinate(latitude: latitude, longitude: longitude))
      let found = point.distance(
        toWayFrom: point.moved(east: east1, north: north1),
        to: point.moved(east: east2, north: north2))
      #expect(abs(found - distance) < 0.01)
    }
  }

  @Test(arguments: [
    ("54:19.5N", 54.325, Coordinate.Axis.latitude), ("54°19.5'N", 54.325, .latitude),
    ("54° 19′ 30″ N", 54.325, .latitude), ("54 19.5 N", 54.325, .latitude),
    ("S 33 51 36", -33.86, .latitude), ("-33:51.6", -33.86, .latitude),
    ("151d12.6'W", -151.21, .longitude), ("010°08.4’E", 10.14, .longitude),
  ])
  func `is read as charts and plotters write its numbers`(
    text: String, degrees: Double, axis: Coordinate.Axis
  ) throws {
    #expect(abs(try #require(Coordinate.degrees(text, axis)) - degrees) < 1e-12)
  }

  @Test(arguments: [
    "10,5", "10.5N", "10:60.5E", "10:19.5X", "10::19", "10 19 30 12", "10+5", "10–5", "10E+5",
    "nan", "nan0", "1.#inf", "-10E", "-10W",
    "infE", "", "E", "5\0E", String(repeating: "1", count: 65),
  ])
  func `is no longitude in texts that tell none`(text: String) {
    #expect(Coordinate.degrees(text, .longitude) == nil)
  }
}
