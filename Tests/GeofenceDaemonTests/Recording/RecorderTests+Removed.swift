import ControlInterface
import Foundation
import Geofencing
import LinuxSystem
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What is known of recordings that are gone.
extension RecorderTests {
  @Test func `a recording that was removed isn't the last one any more`() async throws {
    let recorder = recorder()
    for name in ["a", "b"] {
      _ = try await recorder.start(user: 1000, name: name, duration: nil, bytes: nil)
      _ = try await recorder.stop(user: 1000)
    }
    for (name, last) in [("a", "b"), ("b", nil)] {
      _ = try await recorder.remove(name, of: 1000)
      #expect(await recorder.status(user: nil)?.name == last)
      #expect(await recorder.status(user: 1000)?.name == last)
    }
  }

  @Test func `the oldest of a user's own gives way to one that replaces it, and to no other`()
    async throws
  {
    let recorder = recorder(recordings: 3)
    func record(_ name: String, user: UInt32 = 1000, replacing: Bool = false) async throws {
      _ = try await recorder.start(
        user: user, name: name, duration: nil, bytes: nil, replacing: replacing)
      _ = try await recorder.stop(user: user)
    }
    try await record("theirs", user: 1001)
    for name in ["b", "a"] { try await record(name, replacing: true) }
    let oldest = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: oldest], ofItemAtPath: folder.path + "/recordings/1000/b.json")
    // What can't begin takes nothing away.
    for (user, name, replacing) in [
      (1000, "c", false), (1000, "a", true), (1002, "c", true), (0, "c", true),
    ] as [(UInt32, String, Bool)] {
      await #expect(throws: ControlError.self) {
        try await record(name, user: user, replacing: replacing)
      }
    }
    #expect(await recorder.list(user: nil).map(\.name) == ["a", "b", "theirs"])
    try await record("c", replacing: true)
    #expect(await recorder.list(user: nil).map(\.name) == ["a", "c", "theirs"])
    let none = self.recorder(recordings: 0)
    await #expect(throws: ControlError.self) {
      try await none.start(user: 1000, name: "d", duration: nil, bytes: nil, replacing: true)
    }
    #expect(await none.list(user: nil).count == 3)
  }

  @Test func `what is dropped is counted however often it happens`() throws {
    let file = try FileDescriptor.creating(folder.path + "/a.json")
    let writer = RecordingWriter(
      file, user: 1000, name: "a", maximumBytes: 100, duration: .seconds(60), now: at(0),
      uptime: .zero)
    for dropped in [2, 0, 3] {
      var batch = RecordingTap.Batch()
      (batch.bytes, batch.lines, batch.dropped) = (Array("{}\n".utf8), 1, dropped)
      #expect(try writer.write(batch))
    }
    #expect(writer.dropped == 5 && writer.lines == 3 && writer.bytes == 9)
  }
}
