import ControlInterface
import Geofencing
import Testing

@testable import GeofenceCommands

/// What `ctl locations` says where there is no location.
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
      "No location: the receiver can't be reached"
    ),
  ])
  func `a location that is missing is told with the reason`(reply: Locations.Reply, text: String) {
    #expect(LocationsCommand.text(reply, in: .utc) == text)
  }
}
