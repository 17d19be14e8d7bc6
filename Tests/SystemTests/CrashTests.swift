import Geofencing
import TestSupport
import Testing

extension InTrouble {
  /// What is left of a drive on which the daemon is killed again and again.
  ///
  /// Fixes that come while no daemon runs are lost, and a change that wasn't confirmed yet begins
  /// anew: so what is promised holds for circles in which the drive spends longer than the longest
  /// gap and a confirmation. A smaller one may be missed, or be seen as passed through, but it must
  /// not be told twice. The log has no gap and no contradiction in any case.
  @Suite struct CrashTests {
    /// How often the daemon is killed.
    private static let kills = 50

    /// Large circles, two of them after each other, and a small one between.
    private static let drive = Drive(
      past: [400, 400, 20, 400, 400, 20, 400, 400, 20, 400, 400, 20], spacing: 1600)

    private static let large = Set(
      drive.places.filter { $0.radius > 100 }.map(\.identifier))

    @Test func `killed at fifty instants of a drive, the log has every event once and in order`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let reader = EventsSocketReader(path: daemon.eventsSocket)
        try await with(reader.run) {
          try await daemon.add(Self.drive.places)
          try await daemon.waitForGPSD()
          let killed = try await Self.driveKilling(daemon, gpsd)
          #expect(killed == Self.kills)

          let lines = try await daemon.events()
          try Self.check(log: try lines.map(event))
          try await daemon.wait(for: "the last event at the consumer") {
            reader.lines.last == lines.last ? true : nil
          }
          try Self.check(consumer: reader.linesByConnection, against: lines)
        }
      }
    }

    /// Drives, and kills the daemon at instants that the seed chooses; returns how often.
    private static func driveKilling(
      _ daemon: DaemonProcess, _ gpsd: GPSDProcess
    ) async throws -> Int {
      var random = SplitMix64(seed: 50)
      let epochs = drive.epochs
      var index = 0
      var killed = 0
      func feed(_ count: Int) async throws {
        let end = min(index + count, epochs.count)
        try await gpsd.feed(epochs[index..<end])
        index = end
      }
      while killed < kills, index + 40 < epochs.count {
        // The daemon has judged at least these, enough to confirm any change.
        try await feed(8)
        try await daemon.waitForFix(epochs[index - 3].timestamp)
        try await feed(Int(random.uniform(0...6.99)))
        let delay = Duration.microseconds(Int(random.uniform(0...9000)))
        let missed = Int(random.uniform(0...12.99))
        async let crash: Void = {
          try await Task.sleep(for: delay)
          try await daemon.crash()
          try await daemon.waitForGPSD()
        }()
        try await feed(missed)
        try await crash
        killed += 1
      }
      try await feed(epochs.count)
      try await daemon.waitForFix(epochs[epochs.count - 3].timestamp)
      return killed
    }

    private static func check(log events: [Event]) throws {
      #expect(events.map(\.sequence) == Array(1...Int64(events.count)))
      #expect(Set(events.map(\.log)).count == 1)
      for place in drive.places {
        let own = events.map(\.transition).filter { $0.key.identifier == place.identifier }
        var state = ConditionState.unknown
        for transition in own {
          #expect(transition.previousState == state, "\(place.identifier)")
          state = transition.state
        }
        let kinds = own.map(\.kind)
        #expect(kinds.first == .determined)
        if large.contains(place.identifier) {
          #expect(kinds == [.determined, .entered, .exited], "\(place.identifier)")
          let visit = try #require(own.dropFirst().first?.visit, "\(place.identifier)")
          #expect(own.last?.visit == visit)
        } else {
          #expect(
            [[], [.crossed], [.entered, .exited]].contains(Array(kinds.dropFirst())),
            "\(place.identifier): \(kinds)")
        }
        // A time is exact, or it is given as bounds around the truth; some seconds are for fixes
        // too close to the line to say.
        let visit = try #require(drive.visits[place.identifier])
        for transition in own where transition.kind != .determined {
          let truth = transition.kind == .exited ? visit.upperBound : visit.lowerBound
          let bounds = transition.bounds ?? transition.date...transition.date
          #expect(bounds.upperBound <= transition.date)
          #expect(bounds.upperBound + .seconds(1) >= truth, "\(transition)")
          if transition.bounds != nil {
            #expect(bounds.lowerBound - truth <= .seconds(4), "\(transition)")
          } else {
            #expect(transition.date - truth < .seconds(20), "\(transition)")
          }
        }
      }
      let crossings = events.filter { $0.transition.kind != .determined }
        .filter { large.contains($0.transition.key.identifier) }.map(brief)
      let expected = drive.places.map(\.identifier).filter(large.contains)
        .flatMap { ["entered \($0)", "exited \($0)"] }
      #expect(crossings == expected)
    }

    private static func check(consumer connections: [[String]], against log: [String]) throws {
      var next = 0
      for lines in connections {
        // Each connection goes on where one before it was, or a little earlier.
        let first = try #require(log.firstIndex(of: lines[0]))
        #expect(first <= next)
        #expect(lines == Array(log[first..<(first + lines.count)]))
        next = max(next, first + lines.count)
      }
      #expect(next == log.count)
    }
  }
}
