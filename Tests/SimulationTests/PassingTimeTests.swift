import ControlInterface
import Foundation
import GeofenceDaemon
import Geofencing
import TestSupport
import Testing

/// What the whole daemon does as time passes, without waiting for it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PassingTimeTests {
  @Test func `ten minutes after the last fix nothing is known any more, to the second`()
    async throws
  {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      let drive = Drive(past: [300], spacing: 500)
      try await daemon.add(drive.places[0])
      let middle = drive.epochs.count / 2
      try await daemon.drive(drive.epochs.prefix(middle))
      let before = try await daemon.transitions()
      #expect(before.map(\.kind) == [.determined, .entered])

      await daemon.pass(.seconds(595))
      #expect(try await daemon.transitions() == before)
      #expect(try await daemon.status().receiver.lastFixAge == 595)
      await daemon.pass(.seconds(5))
      #expect(try await daemon.transitions() == before)
      await daemon.pass(.seconds(3600))

      let last = try #require(try await daemon.transitions().dropFirst(2).first)
      let lastFix = drive.epochs[middle - 1].timestamp
      #expect(last.kind == .undetermined)
      #expect(last.state == .unknown)
      #expect(last.date == lastFix + .seconds(600))
      #expect(last.visit == before[1].visit)
      #expect(last.duration == before[1].visit.map { lastFix - $0.began })
      #expect(try await daemon.transitions().count == 3)
      #expect(try await daemon.status().satisfied == 0)
    }
  }

  @Test func `a condition expires by the wall clock, with or without a receiver`() async throws {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      let drive = Drive(past: [300, 300], spacing: 500)
      let expires = daemon.now + .seconds(3600)
      try await daemon.add(drive.places[0], expires: expires)
      try await daemon.add(drive.places[1])
      await daemon.pass(.milliseconds(3_599_999))
      #expect(try await daemon.transitions().isEmpty)
      await daemon.pass(.seconds(5))
      let transition = try #require(try await daemon.transitions().first)
      #expect(try await daemon.transitions().count == 1)
      #expect(transition.key.identifier == "place-1")
      #expect(transition.kind == .unmonitored)
      #expect(transition.reason == .expired)
      #expect(transition.date == expires)
      #expect(try await daemon.status().conditions == 1)
      let left = try await daemon.call(List.self, List.Parameters()).records
      #expect(left.map(\.identifier) == ["place-2"])
    }
  }

  @Test(arguments: [Duration.seconds(60), .seconds(1)])
  func `after a crash a crossing in between is given as bounds from the checkpoint on`(
    interval: Duration
  ) async throws {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    let (later, copied) = (try TemporaryFolder(), "/state")
    let drive = Drive(past: [300], spacing: 1000)
    let outside = 20
    func configure(_ configuration: inout Configuration) {
      configuration.storage.checkpoint = interval
    }
    try await SimulatedDaemon.with(
      folder: folder.path, gpsd: gpsd, configuration: configure
    ) { daemon in
      try await daemon.add(drive.places[0])
      try await daemon.drive(drive.epochs.prefix(outside))
      // The checkpoint is due; what is on the disk then is all that a crash would leave.
      await daemon.pass(interval)
      try FileManager.default.copyItem(
        atPath: folder.path + copied, toPath: later.path + copied)
      try await daemon.drive(drive.epochs[outside..<(outside + 5)])
    }
    try await SimulatedDaemon.with(folder: later.path, gpsd: gpsd) { daemon in
      let inside = drive.epochs.count / 2
      try await daemon.drive(drive.epochs[inside..<(inside + 10)])
      let transitions = try await daemon.transitions()
      #expect(transitions.map(\.kind) == [.determined, .entered])
      let entered = try #require(transitions.last)
      #expect(entered.previousState == .unsatisfied)
      let bounds = try #require(entered.bounds)
      #expect(bounds.lowerBound == drive.epochs[outside - 1].timestamp)
      #expect(bounds.upperBound == drive.epochs[inside].timestamp)
    }
  }

  @Test func `an orderly stop keeps the very last fix`() async throws {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    let drive = Drive(past: [300], spacing: 1000)
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      try await daemon.add(drive.places[0])
      try await daemon.drive(drive.epochs.prefix(23))
    }
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      let inside = drive.epochs.count / 2
      try await daemon.drive(drive.epochs[inside..<(inside + 10)])
      let entered = try #require(try await daemon.transitions().last)
      #expect(entered.kind == .entered)
      #expect(entered.bounds?.lowerBound == drive.epochs[22].timestamp)
    }
  }
}
