import Geofencing
import Testing

@testable import GeofenceCommands

struct EventTextTests {
  @Test func `an event says between which times it happened`() throws {
    var transition = Event.sample(
      3, .entered, "default", "home", "2026-05-04T08:01:49.000Z", -12, after: .seconds(90)
    ).transition
    let earliest = try #require(Timestamp(rfc3339: "2026-05-04T07:00:00.000Z"))
    transition.bounds = earliest...transition.date
    transition.reason = .replaced
    let details = [
      "12 m inside", "between 2026-05-04T07:00:00.000Z and 2026-05-04T08:01:49.000Z",
      "after 1 min 30 s", "replaced",
    ]
    #expect(EventText.details(of: transition, in: .utc) == details)
    transition.location = Location(
      timestamp: transition.date, coordinate: try Coordinate(validLatitude: 48, longitude: 16))
    #expect(EventText.details(of: transition, in: .utc) == details)
    transition.location?.isSimulated = true
    #expect(EventText.details(of: transition, in: .utc) == details + ["simulated"])
  }
}
