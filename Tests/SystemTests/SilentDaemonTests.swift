import Foundation
import LinuxSystem
import TestSupport
import Testing

extension InTrouble {
  /// A daemon that accepts connections and never says anything.
  @Suite struct SilentDaemonTests {
    /// What asks for one answer, for many, and for those to come.
    private static let commands = [
      ["status"], ["locations"], ["list"], ["advise"], ["export"], ["record", "get", "night"],
      ["session", "trip"], ["locations", "--follow"], ["events", "--follow"],
      ["events", "--as", "log", "--follow"],
    ]

    /// Who follows gives up a daemon that has gone; who reads as a consumer waits for it.
    private func followUntilGone() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        func follower(_ words: String...) throws -> RunningProgram {
          try daemon.startCtl(["events", "--follow"] + words)
        }
        let (plain, consumer) = (try follower("--since", "0"), try follower("--as", "log"))
        try await daemon.add(Drive(past: [200], spacing: 700).places)
        _ = try await daemon.ctl("remove", "place-1")
        try await daemon.wait(for: "the event at both") {
          plain.lines.count == 1 && consumer.lines.count == 1 ? true : nil
        }
        await daemon.stop()
        try await daemon.wait(for: "the end of following") { plain.status }
        #expect(plain.status == 3, "\(plain.errors)")
        #expect(consumer.status == nil)
        await consumer.stop()
      }
    }

    @Test func `a daemon that has worked isn't woken each second`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.add(Drive(past: [200], spacing: 700).places)
        _ = try await daemon.ctl("remove", "place-1")
        _ = try await daemon.ctl("status")
        // libdispatch's pool of threads has a timer from its first work on.
        let descriptors = try openDescriptors(of: daemon.identifier)
        #expect(!descriptors.isEmpty)
        #expect(!descriptors.values.contains("anon_inode:[timerfd]"))
      }
    }

    @Test func `every command gives up a daemon that never answers`() async throws {
      try await withTemporaryDirectory { directory in
        // Nobody accepts, but the system lets them connect.
        let listener = try ListeningSocket(path: directory + "/socket")
        defer { withExtendedLifetime(listener) {} }
        let path = listener.path
        // Each waits for half a minute: they do it at the same time.
        try await withThrowingTaskGroup(of: Void.self) { group in
          for words in Self.commands {
            group.addTask {
              let result = try await DaemonProcess.run(["ctl", "--socket", path] + words)
              #expect(result.status == 3, "\(words): \(result.errors)")
              #expect(
                result.errors.hasSuffix(
                  ": the daemon did not answer in time; "
                    + "'systemctl status geofenced' says whether it runs\n"),
                "\(words): \(result.errors)")
            }
          }
          group.addTask { try await followUntilGone() }
          try await group.waitForAll()
        }
      }
    }
  }
}
