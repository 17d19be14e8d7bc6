import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced ctl remove` with a real daemon.
  @Suite struct RemovalTests {
    @Test func `removes all that are named, and says which ones aren't there`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        for identifier in ["a", "b", "c", "d"] {
          try await daemon.add(identifier)
        }
        let removed = try await daemon.ctl("remove", "a", "b", "a")
        #expect(removed.status == 0 && removed.errors == "")
        #expect(removed.output == "default/a removed\ndefault/b removed\n")

        let some = try await daemon.ctl("remove", "--json", "a", "c", "x")
        #expect(some.status == 1)
        #expect(some.lines.count == 1 && some.output.contains(#""identifier":"c""#))
        let told = some.errors.split(separator: "\n")
        #expect(told.count == 3 && told.last == "geofenced ctl remove: 2 of 3 weren't there")
        for (line, name) in zip(told, ["a", "x"]) {
          #expect(line.hasPrefix("geofenced ctl remove: ") && line.contains("'\(name)'"))
        }
        #expect(try await daemon.ctl("list", "--json").lines.count == 1)
      }
    }
  }
}
