import Geofencing
import Testing

@testable import GeofenceCommands

struct OwnerTextTests {
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
  func `so has the condition of an event`(viewer: UInt32?, name: String) {
    let event = Event.sample(3, .entered, "default", "home", "2026-05-04T08:01:49.000Z", -12)
    #expect(
      EventText.line(event, to: viewer, in: .utc)
        == "2026-05-04T08:01:49.000Z  #3     entered       \(name)  (12 m inside)\n")
  }
}
