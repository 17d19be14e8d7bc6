public import GeofenceClient
internal import GeofenceDaemon
internal import Geofencing
internal import Positioning

/// What geofenced does, in this process, for the tests of programs.
///
/// It has the same rules, log and methods, but no daemon, receiver or socket file.
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
/// Time is that of the locations that are given: it doesn't pass by itself, and the same locations give the same
/// events.
public actor SimulatedGeofences {
  /// How fast ``move(to:altitude:)`` travels, in metres per second.
  private static let travelSpeed = 50.0

  /// How long ``move(to:altitude:)`` waits at least for the rules to decide.
  private static let settling = Duration.seconds(120)

  /// The service with which a program under test makes its monitors, updates and sessions.
  public nonisolated let service: GeofenceService

  private let folder: TemporaryFolder
  private let time: SimulatedTime
  private let connections: SimulatedConnections
  private var daemon: InProcessDaemon

  /// The time of the last location that listeners were told, and whether they have been told since that there is none
  /// any more.
  private var lastTold: Timestamp?
  private var isSilent = false

  /// Whether something is being done with the daemon, and those who wait for their turn.
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
        // A task of the body may still have the service; that doesn't keep the daemon alive.
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

  /// Does something with the daemon after all that was asked for before.
  ///
  /// So no location is given to a daemon that is being restarted.
  private func inTurn<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    // If somebody waits it stays busy for them: nobody else comes in between.
    defer { if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() } }
    return try await body()
  }

  // MARK: Locations

  /// Judges a location and tells it to listeners.
  ///
  /// It isn't checked for plausibility as the daemon checks positions: without a speed, it may lie anywhere. A
  /// location that contradicts the speeds before it is told to listeners, but not judged.
  ///
  /// When this returns, its events are in the log, and every loop that reads updates has got it. A loop that doesn't
  /// ask for its next update is waited for, up to ten seconds: so a loop whose own body sends a location waits for
  /// itself.
  ///
  /// - Throws: ``SimulationError/invalidLocation(_:)`` if one of its numbers isn't valid, if it isn't newer than the
  ///   last one that was judged, or if its time is over already.
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

  /// Goes to a place and stays there until every condition is in the state that belongs to it.
  ///
  /// It also waits until listeners to updates no longer take the device for resting elsewhere. The locations are good
  /// ones, one a second; the first comes after the time that the way takes at 180 km/h.
  ///
  /// Entering a condition needs fewer locations than leaving one. So on the way from one condition to another, the
  /// second one is entered before the first one is left.
  ///
  /// A condition may stay as it is if the place lies on its edge: nothing is waited for longer than two minutes and
  /// the times that conditions ask for.
  ///
  /// No locations come on the way. If the way takes longer than the rules remember a position, ten minutes or 30 km,
  /// that is a silence: every state is undetermined before the place is reached.
  ///
  /// - Parameters:
  ///   - coordinate: The place.
  ///   - altitude: Metres above mean sea level; the locations have no other altitude. If a condition's band asks for
  ///     one that they don't have, it can only be found to be outside of its shape, and isn't waited for.
  /// - Throws: ``SimulationError/invalidLocation(_:)`` if the coordinate isn't valid or the altitude isn't finite;
  ///   `CancellationError` before the next location.
  public func move(
    to coordinate: GeofenceClient.Coordinate, altitude: Double? = nil
  ) async throws {
    if let altitude, !altitude.isFinite {
      throw SimulationError.invalidLocation("altitude \(altitude) is no number")
    }
    let place = try Geofencing.Coordinate(coordinate)
    try await inTurn { try await move(to: place, altitude: altitude) }
  }

  /// Stands still at a place for some time.
  ///
  /// The locations are good ones, one a second, with a speed of 0; the first comes after the time that the way takes
  /// at 180 km/h.
  ///
  /// Listeners to updates are told of the rest when it has been long enough, five minutes by default. Then they are
  /// told nothing until the device has been elsewhere for some 45 seconds, as by ``move(to:altitude:)``. Conditions
  /// aren't waited for.
  ///
  /// - Throws: ``SimulationError/invalidLocation(_:)`` if the coordinate isn't valid; `CancellationError` before the
  ///   next location.
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

  /// The time at which a place is reached from where the device is.
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

  /// Plays a receiver's recording without waiting between its fixes.
  ///
  /// It may be NMEA 0183, gpsd's JSON or a GPX track.
  ///
  /// When this returns, all has happened that would have happened with a receiver. Positions that aren't plausible are
  /// left out, as by the daemon. But dates may go back without delay, as a test may play recordings in any order.
  ///
  /// - Parameter path: A file as `gpspipe -w`, `gpspipe -r` or `geofenced ctl record` writes it, or GPX
  ///   1.0 or 1.1.
  /// - Throws: ``SimulationError/recordingUnreadable(_:)``, or `CancellationError`.
  public func play(recordingAt path: String) async throws {
    let recording: Recording
    // Readers of recordings take that for standard input, which belongs to the test.
    guard path != "-" else { throw SimulationError.recordingUnreadable("-: name a file") }
    do {
      recording = try Recording(path: path)
    } catch {
      throw SimulationError.recordingUnreadable(error.description)
    }
    var parameters = PositioningParameters()
    // A test may play recordings in any order: an earlier date isn't wrong.
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

  /// Judges and tells an update of a recording; false if its fix was refused.
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
  /// Conditions expire, after ten seconds listeners are told that there is no location, and in the end no state is
  /// known any more. Locations that come afterwards have to be of a later time.
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
    // That there is no location is told only once.
    if isSilent, update == Positioning.LocationUpdate(location: nil) { return true }
    isSilent = update.location == nil
    lastTold = update.location?.timestamp ?? lastTold
    return await daemon.take(update, mayLeap: mayLeap)
  }

  // MARK: Trouble

  /// Does what a restart of the daemon does: cuts all connections, and opens the log again.
  ///
  /// When this returns, programs can connect again. Monitors, updates and sessions do so by themselves, within some
  /// tenths of a second. Of the locations that are sent before that, a loop over updates gets only the newest.
  ///
  /// - Throws: the error of the log if it can't be opened again; then the simulation is over.
  public func restart() async throws {
    try await inTurn {
      await connections.close()
      await daemon.finish()
      daemon = try InProcessDaemon(in: folder.path, clock: time.clock)
      connections.open(to: daemon)
    }
  }
}
