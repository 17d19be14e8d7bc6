import Foundation
import GeofenceClient
import GeofenceSimulation
import Testing

/// Conditions, records and events, as a program meets them.
@Suite(.timeLimit(.minutes(10))) struct MonitorTests {
  @Test func `what is added is watched until it is removed`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, _ in
      #expect(monitor.name == "trip" && monitor.consumer == "default")
      #expect(try await monitor.identifiers == [])
      #expect(try await monitor.record(for: "home") == nil)
      let condition = CircularGeographicCondition(
        center: home, radius: 150, enterAfter: .seconds(5), exitAfter: .milliseconds(1500),
        confidence: 0.9, expires: Date(timeIntervalSince1970: 2_000_000_000.123))
      let added = try await monitor.add(condition, identifier: "home")
      try await monitor.add(circle(away), identifier: "away", assuming: .satisfied)
      #expect(try await monitor.identifiers == ["away", "home"])
      let record = try #require(try await monitor.record(for: "home"))
      #expect(record == Monitor.Record(condition: condition) && record == added)
      #expect(record.condition as? CircularGeographicCondition == condition)
      #expect(try await monitor.record(for: "away")?.state == .satisfied)

      try await monitor.remove("home")
      #expect(try await monitor.identifiers == ["away"])
      #expect(try await monitor.record(for: "home") == nil)
      try await monitor.remove("home")
    }
  }

  @Test func `an event tells all that is known of it`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      try await geofences.move(to: home)
      try await geofences.move(to: away)
      try await monitor.remove("home")
      var events = await monitor.events.makeAsyncIterator()
      let came = try #require(try await events.next())
      #expect(came.identifier == "home")
      #expect((came.previousState, came.state, came.kind) == (.unknown, .satisfied, .determined))
      #expect(came.location?.coordinate == home && came.location?.horizontalAccuracy == 3)
      #expect(came.date == came.location?.timestamp && came.location?.mode == 2)
      #expect(came.distance == -150)
      #expect(try #require(came.probability) > 0.99)
      #expect(came.visit?.began == came.date && came.visit?.duration == nil)
      #expect(came.reason == nil && came.refinement == nil && came.missed == nil)
      #expect(came.sequence == 1 && !came.log.isEmpty)

      let left = try #require(try await events.next())
      #expect((left.previousState, left.state, left.kind) == (.satisfied, .unsatisfied, .exited))
      #expect(try #require(left.distance) > 900)
      #expect(left.visit?.id == came.visit?.id)
      #expect(try #require(left.visit?.duration) >= .seconds(20))
      // Nobody saw it on the way.
      let bounds = try #require(left.bounds)
      #expect(bounds.lowerBound == came.date && bounds.upperBound <= left.date)
      #expect(left.log == came.log && left.sequence == 2)
      #expect(try await monitor.record(for: "home") == nil)
    }
  }

  @Test func `adding an equal condition changes nothing, another one begins anew`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      try await geofences.move(to: home)
      let before = try await monitor.record(for: "home")
      #expect(before?.state == .satisfied && before?.lastEvent?.kind == .determined)
      try await monitor.add(circle(), identifier: "home")
      #expect(try await monitor.record(for: "home") == before)

      try await monitor.add(circle(radius: 200), identifier: "home")
      #expect(try await monitor.record(for: "home")?.state == .unknown)
      var events = await monitor.events.makeAsyncIterator()
      _ = try await events.next()
      let end = try #require(try await events.next())
      #expect(end.kind == .unmonitored && end.reason == .replaced && end.state == .unmonitored)
    }
  }

  @Test func `other options keep the state, the visit and the last event, and are told to nobody`()
    async throws
  {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(
        CircularGeographicCondition(center: home, radius: 150, exitAfter: .seconds(7)),
        identifier: "home")
      try await geofences.move(to: home)
      var before = try #require(try await monitor.record(for: "home"))
      let options = ConditionOptions(
        enterAfter: .milliseconds(2500), confidence: 0.99,
        expires: Date(timeIntervalSince1970: 2_000_000_000.123))
      let after = try await monitor.setOptions(options, of: "home")
      #expect(after?.condition.options == options)
      #expect(after?.state == .satisfied && after?.lastEvent == before.lastEvent)
      before = try #require(try await monitor.record(for: "home"))
      #expect(before == after)
      try await monitor.setOptions(ConditionOptions(), of: "home")
      #expect(try await monitor.record(for: "home")?.condition.options == ConditionOptions())

      #expect(try await monitor.setOptions(options, of: "nothing") == nil)
      for (wrong, sentence) in [
        (ConditionOptions(confidence: 0.3), "confidence"),
        (ConditionOptions(confidence: .nan), "confidence"),
        (
          ConditionOptions(enterAfter: Duration(secondsComponent: 0, attosecondsComponent: -1)),
          "enterAfter"
        ),
        (ConditionOptions(exitAfter: .seconds(-1)), "exitAfter"),
        (ConditionOptions(expires: Date(timeIntervalSince1970: 1)), "in the past"),
        (ConditionOptions(expires: .distantFuture), "between 1678 and 2262"),
      ] {
        let error = await #expect(throws: MonitorError.self) {
          try await monitor.setOptions(wrong, of: "home")
        }
        if case .conditionInvalid(let text) = error, text.contains(sentence) { continue }
        Issue.record("\(String(describing: error)) for \(sentence)")
      }
      await #expect(throws: MonitorError.self) { try await monitor.setOptions(options, of: "a b") }

      try await geofences.move(to: away)
      var events = await monitor.events.makeAsyncIterator()
      let entry = try #require(try await events.next())
      let exit = try #require(try await events.next())
      #expect(entry.kind == .determined && exit.kind == .exited)
      let visit = try #require(entry.visit)
      #expect(exit.visit?.id == visit.id)
    }
  }

  @Test func `a wrong assumption is corrected by an event`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home", assuming: .satisfied)
      try await monitor.add(circle(away), identifier: "away", assuming: .satisfied)
      try await geofences.move(to: away)
      var events = await monitor.events.makeAsyncIterator()
      let event = try #require(try await events.next())
      #expect(
        (event.identifier, event.previousState, event.state) == ("home", .satisfied, .unsatisfied))
      #expect(try await monitor.record(for: "away")?.lastEvent == nil)
    }
  }

  @Test func `removing what is satisfied ends it with an event, and expiry does`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await geofences.move(to: home)
      try await monitor.add(circle(), identifier: "a")
      var brief = circle()
      brief.expires = Date(timeIntervalSince1970: 1_767_225_600 + 3600)
      #expect(brief.expires == brief.options.expires)
      try await monitor.add(brief, identifier: "b")
      try await geofences.move(to: home)
      try await monitor.remove("a")
      await geofences.pass(.seconds(3600))
      var reasons: [Monitor.Event.Reason?] = []
      for try await event in await monitor.events where event.state == .unmonitored {
        reasons.append(event.reason)
        if reasons.count == 2 { break }
      }
      #expect(reasons == [.removed, .expired])
      #expect(try await monitor.identifiers == [])
    }
  }

  /// What a receiver says that is received poorly.
  private let poor = Location(
    coordinate: Coordinate(latitude: 48.3, longitude: 16.3),
    timestamp: Date(timeIntervalSince1970: 1_767_225_600), horizontalAccuracy: 80)

  @Test func `a condition that is too small for the receiver says so`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(radius: 5), identifier: "door")
      try await monitor.add(circle(radius: 500), identifier: "house")
      var location = poor
      try await geofences.send(location)
      location.timestamp += 1
      try await geofences.send(location)
      #expect(try await monitor.record(for: "door")?.accuracyLimited == true)
      #expect(try await monitor.record(for: "house")?.accuracyLimited == false)
      let told = try await monitor.events.prefix(2).reduce(into: []) {
        $0.append("\($1.identifier) \($1.state) \($1.accuracyLimited)")
      }
      #expect(told.sorted() == ["door unsatisfied true", "house unsatisfied false"])
    }
  }

  @Test func `adding says at once that a condition is too small for the receiver`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await geofences.send(poor)
      #expect(try await monitor.add(circle(radius: 5), identifier: "door").accuracyLimited)
      let house = try await monitor.add(circle(radius: 500), identifier: "house")
      #expect(!house.accuracyLimited && house.state == .unknown)
    }
  }

  @Test func `all conditions and their states are given together`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, _ in
      #expect(try await monitor.records.isEmpty)
      for (name, state) in [("a", Monitor.Event.State.satisfied), ("b", .unsatisfied)] {
        try await monitor.add(circle(), identifier: name, assuming: state)
      }
      let records = try await monitor.records
      #expect(records.mapValues(\.state) == ["a": .satisfied, "b": .unsatisfied])
      #expect(try await records["a"] == monitor.record(for: "a"))
    }
  }

  @Test func `monitors have their own conditions and events`() async throws {
    try await SimulatedGeofences.run { geofences in
      let trip = try await Monitor("trip", service: geofences.service)
      let work = try await Monitor("work", service: geofences.service)
      try await trip.add(circle(), identifier: "home")
      try await work.add(circle(away), identifier: "away")
      try await geofences.move(to: home)
      #expect(try await trip.identifiers == ["home"])
      var events = await work.events.makeAsyncIterator()
      #expect(try await events.next()?.identifier == "away")
    }
  }

  @Test func `values go through JSON and compare`() throws {
    let condition = CircularGeographicCondition(
      center: home, radius: 150, enterAfter: .seconds(5), confidence: 0.9)
    let decoded = try JSONDecoder().decode(
      CircularGeographicCondition.self, from: JSONEncoder().encode(condition))
    #expect(decoded == condition && decoded.enterAfter == .seconds(5))
    var location = Location(coordinate: home, timestamp: Date(timeIntervalSince1970: 1))
    location.device = "/dev/ttyACM0"
    #expect(
      try JSONDecoder().decode(Location.self, from: JSONEncoder().encode(location)) == location)
    var event = Monitor.Event(
      identifier: "beacons", state: .satisfied, kind: .entered, date: .distantPast)
    let plain = event
    event.refinement = condition
    #expect(event != plain && event.refinement as? CircularGeographicCondition == condition)
    #expect(Set([event, plain, event]).count == 2)
  }

  @Test func `distances are those of the ellipsoid, and of nothing without a place`() {
    let vienna = Coordinate(latitude: 48.208, longitude: 16.372)
    let graz = Coordinate(latitude: 47.067, longitude: 15.442)
    #expect(abs(vienna.distance(to: graz) - 144_700) < 500)
    #expect(home.distance(to: home) == 0 && home.isValid)
    let nowhere = Coordinate(latitude: 91, longitude: 0)
    #expect(!nowhere.isValid && nowhere.distance(to: home).isNaN)
    #expect(!Coordinate(latitude: .nan, longitude: 0).isValid)
    let (a, b) = (
      Location(coordinate: vienna, timestamp: .distantPast),
      Location(coordinate: graz, timestamp: .distantPast)
    )
    #expect(a.distance(from: b) == vienna.distance(to: graz))
    let place = Location(latitude: 47.067, longitude: 15.442)
    #expect(place.coordinate == graz && place.mode == 2)
    #expect(a.distance(from: place) == a.distance(from: b))
    #expect(Location(latitude: 91, longitude: .nan).distance(from: place).isNaN)
  }
}
