import ControlInterface
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
