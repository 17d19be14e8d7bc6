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

  @Test func `where the receiver contradicts its last fix nothing is put there`() throws {
    var reply = Locations.Reply(location: nil)
    reply.location = .sample
    let doubt = Status.Doubt(
      reason: "impossibleSpeed", positions: 7, seconds: 6, distance: 39_000, believedAfter: 30)
    let told = reply
    let error = #expect(throws: CommandFailure.self) {
      try LocationsCommand.location(in: told, but: doubt)
    }
    #expect(
      error?.description
        == "no location: for 6 s the receiver has reported positions 39.0 km from its last fix, and either "
        + "may be wrong; try again when 'geofenced ctl status' shows no doubt any more, or give --lat "
        + "and --lon")
    var single = doubt
    single.positions = 1
    let strayed = try LocationsCommand.location(in: reply, but: single)
    #expect(strayed == .sample)
    // Where only its clock has stepped back it is where it was.
    var ofClock = doubt
    (ofClock.reason, ofClock.distance) = ("notNewer", 3)
    let here = try LocationsCommand.location(in: reply, but: ofClock)
    let sure = try LocationsCommand.location(in: reply, but: nil)
    #expect(here == .sample && sure == .sample)
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
