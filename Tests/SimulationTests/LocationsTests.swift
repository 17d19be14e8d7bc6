import ControlInterface
import GeofenceDaemon
import Geofencing
import Positioning
import Synchronization
import TestSupport
import Testing
import Varlink

/// Several programs at once that listen to locations with different live configurations, with a real
/// gpsd, on a clock that only the test moves.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LocationsWithConfigurations {
  /// What a listener has heard.
  private final class Listener: Sendable {
    private let replies = Mutex<[Locations.Reply]>([])

    func take(_ reply: Locations.Reply) { replies.withLock { $0.append(reply) } }

    var last: Locations.Reply? { replies.withLock { $0.last } }

    /// When the position was that it was told of last.
    var time: Timestamp? { last?.location?.timestamp }

    /// How many say that they are the last before a pause, and how many that they were missed.
    var pauses: Int { replies.withLock { $0.count { $0.paused } } }
    var heard: Int { replies.withLock { $0.count + $0.map(\.dropped).reduce(0, +) } }
  }

  /// Listens on a connection of its own until the task is cancelled.
  private func listen(
    _ daemon: SimulatedDaemon, _ configuration: String?, _ listener: Listener
  ) async throws {
    for try await reply in try await daemon.connect().stream(
      Locations.self, Locations.Parameters(configuration: configuration))
    { listener.take(reply) }
  }

  /// A receiver that stands for some time and then drives off to the east.
  private func epochs(standing seconds: Int) throws -> [Drive.Epoch] {
    let start = try Coordinate(validLatitude: 48.2, longitude: 16.3)
    let track = Track(
      from: start, through: [Track.Waypoint(start.moved(by: 1200, bearing: 90), cruise: 14)],
      acceleration: 2, standingFirst: .seconds(seconds))
    var writer = NMEAWriter()
    return Receiver(seed: 7, faults: .none)
      .observe(track, startingAt: try #require(Drive.beginning))
      .map { Drive.Epoch(timestamp: $0.timestamp, sentences: writer.sentences(for: $0)) }
  }

  @Test func `the receiver is kept for the patient one, and each pauses by its own numbers`()
    async throws
  {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    let rest = 2800
    let epochs = try epochs(standing: rest)
    let change: (inout Configuration) -> Void = { $0.apply(.automotiveNavigation) }
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd, configuration: change) {
      daemon in
      let (early, plain, late) = (Listener(), Listener(), Listener())
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await listen(daemon, "fitness", early) }
        group.addTask { try await listen(daemon, nil, plain) }
        group.addTask { try await listen(daemon, "airborne", late) }
        try await daemon.waitForGPSD()
        try await gpsd.feed(epochs.prefix(3))
        try await daemon.wait { [early, plain, late].allSatisfy { $0.time != nil } }

        try await gpsd.feed(epochs[3..<1000])
        // Who has nothing but patience still hears everything; nobody else does.
        try await daemon.wait { late.time == epochs[999].timestamp }
        try await daemon.wait { early.pauses == 1 && plain.pauses == 1 }
        #expect(late.pauses == 0 && late.last?.stationary == false)
        for (listener, seconds) in [(early, 300), (plain, 600)] {
          let paused = try #require(listener.last)
          #expect(paused.paused && paused.stationary && listener.pauses == 1)
          let time = try #require(listener.time)
          let rested = time - epochs[0].timestamp
          #expect(rested >= .seconds(seconds) && rested < .seconds(seconds + 3))
        }
        var status = try await daemon.status().receiver
        #expect(status.pausedSince != nil && !status.released && status.source != nil)
        #expect(status.awake == RestObstacle.needed.text)

        // Its own pause is what the receiver waited for.
        try await gpsd.feed(epochs[1000..<2710])
        try await daemon.wait { try await daemon.status().receiver.released }
        // What it is told comes over a connection of its own.
        try await daemon.wait { late.pauses == 1 }
        let last = try #require(late.last)
        #expect(last.paused && last.stationary && late.pauses == 1)
        #expect(late.heard >= 2700)
        #expect(early.pauses == 1 && plain.pauses == 1)

        // A look that finds nothing is silent for all; the next one finds all of them moving.
        var fed = 2710
        for _ in 0..<2 {
          try await daemon.wait { try await daemon.status().receiver.nextProbe != nil }
          await daemon.clock.waitForSleepers(3)
          daemon.clock.advance(by: PauseParameters().probeInterval)
          try await daemon.waitForGPSD()
          guard fed == 2710 else { break }
          try await gpsd.feed(epochs[fed..<(fed + 8)])
          fed += 8
          try await daemon.wait { try await daemon.status().receiver.nextProbe != nil }
          #expect(late.last == last)
        }
        try await gpsd.feed(epochs[rest...])
        let arrival = try #require(epochs.last).timestamp
        try await daemon.wait { [early, plain, late].allSatisfy { $0.time == arrival } }
        for listener in [early, plain, late] {
          #expect(listener.last?.paused == false && listener.last?.stationary == false)
          #expect(listener.pauses == 1)
        }
        status = try await daemon.status().receiver
        #expect(!status.released && status.pausedSince == nil)
        group.cancelAll()
      }
    }
  }

  @Test func `who comes during a pause has the receiver used again, and gives it up by leaving`()
    async throws
  {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    let epochs = try epochs(standing: 700)
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      let (plain, late) = (Listener(), Listener())
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await listen(daemon, nil, plain) }
        try await daemon.waitForGPSD()
        try await gpsd.feed(epochs.prefix(310))
        try await daemon.wait { try await daemon.status().receiver.released }
        try await daemon.wait { plain.last?.paused == true }
        let pausedAt = plain.time

        let newcomer = Task { try await listen(daemon, "airborne", late) }
        try await daemon.waitForGPSD()
        // What is known comes at once, and isn't called a pause.
        try await daemon.wait { late.time == pausedAt }
        #expect(late.last?.paused == false)
        try await gpsd.feed(epochs[310..<400])
        try await daemon.wait { late.time == epochs[399].timestamp }
        #expect(plain.time == pausedAt)
        newcomer.cancel()
        _ = await newcomer.result
        try await gpsd.feed(epochs[400..<402])
        try await daemon.wait {
          try await gpsd.feed(epochs[402..<403])
          return try await daemon.status().receiver.released
        }
        #expect(plain.time == pausedAt)
        group.cancelAll()
      }
    }
  }

  @Test func `what isn't a configuration is refused, and so is one without more`() async throws {
    let (folder, gpsd) = (try TemporaryFolder(), try GPSDProcess.orCancel())
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      for name in ["", "Default", "boat", "automotivenavigation"] {
        let error = await #expect(throws: VarlinkError.self) {
          for try await _ in try await daemon.connect().stream(
            Locations.self, Locations.Parameters(configuration: name))
          {}
        }
        #expect(error?.name == VarlinkError.Standard.invalidParameter.rawValue)
      }
      let error = await #expect(throws: VarlinkError.self) {
        try await daemon.call(Locations.self, Locations.Parameters(configuration: "fitness"))
      }
      #expect(error?.name == VarlinkError.Standard.expectedMore.rawValue)
      try await daemon.wait { try await !daemon.status().receiver.watched }
    }
  }
}
