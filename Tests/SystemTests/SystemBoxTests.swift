import Foundation
import TestSupport
import Testing

/// The tests that boot a box, one after the other: two cores are soon busy.
///
/// Only those of the service run beside them, whose receivers take their time.
@Suite(.serialized, .timeLimit(.minutes(10))) enum InABox {}

/// Boots a box, or cancels the test with the reason why this machine can't.
func withSystemBox(_ body: (SystemBox) async throws -> Void) async throws {
  do {
    try await SystemBox.with(body)
  } catch let unavailable as SystemBox.Unavailable {
    try Test.cancel("no system box: \(unavailable.reason)")
  }
}

extension InABox {
  @Suite struct SystemBoxTests {
    @Test func `a box has a systemd that is up, a journal, and nobody else's services`()
      async throws
    {
      try await withSystemBox { box in
        let state = try await box.check(["systemctl", "is-system-running"])
        #expect(state.lines == ["running"])

        try await box.check(["logger", "--tag", "box-test", "written to the journal"])
        let entry = try await box.wait(
          for: "the entry in the journal",
          until: ["journalctl", "--quiet", "-o", "cat", "SYSLOG_IDENTIFIER=box-test"]
        ) { !$0.lines.isEmpty }
        #expect(entry.lines == ["written to the journal"])

        let services = try await box.check([
          "systemctl", "list-units", "--type=service", "--state=running", "--plain", "--no-legend",
        ])
        let names = services.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(
          names.sorted() == ["dbus.service", "systemd-journald.service", "systemd-logind.service"])
      }
    }

    @Test func `what is written in a box is gone after it`() async throws {
      let path = "/etc/written-in-a-box"
      try await withSystemBox { box in
        try await box.check(["touch", path])
        #expect(try await box.run(["test", "-e", path]).status == 0)
      }
      #expect(try await Command(["test", "-e", path]).run().status == 1)
    }

    @Test func `a power cut ends everything at once and keeps the files`() async throws {
      try await withSystemBox { box in
        let first = box.leader
        try await box.check(["sh", "-c", "echo kept >/etc/kept && echo gone >/run/gone"])
        try await box.check(["systemd-run", "--quiet", "--unit=runs", "sleep", "1000"])
        let boot = try await box.check(["cat", "/proc/1/stat"]).output
        // Who is inside at that moment is gone, too.
        async let inside = box.run(["sleep", "50"])
        try await box.wait(for: "the sleeper", until: ["pgrep", "-x", "-f", "sleep 50"]) {
          $0.status == 0
        }
        for _ in 0..<2 { try await box.cutPower() }
        #expect(try await inside.status == 137)
        #expect(box.leader != first)
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(first)/root/etc"))
        #expect(try await box.check(["cat", "/proc/1/stat"]).output != boot)
        #expect(try await box.check(["cat", "/etc/kept"]).lines == ["kept"])
        #expect(try await box.run(["test", "-e", "/run/gone"]).status == 1)
        #expect(try await box.run(["systemctl", "is-active", "runs.service"]).status != 0)
        #expect(try await box.check(["systemctl", "is-system-running"]).lines == ["running"])
      }
    }

    @Test func `a test that fails takes its box down`() async throws {
      struct Broken: Error {}
      var leader: Int32 = 0
      do {
        try await withSystemBox { box in
          leader = box.leader
          #expect(FileManager.default.fileExists(atPath: "/proc/\(leader)/root/etc"))
          throw Broken()
        }
      } catch is Broken {}
      #expect(leader > 0)
      #expect(!FileManager.default.fileExists(atPath: "/proc/\(leader)/root/etc"))
    }
  }
}
