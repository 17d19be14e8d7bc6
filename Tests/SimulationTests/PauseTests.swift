import ControlInterface
import GeofenceDaemon
import Geofencing
import Positioning
import Synchronization
import TestSupport
import Testing
import Varlink

/// Pauses of the whole daemon, with a real gpsd, on a clock that only the test moves.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PauseTests {
  /// A receiver that stands for a quarter of an hour and then drives off to the east.
  struct Departure {
    let place: Track.Place
    let epochs: [Drive.Epoch]

    /// How many epochs are told before it drives.
    static let resting = 900

    var rest: ArraySlice<Drive.Epoch> { epochs[..<Self.resting] }
    var way: ArraySlice<Drive.Epoch> { epochs[Self.resting...] }

    init() throws {
      let start = try Coordinate(validLatitude: 48.2, longitude: 16.3)
      place = Track.Place(identifier: "garage", center: start, radius: 150)
      let end = start.moved(by: 1200, bearing: 90)
      let track = Track(
        from: start, through: [Track.Waypoint(end, cruise: 14)], acceleration: 2,
        standingFirst: .seconds(Self.resting))
      var writer = NMEAWriter()
      epochs = Receiver(seed: 7, faults: .none)
        .observe(track, startingAt: try #require(Drive.beginning))
        .map { Drive.Epoch(timestamp: $0.timestamp, sentences: writer.sentences(for: $0)) }
    }
  }

  /// What a listener has heard.
  private final class Told: Sendable {
    let replies = Mutex<[Locations.Reply]>([])
  }

  let folder: TemporaryFolder
  let gpsd: GPSDProcess
  let departure: Departure

  init() throws {
    folder = try TemporaryFolder()
    gpsd = try GPSDProcess.orCancel()
    departure = try Departure()
  }

  /// Rests until the receiver is released, and returns how many epochs that took.
  func rest(_ daemon: SimulatedDaemon) async throws -> Int {
    try await daemon.add(departure.place)
    try await daemon.waitForGPSD()
    try await gpsd.feed(departure.epochs.prefix(310))
    try await daemon.wait { try await daemon.status().receiver.released }
    return 310
  }

  /// Moves the clock to the next look, and waits until it has begun.
  private func lookAgain(_ daemon: SimulatedDaemon) async throws {
    try await daemon.wait { try await daemon.status().receiver.nextProbe != nil }
    // The maintenance, the watchdog, and the pause.
    await daemon.clock.waitForSleepers(3)
    daemon.clock.advance(by: PauseParameters().probeInterval)
    try await daemon.waitForGPSD()
  }

  @Test func `a receiver at rest is released, looked at, and followed when it has left`()
    async throws
  {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      var fed = try await rest(daemon)
      var status = try await daemon.status().receiver
      #expect(status.source == nil)
      #expect(status.disconnection == nil)
      #expect(status.watched && status.stationary && !status.silent)
      #expect(status.nextProbe == 180 && status.awake == nil)
      #expect(status.pausedSince == daemon.now)
      #expect(status.connections == 1)

      for look in 1...3 {
        try await lookAgain(daemon)
        try await gpsd.feed(departure.epochs[fed..<(fed + 8)])
        fed += 8
        try await daemon.wait { try await daemon.status().receiver.nextProbe != nil }
        status = try await daemon.status().receiver
        #expect(status.released && status.source == nil)
        #expect(status.connections == look + 1)
        #expect(status.lastFixAge == 0)
      }
      #expect(try await daemon.transitions().map(\.kind) == [.determined])

      try await lookAgain(daemon)
      try await gpsd.feed(departure.way)
      try await daemon.wait { try await daemon.transitions().count == 2 }
      let exit = try #require(try await daemon.transitions().last)
      #expect(exit.kind == .exited)
      status = try await daemon.status().receiver
      #expect(!status.released && !status.stationary && status.pausedSince == nil)
      #expect(status.source != nil && status.nextProbe == nil)
      #expect(status.awake == RestObstacle.movement.text)
    }
  }

  @Test func `an exit during a pause is told by the next look`() async throws {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      _ = try await rest(daemon)
      // It drives off and stands again, a kilometre away, before anybody looks.
      let last = departure.epochs[309].timestamp
      var writer = NMEAWriter()
      let there = Track(
        standingAt: departure.place.center.moved(by: 1200, bearing: 90), for: .seconds(120))
      let parked = Receiver(seed: 7, faults: .none)
        .observe(there, startingAt: last + .seconds(100))
        .map { Drive.Epoch(timestamp: $0.timestamp, sentences: writer.sentences(for: $0)) }
      try await lookAgain(daemon)
      // It stands, so only time tells that it isn't a reflection.
      try await gpsd.feed(parked.prefix(40))
      try await daemon.wait { try await daemon.transitions().count == 2 }
      let exit = try #require(try await daemon.transitions().last)
      #expect(exit.kind == .exited)
      #expect(exit.bounds != nil)
      #expect(try await daemon.status().receiver.pausedSince != nil)
      // In doubt it looks on, and finds that the place is another.
      try await gpsd.feed(parked.dropFirst(8).prefix(50))
      try await daemon.wait { try await daemon.status().receiver.pausedSince == nil }
    }
  }

  @Test func `an hour and a half of looks keeps what is known`() async throws {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      var fed = try await rest(daemon)
      for _ in 1...30 {
        try await lookAgain(daemon)
        try await gpsd.feed(departure.epochs[fed..<(fed + 6)])
        fed += 6
        try await daemon.wait { try await daemon.status().receiver.nextProbe != nil }
      }
      #expect(try await daemon.transitions().map(\.kind) == [.determined])
      #expect(try await daemon.status().satisfied == 1)
    }
  }

  @Test func `a look without a fix is given up, and the next one comes`() async throws {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      _ = try await rest(daemon)
      try await lookAgain(daemon)
      #expect(try await daemon.status().receiver.nextProbe == nil)
      await daemon.clock.waitForSleepers(3)
      daemon.clock.advance(by: PauseParameters.fixTimeout)
      try await daemon.wait { try await daemon.status().receiver.nextProbe == 180 }
      #expect(try await daemon.status().receiver.source == nil)
      try await lookAgain(daemon)
    }
  }

  @Test func `a sensor that feels motion has the receiver looked at without delay`() async throws {
    let (hints, continuation) = AsyncStream.makeStream(of: Void.self)
    let motion: @Sendable () async -> Void = { for await _ in hints { return } }
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd, motion: motion) { daemon in
      _ = try await rest(daemon)
      continuation.yield()
      try await daemon.waitForGPSD()
      try await gpsd.feed(departure.way)
      try await daemon.wait { try await daemon.transitions().count == 2 }
      #expect(daemon.clock.now.offset == .zero)
      #expect(try await daemon.status().receiver.pausedSince == nil)
    }
  }

  @Test func `with silent updates conditions keep their full speed`() async throws {
    let change: (inout Configuration) -> Void = { $0.pause.mode = .updates }
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd, configuration: change) {
      daemon in
      try await daemon.add(departure.place)
      try await daemon.waitForGPSD()
      let told = Told()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for try await reply in try await daemon.connect().stream(
            Locations.self, Locations.Parameters())
          { told.replies.withLock { $0.append(reply) } }
        }
        try await gpsd.feed(departure.rest)
        let lastAtRest = try #require(departure.rest.last).timestamp
        try await daemon.wait {
          try await daemon.status().receiver.lastFix?.timestamp == lastAtRest
        }
        let status = try await daemon.status().receiver
        #expect(status.pausedSince != nil && !status.released && status.source != nil)
        #expect(status.accepted == Departure.resting)
        try await daemon.wait { told.replies.withLock { $0.last?.paused == true } }
        #expect(told.replies.withLock { $0.last?.stationary } == true)
        #expect(told.replies.withLock { $0.count { $0.stationary } } == 1)

        try await gpsd.feed(departure.way)
        try await daemon.wait { try await daemon.transitions().count == 2 }
        try await daemon.wait {
          told.replies.withLock { $0.last.map { !$0.paused && $0.location != nil } == true }
        }
        let exit = try #require(try await daemon.transitions().last)
        // Nothing was missed: the exit isn't told with bounds.
        #expect(exit.kind == .exited && exit.bounds == nil)
        group.cancelAll()
      }
    }
  }

  @Test func `a daemon that was started again isn't paused`() async throws {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      _ = try await rest(daemon)
    }
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      try await daemon.waitForGPSD()
      let status = try await daemon.status().receiver
      #expect(!status.released && status.pausedSince == nil && !status.stationary)
    }
  }

  @Test func `a receiver that nothing needs isn't watched`() async throws {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      #expect(try await !daemon.status().receiver.watched)
      #expect(try await daemon.status().receiver.source == nil)
      // Who asks once is answered with a fresh fix.
      async let reply = daemon.call(Locations.self, Locations.Parameters())
      try await daemon.waitForGPSD()
      try await gpsd.feed(departure.epochs.prefix(3))
      #expect(try await reply.location != nil)
      try await daemon.wait { try await !daemon.status().receiver.watched }
      #expect(try await daemon.status().receiver.source == nil)
      // Or in the end with none.
      async let nothing = daemon.call(Locations.self, Locations.Parameters())
      try await daemon.waitForGPSD()
      await daemon.clock.waitForSleepers(3)
      daemon.clock.advance(by: .seconds(30))
      #expect(try await nothing.locationUnavailable)

      try await daemon.add(departure.place)
      try await daemon.waitForGPSD()
      let name = ConditionName(identifier: departure.place.identifier)
      try await daemon.call(Remove.self, name)
      try await daemon.wait { try await !daemon.status().receiver.watched }
    }
  }
}
