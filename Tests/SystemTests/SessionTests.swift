import ControlInterface
import Foundation
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// Background activity sessions, from the command line.
  @Suite struct SessionTests {
    private static let configuration = DaemonProcess.configuration(
      gpsdPort: 9, more: "[Receiver]\nSessionGraceSec=1h")

    private func sessions(_ daemon: DaemonProcess) async throws -> [BackgroundSession] {
      let result = try await daemon.ctl("sessions", "--json")
      #expect(result.status == 0, "\(result.errors)")
      return try result.lines.map {
        try JSONDecoder().decode(BackgroundSession.self, from: Data($0.utf8))
      }
    }

    @Test func `a session is held until the command ends, and can be rejoined`() async throws {
      try await DaemonProcess.with(Self.configuration) { daemon in
        #expect(try await daemon.ctl("sessions").output == "")
        let first = try daemon.startCtl("session", "trip")
        try await daemon.wait(for: "first line") { first.lines.isEmpty ? nil : true }
        #expect(first.lines.count == 1)
        #expect(first.lines[0].hasPrefix("trip begun, since 20"))
        let began = try #require(try await sessions(daemon).first)
        #expect(began.holders == 1 && began.lapses == nil && began.user == getuid())
        #expect(try await daemon.ctl("sessions").output.hasSuffix("  held\n"))

        first.kill(SIGTERM)
        try await daemon.wait(for: "end of the holder") {
          try await sessions(daemon).first?.holders == 0 ? true : nil
        }
        #expect(try await sessions(daemon).first?.lapses != nil)
        #expect(try await daemon.ctl("sessions").output.contains("  lapses 20"))

        let second = try daemon.startCtl("session", "trip", "--json")
        try await daemon.wait(for: "second line") { second.lines.isEmpty ? nil : true }
        let reply = try JSONDecoder().decode(
          Session.Reply.self, from: Data(second.lines[0].utf8))
        #expect(reply.outcome == .rejoined)
        #expect(reply.since == began.since)

        #expect(try await daemon.ctl("end-session", "trip").output == "trip ended\n")
        #expect(try await daemon.wait(for: "the end of the holder") { second.status } == 1)
        #expect(second.errors == "geofenced ctl session: the session 'trip' was ended\n")
        #expect(try await sessions(daemon) == [])
        let again = try await daemon.ctl("end-session", "trip")
        #expect(again.status == 1)
        #expect(again.errors.contains("there is no session 'trip'"))
      }
    }

    @Test func `the command holds on when the daemon restarts`() async throws {
      try await DaemonProcess.with(Self.configuration) { daemon in
        let holder = try daemon.startCtl("session", "trip")
        try await daemon.wait(for: "first line") { holder.lines.isEmpty ? nil : true }
        try await daemon.crash()
        try await daemon.wait(for: "second line") { holder.lines.count < 2 ? nil : true }
        #expect(holder.lines[1].hasPrefix("trip begun, since 20"))
        #expect(try await sessions(daemon).map(\.holders) == [1])
        await daemon.stop()
        try await daemon.start()
        try await daemon.wait(for: "third line") { holder.lines.count < 3 ? nil : true }
        #expect(try await sessions(daemon).map(\.holders) == [1])
        #expect(
          holder.errors
            == String(
              repeating: "geofenced ctl session: the daemon closed the connection, trying again\n",
              count: 2))
        // By itself it would try for ever.
        holder.kill(SIGTERM)
        try await daemon.wait(for: "end of the holder") { holder.status }
      }
    }

    @Test func `the command holds on when only its first line was read`() async throws {
      try await DaemonProcess.with(Self.configuration) { daemon in
        let command = "\(DaemonProcess.program) ctl --socket \(daemon.controlSocket) session trip"
        let holder = try RunningProgram(["sh", "-c", "\(command) | head -n 1"])
        try await daemon.wait(for: "first line") { holder.lines.isEmpty ? nil : true }
        try await daemon.crash()
        try await daemon.wait(for: "the session") {
          try await sessions(daemon).map(\.holders) == [1] ? true : nil
        }
        _ = try await daemon.ctl("end-session", "trip")
        try await daemon.wait(for: "the end of the holder") {
          holder.errors.contains("the session 'trip' was ended") ? true : nil
        }
      }
    }

    @Test func `without a daemon the command fails at once`() async throws {
      let result = try await DaemonProcess.run([
        "ctl", "--socket", "/nonexistent/socket", "session", "trip",
      ])
      #expect(result.status == 3)
      #expect(result.output == "")
    }
  }
}
