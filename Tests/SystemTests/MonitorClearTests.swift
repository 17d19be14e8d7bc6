import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced ctl monitor clear` with a real daemon.
  @Suite struct MonitorClearTests {
    @Test func `takes away all conditions of one monitor, and tells those who follow`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let conditions = [
          ("trip", "a", "satisfied"), ("trip", "b", "unsatisfied"),
          ("default", "home", "satisfied"),
        ]
        for (monitor, identifier, state) in conditions {
          try await daemon.add(identifier, "--monitor", monitor, "--assuming", state)
        }
        let cleared = try await daemon.ctl("monitor", "clear", "trip")
        #expect(cleared.status == 0 && cleared.output == "trip: 2 conditions removed\n")
        #expect(try await daemon.ctl("list", "--json").lines.count == 1)
        let events = try await daemon.ctl("events", "--json").lines
        #expect(events.count == 1)
        #expect(events.first?.contains(#""identifier":"a","kind":"unmonitored""#) == true)

        // Empty is what it is to be.
        let again = try await daemon.ctl("monitor", "clear", "trip")
        #expect(again.status == 0 && again.output == "")
        #expect(again.errors.contains("the monitor 'trip' has no conditions; "))
        let counted = try await daemon.ctl("monitor", "clear", "trip", "--json")
        #expect(counted.output == "{\"removed\":0}\n")
      }
    }
  }
}
