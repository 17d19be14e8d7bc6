import TestSupport
import Testing

@testable import Geofencing

/// What lies near, against GeographicLib's geodesic.
struct VicinityTests {
  /// Positions all over the globe, near the poles and the antimeridian too.
  private static func position(_ number: Int, _ random: inout SplitMix64) -> Coordinate? {
    let nearPole = 90 - Double.random(in: 0...0.01, using: &random)
    let latitude =
      switch number % 8 {
      case 0: nearPole
      case 1: -nearPole
      case 2: [90.0, -90, 0][number / 8 % 3]
      default: Double.random(in: -90...90, using: &random)
      }
    return Coordinate(
      latitude: latitude,
      longitude: number % 5 == 0 ? 180 : .random(in: -180...180, using: &random))
  }

  @Test func `ways and positions are those of the geodesic`() throws {
    var random = SplitMix64(seed: 7)
    var worst = (way: 0.0, position: 0.0)
    for number in 0..<20_000 {
      let start = try #require(Self.position(number, &random))
      let length = Double.random(in: 0...999, using: &random)
      let bearing = Double.random(in: 0...360, using: &random)
      let end = start.moved(by: length, bearing: bearing)
      let vicinity = Vicinity(of: start)
      let exact = Vector(length: length, bearing: bearing)
      let way = try #require(vicinity.vector(to: end))
      worst.way = max(worst.way, (way - exact).length)
      let found = try #require(vicinity.position(at: exact))
      worst.position = max(worst.position, end.distance(to: found))
    }
    #expect(worst.way < 3e-8)
    #expect(worst.position < 3e-8)
  }

  @Test func `nothing is found beyond its reach`() throws {
    let start = try #require(Coordinate(latitude: 48, longitude: 180))
    #expect(Vicinity(of: start).vector(to: start.moved(by: 1001, bearing: 70)) == nil)
    #expect(Vicinity(of: start).position(at: Vector(length: 1001, bearing: 70)) == nil)
    let opposite = try #require(Coordinate(latitude: -48, longitude: 0))
    #expect(Vicinity(of: start).vector(to: opposite) == nil)
  }
}
