import Foundation
import GeofenceSimulation
import TestSupport
import Testing

import struct Geofencing.Timestamp

@testable import GeofenceClient

/// The simulation that programs test with.
@Suite(.timeLimit(.minutes(10))) struct SimulatedGeofencesTests {
  private func location(_ second: Double, latitude: Double = 48.2) -> Location {
    Location(
      coordinate: Coordinate(latitude: latitude, longitude: 16.3),
      timestamp: Date(timeIntervalSince1970: second), horizontalAccuracy: 3)
  }

  @Test func `what no receiver could say is refused with the reason`() async throws {
    try await SimulatedGeofences.run { geofences in
      try await geofences.send(location(100))
      var odd = location(101)
      odd.horizontalAccuracy = 0
      var reversing = location(101)
      reversing.speed = -1
      var buried = location(101)
      buried.altitude = -.infinity
      var lost = location(101)
      lost.course = -1
      for (location, sentence) in [
        (location(100), "a location of 1970-01-01T00:01:40.000Z can't follow"),
        (location(101, latitude: 91), "latitude 91.0 is out of range"),
        (odd, "horizontalAccuracy 0.0 is out of range"),
        (reversing, "speed -1.0 is out of range"),
        (buried, "altitude -inf is no number"),
        (lost, "course -1.0 is out of range"),
        (location(1e300), "the timestamp is out of range: give a date between 1678 and 2262"),
        (
          Location(latitude: 48, longitude: 11),
          "the location has no timestamp: give a date between"
        ),
      ] {
        let error = await #expect(throws: SimulationError.self) {
          try await geofences.send(location)
        }
        #expect(try #require(error).description.hasPrefix(sentence))
      }
      await #expect(throws: SimulationError.self) {
        try await geofences.move(to: Coordinate(latitude: 0, longitude: 181))
      }
      await #expect(throws: SimulationError.self) {
        try await geofences.play(recordingAt: "/nonexistent/recording")
      }
    }
  }

  @Test func `a move takes as long as the conditions want, near and far`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      let patient = CircularGeographicCondition(
        center: home, radius: 100, enterAfter: .seconds(200), exitAfter: .seconds(300))
      try await monitor.add(patient, identifier: "patient", assuming: .unsatisfied)
      try await monitor.add(circle(), identifier: "prompt", assuming: .unsatisfied)
      let far = Coordinate(latitude: -33.9, longitude: 18.4)
      for (place, state) in [
        (away, Monitor.Event.State.unsatisfied), (home, .satisfied), (far, .unsatisfied),
        (home, .satisfied),
      ] {
        try await geofences.move(to: place)
        for identifier in ["patient", "prompt"] {
          #expect(try await monitor.record(for: identifier)?.state == state)
        }
      }
    }
  }

  @Test func `a move from one condition to another enters that before the first is left`()
    async throws
  {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      for (identifier, place) in [("home", home), ("away", away)] {
        try await monitor.add(circle(place), identifier: identifier, assuming: .unsatisfied)
      }
      for place in [home, away] { try await geofences.move(to: place) }
      let told = try await monitor.events.prefix(3).reduce(into: []) {
        $0.append("\($1.identifier) \($1.kind)")
      }
      #expect(told == ["home entered", "away entered", "home exited"])
    }
  }

  @Test func `a simulation that is told of today goes on from there`() async throws {
    try await SimulatedGeofences.run { geofences in
      let now = Date.now
      try await geofences.send(Location(coordinate: home, timestamp: now, horizontalAccuracy: 3))
      try await geofences.move(to: home)
      let update = try await LocationUpdates.liveUpdates(service: geofences.service)
        .first { _ in true }
      #expect(try #require(update?.location).timestamp >= now)
    }
  }

  @Test func `a move to the very edge ends too`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(radius: home.distance(to: away)), identifier: "edge")
      try await geofences.move(to: away)
      #expect(try await monitor.record(for: "edge")?.state == .unknown)
    }
  }

  /// The events of a recorded drive past three places, without what differs from run to run.
  private func eventsOfDrive(
    _ path: String, _ drive: Drive, restarts: Int = 0
  ) async throws -> [Monitor.Event] {
    try await SimulatedGeofences.run { geofences in
      let monitor = try await Monitor("drive", service: geofences.service)
      for place in drive.places {
        try await monitor.add(place.circle, identifier: place.identifier)
      }
      async let played: Void = geofences.play(recordingAt: path)
      for _ in 0..<restarts { try await geofences.restart() }
      try await played
      var events: [Monitor.Event] = []
      for try await var event in await monitor.events {
        event.log = ""
        events.append(event)
        if events.count == 9 { break }
      }
      return events
    }
  }

  @Test func `a recording gives the same events each time`() async throws {
    let drive = Drive(past: [200, 150, 300], spacing: 1_000)
    let folder = try TemporaryFolder()
    let path = try folder.write(drive.sentences, "drive.nmea")
    let events = try await eventsOfDrive(path, drive)
    let again = try await eventsOfDrive(path, drive)
    #expect(events == again)
    #expect(
      events.filter { $0.kind != .determined }.map { "\($0.identifier) \($0.kind)" } == [
        "place-1 entered", "place-1 exited", "place-2 entered", "place-2 exited",
        "place-3 entered", "place-3 exited",
      ])
    for event in events where event.kind == .entered {
      let arrival = try #require(drive.arrival(at: event.identifier))
      #expect(abs(event.date.timeIntervalSince(arrival)) < 10)
    }
  }

  @Test func `time that passes without locations makes everything unknown`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      try await geofences.move(to: home)
      await geofences.pass(.seconds(599))
      #expect(try await monitor.record(for: "home")?.state == .satisfied)
      await geofences.pass(.seconds(2))
      #expect(try await monitor.record(for: "home")?.state == .unknown)
      #expect(try await monitor.record(for: "home")?.lastEvent?.kind == .undetermined)
    }
  }

  @Test func `time that passes without locations leaves those who listen without one`()
    async throws
  {
    try await SimulatedGeofences.run { geofences in
      var updates = LocationUpdates.liveUpdates(service: geofences.service).makeAsyncIterator()
      await geofences.pass(.seconds(1))
      #expect(try await updates.next()?.locationUnavailable == true)
      try await geofences.send(location(100))
      #expect(try await updates.next()?.location == location(100))
      await geofences.pass(.seconds(10))
      await geofences.pass(.seconds(1))
      #expect(try await updates.next()?.locationUnavailable == true)
      // It is told once.
      await geofences.pass(.seconds(3600))
      try await geofences.send(location(4000))
      #expect(try await updates.next()?.location == location(4000))
      await geofences.pass(.seconds(60))
      var late = LocationUpdates.liveUpdates(service: geofences.service).makeAsyncIterator()
      #expect(try await late.next()?.locationUnavailable == true)
    }
  }

  @Test func `a move begins when the time that passed before it is over`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      try await geofences.move(to: home)
      let arrival = try #require(try await monitor.record(for: "home")?.lastEvent?.date)
      await geofences.pass(.seconds(300))
      try await geofences.send(location(arrival.timeIntervalSince1970 + 310))
      let error = await #expect(throws: SimulationError.self) {
        await geofences.pass(.seconds(100))
        try await geofences.send(location(arrival.timeIntervalSince1970 + 320))
      }
      #expect(try #require(error).description.contains(" comes too late: it is "))
      try await geofences.move(to: away)
      let exit = try #require(try await monitor.record(for: "home")?.lastEvent)
      #expect(exit.kind == .exited)
      #expect(exit.date.timeIntervalSince(arrival) > 410)
      await geofences.pass(.seconds(601))
      try await geofences.move(to: away)
      let back = try #require(try await monitor.record(for: "home")?.lastEvent)
      #expect(back.kind == .determined)
      #expect(back.date.timeIntervalSince(exit.date) > 600)
    }
  }

  @Test func `a recording of earlier sets the time back, and what follows goes on from it`()
    async throws
  {
    let drive = Drive(past: [200], spacing: 1_000)
    let folder = try TemporaryFolder()
    // However short it is.
    let epochs = drive.epochs.prefix(10)
    let path = try folder.write(epochs.flatMap(\.sentences), "drive.nmea")
    let end = Double(try #require(epochs.last).timestamp.nanoseconds) / 1e9
    try await SimulatedGeofences.run { geofences in
      try await geofences.send(location(end + 40_000_000))
      try await geofences.play(recordingAt: path)
      try await geofences.send(location(end + 10))
    }
  }

  @Test func `a restart keeps conditions, states and what wasn't acknowledged`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      try await geofences.move(to: home)
      try await geofences.restart()
      #expect(try await monitor.record(for: "home")?.state == .satisfied)
      var events = await monitor.events.makeAsyncIterator()
      #expect(try await events.next()?.kind == .determined)
      try await geofences.move(to: away)
      #expect(try await events.next()?.kind == .exited)
    }
  }

  @Test func `restarts amid a recording lose nothing of it`() async throws {
    let drive = Drive(past: [200, 150, 300], spacing: 1_000)
    let folder = try TemporaryFolder()
    let path = try folder.write(drive.sentences, "drive.nmea")
    let undisturbed = try await eventsOfDrive(path, drive)
    let disturbed = try await eventsOfDrive(path, drive, restarts: 20)
    #expect(disturbed.map(\.date) == undisturbed.map(\.date))
    #expect(disturbed.map(\.kind) == undisturbed.map(\.kind))
  }

  @Test func `restarts at once come one after the other`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      try await withThrowingTaskGroup { group in
        for _ in 0..<5 { group.addTask { try await geofences.restart() } }
        try await group.waitForAll()
      }
      try await geofences.move(to: home)
      #expect(try await monitor.record(for: "home")?.state == .satisfied)
    }
  }

  @Test func `what outlives a simulation keeps nothing of it`() async throws {
    let (monitor, identity) = try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      #expect(openFiles(in: geofences.service.identity).isEmpty == false)
      return (monitor, geofences.service.identity)
    }
    await #expect(throws: MonitorError.self) { try await monitor.identifiers }
    try await wait(for: "end of the daemon") { openFiles(in: identity).isEmpty }
  }

  /// The files in a folder that this process has open, removed ones too.
  private func openFiles(in folder: String) -> [String] {
    ((try? openDescriptors()) ?? [:]).values.filter { $0.hasPrefix(folder) }
  }

  @Test func `simulations know nothing of each other`() async throws {
    try await SimulatedGeofences.run { one in
      try await SimulatedGeofences.run { other in
        let monitor = try await Monitor("trip", service: one.service)
        let twin = try await Monitor("trip", service: other.service)
        try await monitor.add(circle(), identifier: "home")
        #expect(try await twin.identifiers == [])
      }
    }
  }
}
