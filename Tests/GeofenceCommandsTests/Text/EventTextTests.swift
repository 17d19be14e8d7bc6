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

  @Test func `a name has its owner in front where that is somebody else`() {
    #expect(OwnerText.prefix(1000, to: 0) == "1000:")
    #expect(OwnerText.prefix(0, to: 1000) == "0:")
    #expect(OwnerText.prefix(1000, to: 1000) == "")
    #expect(OwnerText.prefix(1000, to: nil) == "")
  }

  @Test(
    arguments: [
      (0, "1000:default/home"), (1000, "default/home"), (nil, "default/home"),
    ] as [(UInt32?, String)])
  func `the condition of an event has its owner in front, too`(viewer: UInt32?, name: String) {
    let event = Event.sample(3, .entered, "default", "home", "2026-05-04T08:01:49.000Z", -12)
    #expect(
      EventText.line(event, to: viewer, in: .utc)
        == "2026-05-04T08:01:49.000Z  #3     entered       \(name)  (12 m inside)\n")
  }
}
