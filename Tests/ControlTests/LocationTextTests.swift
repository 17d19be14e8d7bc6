import ControlInterface
import Geofencing
import Testing

@testable import GeofenceCommands

/// What `ctl locations` says to a person.
struct LocationTextTests {
  @Test(arguments: [
    (
      Locations.Reply(location: nil),
      "No location: the receiver has no usable fix; 'geofenced ctl status' says more"
    ),
    (
      Locations.Reply(location: nil, accuracyLimited: true),
      "No location: the receiver's fixes are too inaccurate, see MaximumAccuracy= in "
        + "geofenced.conf(5)"
    ),
    (
      Locations.Reply(location: nil, receiverDisconnected: true),
      "No location: the receiver can't be reached; 'geofenced ctl status' says why"
    ),
    (
      {
        var reply = Locations.Reply(location: nil)
        reply.disconnection = "gpsd has no receiver: is it plugged in?"
        return reply
      }(), "No location: gpsd has no receiver: is it plugged in?"
    ),
  ])
  func `a location that is missing is told with the reason`(reply: Locations.Reply, text: String) {
    #expect(LocationsCommand.text(reply, in: .utc) == text)
  }

  @Test func `a location is told with all that is known of it`() {
    var reply = Locations.Reply(location: nil)
    reply.location = .sample
    let line =
      "2026-05-04T08:01:51.000Z  48.2000123 16.3123456  ±4.2 m  14.0 m/s  90.0°  171.0 m high"
    #expect(LocationsCommand.text(reply, in: .utc) == line)
    var beside = reply
    beside.location?.latitude = -1.5e-7
    beside.location?.longitude = 0.00005
    #expect(LocationsCommand.text(beside, in: .utc).contains("  -0.00000015 0.00005  "))
    reply.location?.simulated = true
    reply.stationary = true
    #expect(LocationsCommand.text(reply, in: .utc) == line + "  stationary  (simulated)")
    reply.paused = true
    reply.dropped = 3
    #expect(
      LocationsCommand.text(reply, in: .utc)
        == line + "  stationary, paused until it moves  (simulated)  (3 missed before)")
  }
}
