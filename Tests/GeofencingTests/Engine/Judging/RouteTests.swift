import TestSupport
import Testing

@testable import Geofencing

/// The ways that the fixes which were judged last tell of.
struct RouteTests {
  private let deviations = Judgement.deviations(confidence: 0.98)

  /// A fix so many metres east and north of the centre, with a standard deviation of 3 m.
  private func place(_ east: Double, _ north: Double = 0) -> PositionEstimate {
    PositionEstimate(coordinate: centre.moved(east: east, north: north), sigma: 3)
  }

  private func past(_ fixes: [(Double, PositionEstimate)]) -> JudgedFixes {
    var past = JudgedFixes()
    for (second, estimate) in fixes {
      past.append(Location(timestamp: at(second), coordinate: estimate.coordinate), estimate)
    }
    return past
  }

  @Test func `what came before a way is no part of it`() {
    // Down another street, and around a corner.
    let before = (0..<3).map { (Double($0), place(0, 300 - 100 * Double($0))) }
    let past = past(before + [(3, place(0)), (4, place(100, 40))])
    let route = past.route(
      from: TimedEstimate(time: at(3), estimate: place(0)),
      to: Waypoint(time: at(5), estimate: place(200)), deviations: deviations)
    #expect(route.legs().map(\.span) == [.seconds(1), .seconds(1)])
    #expect(route.legs().first?.way.start == place(0))
  }

  /// Five fixes a second, of which the last ones reach three seconds back.
  @Test func `a way begins where it did, though later fixes are all that is remembered`() {
    let past = past((0..<50).map { (Double($0) / 5, place(2 * Double($0))) })
    let route = past.route(
      from: TimedEstimate(time: at(5), estimate: place(50)),
      to: Waypoint(time: at(10), estimate: place(100)), deviations: deviations)
    #expect(route.legs().first?.way.start == place(50))
  }

  /// The straight line between its ends is 125 m below the ground in the middle.
  @Test func `a long way leads through what is small in its middle`() throws {
    let way = Way(from: place(-40_000), to: place(40_000))
    let circle = try CircularGeographicCondition(center: centre, radius: 50)
    #expect(!way.misses(circle, at: GeocentricPoint(centre), by: Route.leastProbability))
  }
}
