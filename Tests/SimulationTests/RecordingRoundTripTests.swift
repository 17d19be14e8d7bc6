import ControlInterface
import Foundation
import GeofenceDaemon
import Geofencing
import GeographicFiles
import Glibc
import Positioning
import TestSupport
import Testing
import Varlink

@testable import GeofenceCommands

/// What the daemon records, it would judge again in the same way.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RecordingRoundTripTests {
  /// What must be the same: everything but the number and the date of writing.
  private func brief(_ transition: Transition) -> String {
    let key = "\(transition.kind.rawValue) \(transition.key.identifier) \(transition.date.rfc3339)"
    return key + " \(transition.state.rawValue) \(transition.visit?.id ?? "-")"
  }

  @Test func `the replay of a recording of a drive gives the events that the daemon logged`()
    async throws
  {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    let drive = Drive(past: [150, 60, 300], spacing: 800)
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      for place in drive.places { try await daemon.add(place) }
      let started = try await daemon.call(
        StartRecording.self, StartRecording.Parameters(name: "drive"))
      #expect(started.recording.underWay)
      try await daemon.drive(drive.epochs)
      let stopped = try await daemon.call(StopRecording.self, StopRecording.Parameters())
      #expect(stopped.recording.ended == "stopped")
      #expect(stopped.recording.dropped == 0)

      var text = ""
      var offset: Int? = 0
      while let from = offset {
        let page = try await daemon.call(
          ReadRecording.self, ReadRecording.Parameters(name: "drive", offset: from))
        text += page.text
        offset = page.next
      }
      #expect(text.utf8.count == stopped.recording.bytes)
      #expect(text.hasPrefix("{\"class\":\"VERSION\","))
      try text.write(
        toFile: folder.path + "/drive.json", atomically: true, encoding: .utf8)
      try drive.geoJSON.write(
        toFile: folder.path + "/places.geojson", atomically: true, encoding: .utf8)

      var replayed: [Transition] = []
      let result = try await Replay(
        conditions: ConditionsReader(path: folder.path + "/places.geojson").read(),
        configuration: Configuration()
      ).run(Recording(path: folder.path + "/drive.json"), explains: false) {
        replayed.append($0.event.transition)
      }
      let logged = try await daemon.transitions()
      #expect(logged.count == 9)
      #expect(replayed.map(brief) == logged.map(brief))
      #expect(result.recording.malformedLines == 0)
      #expect(result.recording.overlongLines == 0)
      #expect(result.fixes == drive.epochs.count)
    }
  }

  @Test func `an orderly stop ends a recording with all that came before it`() async throws {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    let drive = Drive(past: [150], spacing: 800)
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      _ = try await daemon.call(
        StartRecording.self, StartRecording.Parameters(name: "cut"))
      try await daemon.drive(drive.epochs.prefix(30))
    }
    let recording = try Recording(
      path: "\(folder.path)/state/recordings/\(geteuid())/cut.json")
    var reports = 0
    for await event in recording {
      if case .tpv(let report) = event, report.mode >= 2 { reports += 1 }
    }
    #expect(reports >= 30)
    #expect(recording.summary.malformedLines == 0)

    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      let reply = try await daemon.call(Recordings.self, Recordings.Parameters())
      #expect(reply.newest == nil)
      #expect(reply.recordings.map(\.name) == ["cut"])
      #expect(reply.recordings.map(\.underWay) == [false])
      let deleted = try await daemon.call(DeleteRecording.self, RecordingName(name: "cut"))
      #expect(deleted.recording.name == "cut")
      #expect(
        try await daemon.call(Recordings.self, Recordings.Parameters()).recordings.isEmpty)
    }
  }

  @Test func `a recording is over when its time is, without anybody asking`() async throws {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      _ = try await daemon.call(
        StartRecording.self, StartRecording.Parameters(name: "short", seconds: 60))
      // The recorder sleeps too while it records.
      await daemon.clock.waitForSleepers(3)
      daemon.clock.advance(by: .seconds(60))
      try await daemon.wait {
        let reply = try await daemon.call(Recordings.self, Recordings.Parameters())
        return reply.newest?.ended == "its time is over"
      }
    }
  }
}
