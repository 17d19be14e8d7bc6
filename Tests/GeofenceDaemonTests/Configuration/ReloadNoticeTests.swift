import Positioning
import Testing
import Varlink

@testable import GeofenceDaemon

/// What a reload says of keys that it leaves alone.
struct ReloadNoticeTests {
  @Test func `keys of the start are told where they differ from what runs`() {
    let running = Configuration()
    var new = running
    new.receiver.gpsd.port = 2948
    new.storage.eventRetention = 7
    #expect(new.noticeOfStart(insteadOf: running) == nil)
    new.storage.stateDirectory = "/srv/geofenced"
    #expect(new.noticeOfStart(insteadOf: running) == "StateDirectory= is taken at the next start")
    new.socket.runtimeDirectory = "/run/other"
    new.socket.varlink.maximumMessageBytes += 1
    #expect(
      new.noticeOfStart(insteadOf: running)
        == "StateDirectory=, RuntimeDirectory= and MaximumMessageBytes= are taken at the next start"
    )
  }
}
