public import GeofenceClient
internal import GeofenceDaemon
internal import Geofencing
internal import Positioning

/// What geofenced does, in this process: the same rules, log and methods, without daemon, receiver or
/// socket file. For the tests of programs.
///
/// ```swift
/// try await SimulatedGeofences.run { geofences in
///   let monitor = try await Monitor("trip", service: geofences.service)
///   try await monitor.add(
///     CircularGeographicCondition(center: home, radius: 150), identifier: "home")
///   try await geofences.move(to: home)
///   // The events of `monitor` tell that home was determined.
/// }
/// ```
///
/// Time is that of the locations that are given: nothing passes by itself, and the same locations give
/// the same events.
public actor SimulatedGeofences {
  /// How fast ``move(to:altitude:)`` travels, in metres per second.
  private static let travelSpeed = 50.0

  /// How long ``move(to:altitude:)`` waits at least for the rules to decide.
  private static let settling = Duration.seconds(120)

  /// What monitors, updates and sessions of a program under test are made with.
  public nonisolated let service: GeofenceService

  private let folder: TemporaryFolder
  private let time: SimulatedTime
  private let connections: SimulatedConnections
  private var daemon: InProcessDaemon

  /// When the last location was that those who listen were told of, and whether they have been told
  /// since that there is none any more.
  private var lastTold: Timestamp?
  private var isSilent = false

  /// Whether something is being done with the daemon, and who waits for its turn.
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Runs the rules for as long as the body takes, and leaves nothing behind.
  ///
  /// - Throws: what the body throws, or the system's error where a temporary folder, or the log in it, can't
  ///   be made.
  public static func run<Result: Sendable>(
    _ body: (SimulatedGeofences) async throws -> Result
  ) async throws -> Result {
    let geofences = try SimulatedGeofences()
    return try await withThrowingTaskGroup { group in
      group.addTask { await geofences.connections.serve() }
      defer {
        // A task of the body's that still has the service keeps no daemon by that.
        geofences.connections.end()
        group.cancelAll()
      }
      return try await body(geofences)
    }
  }

  private init() throws {
    folder = try TemporaryFolder()
    time = SimulatedTime()
    let connections = SimulatedConnections()
    self.connections = connections
    daemon = try InProcessDaemon(in: folder.path, clock: time.clock)
    connections.open(to: daemon)
    service = GeofenceService(identity: folder.path) { try connections.connect() }
  }

  /// Does something with the daemon when all is done that was asked for before: no location may be given
  /// to a daemon that is being restarted.
  private func inTurn<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    // Who is next is busy from then on: nobody else comes in between.
    defer { if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() } }
    return try await body()
  }

  // MARK: Locations

  /// Judges a location and tells it to those who listen.
  ///
  /// It doesn't go through the daemon's filter for positions that aren't plausible: without a speed, it may lie
  /// anywhere. One that contradicts the speeds before it is told to those who listen, but not judged.
  ///
  /// When it returns, what came of it is in the log, and every loop over updates that reads has it. One that
  /// doesn't ask for the next update is waited for, up to ten seconds: a loop's own body that sends a location
  /// waits for itself.
  ///
  /// - Throws: ``SimulationError/invalidLocation(_:)``, when one of its numbers isn't valid, it isn't
  ///   newer than the last one that was judged, or it is of a time that is over.
  public func send(_ location: GeofenceClient.Location) async throws {
    let fix = try Geofencing.Location(location)
    try await inTurn {
      if let last = await daemon.lastFix, fix.timestamp <= last.timestamp {
        throw SimulationError.invalidLocation(
          "a location of \(fix.timestamp.rfc3339) can't follow one of \(last.timestamp.rfc3339)")
      }
      guard time.canMove(to: fix.timestamp) else {
        throw SimulationError.invalidLocation(
          "a location of \(fix.timestamp.rfc3339) comes too late: it is \(time.now.rfc3339) already"
        )
      }
      time.move(to: fix.timestamp)
      await take(Positioning.LocationUpdate(location: fix))
    }
  }

  /// Goes to a place and stays there until every condition is in the state that belongs to it, and a rest
  /// elsewhere is over for those who listen to updates: good locations, one a second, after as much time as
  /// the way takes at 180 km/h.
  ///
  /// Entering a condition needs fewer locations than leaving one. So on the way from one condition to another, the
  /// second one is entered before the first one is left.
  ///
  /// A condition on whose edge the place lies may stay as it is; nothing is waited for longer than two
  /// minutes and the times that conditions ask for.
  ///
  /// No location comes on the way. One that takes longer than the rules remember a position, which is ten
  /// minutes or 30 km, is a silence: all is undetermined before the goal is reached.
  ///
  /// - Parameters:
  ///   - coordinate: The place.
  ///   - altitude: Metres above mean sea level; the locations have no other. A condition whose band
  ///     asks for one that they don't have can only be found to be outside of its shape, and isn't
  ///     waited for.
  /// - Throws: ``SimulationError/invalidLocation(_:)``, when the coordinate isn't valid, or the
  ///   altitude isn't finite; or `CancellationError`, before the next location.
  public func move(
    to coordinate: GeofenceClient.Coordinate, altitude: Double? = nil
  ) async throws {
    if let altitude, !altitude.isFinite {
      throw SimulationError.invalidLocation("altitude \(altitude) is no number")
    }
    let place = try Geofencing.Coordinate(coordinate)
    try await inTurn { try await move(to: place, altitude: altitude) }
  }

  /// Stands still at a place for so long: good locations, one a second, with a speed of 0, after as much time
  /// as the way takes at 180 km/h.
  ///
  /// Who listens to updates hears of the rest when it has been long enough, five minutes by default, and then
  /// nothing until the device has been elsewhere for some 45 seconds, as ``move(to:altitude:)`` is. Conditions
  /// aren't waited for.
  ///
  /// - Throws: ``SimulationError/invalidLocation(_:)``, when the coordinate isn't valid, or
  ///   `CancellationError`, before the next location.
  public func rest(
    at coordinate: GeofenceClient.Coordinate, for duration: Duration
  ) async throws {
    let place = try Geofencing.Coordinate(coordinate)
    try await inTurn {
      let arrival = await arrival(at: place)
      var timestamp = arrival
      while timestamp - arrival <= duration {
        try Task.checkCancellation()
        var fix = Geofencing.Location(timestamp: timestamp, coordinate: place)
        fix.horizontalAccuracy = 3
        fix.speed = 0
        time.move(to: timestamp)
        await take(Positioning.LocationUpdate(location: fix))
        timestamp = timestamp + .seconds(1)
      }
    }
  }

  /// When a place is reached from where the device is.
  private func arrival(at place: Geofencing.Coordinate) async -> Timestamp {
    let way = await daemon.lastFix.map { $0.coordinate.distance(to: place) } ?? 0
    return time.now + .seconds(max(1, (way / Self.travelSpeed).rounded(.up)))
  }

  private func move(to place: Geofencing.Coordinate, altitude: Double?) async throws {
    var timestamp = await arrival(at: place)
    var stay = Duration.zero
    while true {
      try Task.checkCancellation()
      var fix = Geofencing.Location(timestamp: timestamp, coordinate: place)
      fix.horizontalAccuracy = 3
      fix.altitude = altitude
      fix.verticalAccuracy = altitude == nil ? nil : 5
      time.move(to: timestamp)
      await take(Positioning.LocationUpdate(location: fix))
      let asked = try await daemon.unsettledConditions(at: fix).map { condition in
        max(condition.enterAfter ?? .zero, condition.exitAfter ?? .zero)
      }
      let mayLeaveRest = await daemon.pauseMayEnd
      guard !asked.isEmpty || mayLeaveRest, stay < Self.settling + (asked.max() ?? .zero)
      else { return }
      timestamp = timestamp + .seconds(1)
      stay += .seconds(1)
    }
  }

  /// Plays a receiver's recording, NMEA 0183, gpsd's JSON or a GPX track, without waiting between its
  /// fixes.
  ///
  /// When it returns, all came of it that would have come with a receiver. Positions that aren't plausible are left
  /// out as by the daemon, but dates may go back at once: a test plays recordings in any order.
  ///
  /// - Parameter path: A file as `gpspipe -w`, `gpspipe -r` or `geofenced ctl record` writes it, or GPX
  ///   1.0 or 1.1.
  /// - Throws: ``SimulationError/recordingUnreadable(_:)``, or `CancellationError`.
  public func play(recordingAt path: String) async throws {
    let recording: Recording
    // For a recording's reader that is standard input, which is the test's own.
    guard path != "-" else { throw SimulationError.recordingUnreadable("-: name a file") }
    do {
      recording = try Recording(path: path)
    } catch {
      throw SimulationError.recordingUnreadable(error.description)
    }
    var parameters = PositioningParameters()
    // A test may play what was recorded in any order: that is no wrong date.
    parameters.dateTime = .zero
    let updates = Positioning.LocationUpdates(
      recording, parameters: parameters, after: await daemon.lastFix,
      everyUpdate: { await self.play($0) })
    for await _ in updates { try Task.checkCancellation() }
    try Task.checkCancellation()
    if let failure = recording.summary.failure {
      throw SimulationError.recordingUnreadable("\(path): can't be read to its end: \(failure)")
    }
  }

  /// Gives an update of a recording; false where its fix was refused.
  private func play(_ update: Positioning.LocationUpdate) async -> Bool {
    await inTurn {
      if let fix = update.location {
        time.move(to: fix.timestamp, isAnew: fix.followsDiscontinuity)
      }
      return await take(update, mayLeap: false)
    }
  }

  /// Lets time pass in which no location comes.
  ///
  /// Conditions expire, after ten seconds those who listen are told that there is no location, and in the
  /// end nothing is known any more. Locations that come afterwards are of a later time.
  public func pass(_ duration: Duration) async {
    await inTurn {
      time.pass(duration)
      await daemon.tick()
      let isFresh = lastTold.map { time.now - $0 <= PositioningParameters().staleAfter } ?? false
      if !isFresh { await take(Positioning.LocationUpdate(location: nil)) }
    }
  }

  @discardableResult
  private func take(
    _ update: Positioning.LocationUpdate, mayLeap: Bool = true
  ) async -> Bool {
    // That there is none is told once.
    if isSilent, update == Positioning.LocationUpdate(location: nil) { return true }
    isSilent = update.location == nil
    lastTold = update.location?.timestamp ?? lastTold
    return await daemon.take(update, mayLeap: mayLeap)
  }

  // MARK: Trouble

  /// Does what a restart of the daemon does: all connections are cut, and the log is opened again.
  ///
  /// When it returns, programs can connect again. Monitors, updates and sessions do so by themselves, within some
  /// tenths of a second: of what is sent before, a loop over updates hears the newest location alone.
  ///
  /// - Throws: the error of the log when it can't be opened again; the simulation is over then.
  public func restart() async throws {
    try await inTurn {
      await connections.close()
      await daemon.finish()
      daemon = try InProcessDaemon(in: folder.path, clock: time.clock)
      connections.open(to: daemon)
    }
  }
}
