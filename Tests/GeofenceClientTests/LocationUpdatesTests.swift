import ControlInterface
import Foundation
import GeofenceSimulation
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

private typealias Location = GeofenceClient.Location
private typealias Coordinate = GeofenceClient.Coordinate

/// Location updates as a program meets them.
@Suite(.timeLimit(.minutes(10))) struct LocationUpdatesTests {
  /// A second of a drive to the north at a speed.
  private func location(_ second: Int, speed: Double = 14) -> Location {
    Location(
      coordinate: Coordinate(latitude: 48 + Double(second) * speed / 111_200, longitude: 16),
      timestamp: Date(timeIntervalSince1970: 1_767_225_600 + Double(second)),
      horizontalAccuracy: 3, speed: speed, course: 0)
  }

  private func drive(_ geofences: SimulatedGeofences, _ seconds: Range<Int>) async throws {
    for second in seconds { try await geofences.send(location(second)) }
  }

  /// Updates of which a test is told that they are heard.
  private typealias Updates = AsyncMapSequence<LocationUpdates, LocationUpdate>

  /// Runs a loop while a drive goes on, and returns what came of the loop.
  ///
  /// The loop has heard of the drive's beginning before it goes on.
  private func during<Result: Sendable>(
    _ seconds: Range<Int>, of geofences: SimulatedGeofences,
    _ loop: @escaping @Sendable (Updates) async throws -> Result
  ) async throws -> Result {
    let (heard, reportHeard) = AsyncStream.makeStream(of: Void.self)
    let updates = LocationUpdates.liveUpdates(service: geofences.service)
      .map { update -> LocationUpdate in
        reportHeard.yield()
        return update
      }
    try await geofences.send(location(seconds.lowerBound))
    let task = Task { try await loop(updates) }
    for await _ in heard.prefix(1) {}
    try await drive(geofences, seconds.dropFirst())
    return try await task.value
  }

  @Test func `a loop gets the newest location, and then each one`() async throws {
    try await SimulatedGeofences.run { geofences in
      let updates = LocationUpdates.liveUpdates(service: geofences.service)
      try await drive(geofences, 0..<3)
      var iterator = updates.makeAsyncIterator()
      #expect(try await iterator.next()?.location == location(2))
      for second in 3..<200 {
        try await geofences.send(location(second))
        let update = try #require(try await iterator.next())
        #expect(update.location == location(second))
        #expect(update.missedUpdates == 0 && !update.isStationary && !update.locationUnavailable)
      }
    }
  }

  @Test func `the operators of sequences work`() async throws {
    try await SimulatedGeofences.run { geofences in
      let first = try await during(0..<50, of: geofences) { updates in
        try await updates.first { $0.location?.timestamp == location(30).timestamp }
      }
      #expect(first?.location == location(30))
      let filtered = try await during(50..<100, of: geofences) { updates in
        var seconds: [Double] = []
        let even = updates.compactMap(\.location?.timestamp.timeIntervalSince1970)
          .filter { $0.truncatingRemainder(dividingBy: 20) == 0 }.prefix(2)
        for try await second in even { seconds.append(second - 1_767_225_600) }
        return seconds
      }
      #expect(filtered == [60, 80])
      #expect(
        try await during(100..<110, of: geofences) { updates in
          try await updates.prefix(3).reduce(0) { count, _ in count + 1 }
        } == 3)
      let forwarded = LocationUpdate.liveUpdates(.fitness, service: geofences.service)
      #expect(try await forwarded.first { _ in true }?.location == location(109))
    }
  }

  @Test func `a receiver at rest is stationary, and then silent until it moves`() async throws {
    try await SimulatedGeofences.run { geofences in
      let (heard, reportHeard) = AsyncStream.makeStream(of: Void.self)
      let loop = Task {
        var stationary: [Date] = []
        var count = 0
        for try await update in LocationUpdates.liveUpdates(service: geofences.service) {
          reportHeard.yield()
          count += 1
          if update.isStationary, let date = update.location?.timestamp { stationary.append(date) }
          if let speed = update.location?.speed, speed > 10 { break }
        }
        return (stationary, count)
      }
      try await geofences.send(location(0, speed: 0))
      for await _ in heard.prefix(1) {}
      for second in 1..<600 { try await geofences.send(location(second, speed: 0)) }
      for second in 600..<640 {
        var moving = location(second, speed: 0)
        moving.coordinate = location(second - 600).coordinate
        moving.speed = 14
        try await geofences.send(moving)
      }
      let (stationary, count) = try await loop.value
      #expect(stationary == [location(300).timestamp])
      #expect(count <= 305)
    }
  }

  @Test func `a loop that begins in a pause hears of it, unless it judges that by itself`()
    async throws
  {
    try await SimulatedGeofences.run { geofences in
      try await geofences.rest(at: home, for: .seconds(600))
      for (configuration, isStationary) in [(nil, true), (LiveConfiguration.default, false)] {
        let updates = LocationUpdates.liveUpdates(configuration, service: geofences.service)
        let first = try #require(try await updates.first { _ in true })
        #expect(first.location?.coordinate == home && first.isStationary == isStationary)
      }
    }
  }

  @Test func `an update comes back from JSON as it was`() throws {
    var last = LocationUpdate(location: location(1, speed: 0))
    last.isStationary = true
    last.missedUpdates = 3
    for update in [last, LocationUpdate(location: nil)] {
      let text = try JSONEncoder().encode(update)
      #expect(try JSONDecoder().decode(LocationUpdate.self, from: text) == update)
    }
  }

  @Test func `nothing is asked before the loop begins, and leaving it hangs up`() async throws {
    let calls = Mutex(0)
    let hungUp = Mutex(0)
    let methods: [String: VarlinkMethod] = [
      Locations.name: .stream {
        (parameters: Locations.Parameters, _, out: VarlinkReplies<Locations.Reply>)
          -> Locations.Reply in
        calls.withLock { $0 += 1 }
        #expect(parameters.configuration == "airborne")
        var reply = Locations.Reply(location: nil, accuracyLimited: true)
        reply.dropped = 7
        do {
          while true {
            try await out.send(reply)
            try await Task.sleep(for: .milliseconds(1))
          }
        } catch {
          hungUp.withLock { $0 += 1 }
          throw error
        }
      }
    ]
    try await ScriptedService.run(methods) { service in
      let updates = LocationUpdates.liveUpdates(.airborne, service: service)
      var iterator: LocationUpdates.Iterator? = updates.makeAsyncIterator()
      #expect(calls.withLock { $0 } == 0)
      let update = try #require(try await iterator?.next())
      #expect(update.locationUnavailable && update.accuracyLimited && update.missedUpdates == 7)
      iterator = nil
      try await wait(for: "end of the call") { hungUp.withLock { $0 } == 1 }
      for try await _ in updates.prefix(2) {}
      try await wait(for: "end of the call") { hungUp.withLock { $0 } == 2 }
      #expect(calls.withLock { $0 } == 2)
    }
  }

  @Test func `a cancelled loop ends at once, also while more has come than it has taken`()
    async throws
  {
    let (manyWait, sent) = AsyncStream.makeStream(of: Never.self)
    let methods: [String: VarlinkMethod] = [
      Locations.name: .stream {
        (_: Locations.Parameters, _, out: VarlinkReplies<Locations.Reply>) -> Locations.Reply in
        for _ in 0..<10 { try await out.send(Locations.Reply(location: nil)) }
        sent.finish()
        while true { try await out.send(Locations.Reply(location: nil)) }
      }
    ]
    try await ScriptedService.run(methods) { service in
      let loop = Task {
        var count = 0
        for try await _ in LocationUpdates.liveUpdates(service: service) {
          count += 1
          for await _ in manyWait {}
          withUnsafeCurrentTask { $0?.cancel() }
          if count == 5 { break }
        }
        return count
      }
      let count = try await loop.value
      #expect(count == 1)
    }
  }

  @Test func `a restart is told by one update, and the loop goes on`() async throws {
    try await SimulatedGeofences.run { geofences in
      let isBack = Mutex(false)
      try await drive(geofences, 0..<2)
      var updates = LocationUpdates.liveUpdates(service: geofences.service).makeAsyncIterator()
      #expect(try await updates.next()?.location == location(1))
      try await geofences.restart()
      let gone = try #require(try await updates.next())
      #expect(gone.receiverDisconnected && gone.locationUnavailable)
      #expect(gone.disconnection?.isEmpty == false)
      // Once the loop is back it hears what comes; how soon that is depends on the machine.
      let next = Task { [updates] in
        var updates = updates
        defer { isBack.withLock { $0 = true } }
        return try await updates.next()
      }
      var second = 2
      try await wait(for: "update after the restart") {
        try await geofences.send(location(second))
        second += 1
        return isBack.withLock { $0 }
      }
      #expect(try await next.value?.location != nil)
    }
  }

  @Test(arguments: [[Errno.connectionRefused], [.connectionRefused, .timedOut]])
  func `a service that is away is told once, whatever the reasons, and then there is silence`(
    reasons: [Errno]
  ) async throws {
    let clock = ManualClock()
    let attempts = Mutex(0)
    let service = GeofenceService(identity: "away", clock: clock) {
      let attempt = attempts.withLock { attempts in
        defer { attempts += 1 }
        return attempts
      }
      throw reasons[attempt % reasons.count]
    }
    let told = Mutex<[LocationUpdate]>([])
    let loop = Task {
      for try await update in LocationUpdates.liveUpdates(service: service) {
        told.withLock { $0.append(update) }
      }
    }
    await clock.pass(10)
    await clock.waitForSleepers(1)
    let all = told.withLock { $0 }
    let only = try #require(all.first)
    #expect(all.count == 1 && only.receiverDisconnected && only.locationUnavailable)
    #expect(only.disconnection?.hasPrefix("nothing answers on ") == true)
    loop.cancel()
    try await loop.value
  }

  @Test func `a user who may not is told once, and asks again half a minute later`() async throws {
    let clock = ManualClock()
    let attempts = Mutex(0)
    let service = GeofenceService(identity: "forbidden", clock: clock) {
      attempts.withLock { $0 += 1 }
      throw Errno.permissionDenied
    }
    let loop = Task {
      try await LocationUpdates.liveUpdates(service: service).prefix(2).reduce(into: []) {
        $0.append($1)
      }
    }
    for attempt in 1...3 {
      await clock.waitForSleepers(1)
      #expect(attempts.withLock { $0 } == attempt)
      clock.advance(by: .seconds(29))
      await clock.waitForSleepers(1)
      #expect(attempts.withLock { $0 } == attempt)
      clock.advance(by: .seconds(1))
    }
    await clock.waitForSleepers(1)
    loop.cancel()
    let told = try await loop.value
    #expect(told.count == 1 && told.first?.authorizationDenied == true)
    #expect(told.first?.disconnection == GeofencedInterface.refusal(ofSocket: "forbidden"))
  }

  @Test func `a service that speaks another language ends the loop`() async throws {
    try await ScriptedService.run([:]) { service in
      var updates = LocationUpdates.liveUpdates(service: service).makeAsyncIterator()
      await #expect(throws: MonitorError.self) { try await updates.next() }
      let afterwards = try await updates.next()
      #expect(afterwards == nil)
    }
  }
}
