import Foundation
import TestSupport
import Testing

/// The tests that boot a box, one after the other: two cores are soon busy.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum InABox {}

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
