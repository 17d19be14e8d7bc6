import ControlInterface
import Foundation
import GeofenceSimulation
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// Many conditions at once, as a program hands them over.
@Suite(.timeLimit(.minutes(10))) struct ManyConditionsTests {
  /// A condition of a program's own making.
  private struct Indoors: GeofenceClient.Condition {
    var options = ConditionOptions()
  }

  /// Circles in a row to the north, the first one at ``home``.
  private func row(_ count: Int) -> [String: any GeofenceClient.Condition] {
    let circles = (0..<count).map { number in
      let center = Coordinate(
        latitude: home.latitude + Double(number) / 1_000, longitude: home.longitude)
      return ("place-\(number)", circle(center, radius: 50) as any GeofenceClient.Condition)
    }
    return Dictionary(uniqueKeysWithValues: circles)
  }

  @Test func `thousands are added together`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      // They take several parts.
      let places = row(6_000)
      #expect(try await monitor.add(contentsOf: places) == Monitor.Changes(added: 6_000))
      #expect(Set(try await monitor.identifiers) == Set(places.keys))
      try await geofences.move(to: home)
      #expect(try await monitor.record(for: "place-0")?.state == .satisfied)
      #expect(try await monitor.record(for: "place-5999")?.state == .unsatisfied)

      // The same again changes nothing, as with a single one.
      #expect(try await monitor.add(contentsOf: places) == Monitor.Changes(unchanged: 6_000))
      #expect(try await monitor.record(for: "place-0")?.state == .satisfied)
      #expect(try await monitor.add(contentsOf: [:]) == Monitor.Changes())

      var others = row(4_000)
      others["place-0"] = nil
      others["another"] = circle(away)
      #expect(
        try await monitor.replaceAll(with: others)
          == Monitor.Changes(added: 1, unchanged: 3_999, removed: 2_001))
      #expect(Set(try await monitor.identifiers) == Set(others.keys))
    }
  }

  @Test func `a list takes the place of what was watched`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      let other = try await Monitor("other", service: geofences.service)
      try await other.add(circle(), identifier: "place-0")
      try await monitor.add(contentsOf: row(4))
      try await monitor.add(circle(), identifier: "here")
      try await geofences.move(to: home)
      #expect(try await monitor.waitingEvents.reduce(0) { count, _ in count + 1 } == 5)
      var places = row(6)
      places["place-0"] = nil
      places["place-1"] = circle(away)
      places["here"] = circle(radius: 500)
      #expect(
        try await monitor.replaceAll(with: places, assuming: .unsatisfied)
          == Monitor.Changes(added: 2, replaced: 2, unchanged: 2, removed: 1))
      #expect(try await monitor.identifiers == places.keys.sorted())
      let record = try await monitor.record(for: "place-1")
      #expect(record?.condition as? CircularGeographicCondition == circle(away))
      #expect(try await monitor.record(for: "place-5")?.state == .unsatisfied)
      #expect(try await other.identifiers == ["place-0"])
      // Who was inside is told, and nobody else.
      let ends = try await monitor.waitingEvents.reduce(into: []) { $0.append($1) }
      #expect(ends.map(\.identifier) == ["here", "place-0"])
      #expect(ends.map(\.reason) == [.replaced, .removed])
      #expect(ends.allSatisfy { $0.kind == .unmonitored })

      #expect(try await monitor.replaceAll(with: [:]) == Monitor.Changes(removed: 6))
      #expect(try await monitor.identifiers == [])
    }
  }

  @Test func `a list with other options goes on, but where a state is given`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      func places(exitAfter: Duration?) -> [String: any GeofenceClient.Condition] {
        ["home": CircularGeographicCondition(center: home, radius: 100, exitAfter: exitAfter)]
      }
      try await monitor.replaceAll(with: places(exitAfter: nil))
      try await geofences.move(to: home)
      let before = try #require(try await monitor.record(for: "home"))
      #expect(before.state == .satisfied)
      #expect(
        try await monitor.replaceAll(with: places(exitAfter: .seconds(60)))
          == Monitor.Changes(adjusted: 1))
      let after = try #require(try await monitor.record(for: "home"))
      #expect(after.state == .satisfied && after.lastEvent == before.lastEvent)
      #expect(after.condition.options.exitAfter == .seconds(60))
      // As one is added that takes the place of another.
      #expect(
        try await monitor.add(contentsOf: places(exitAfter: nil)) == Monitor.Changes(replaced: 1))
      #expect(try await monitor.record(for: "home")?.state == .unknown)
      #expect(
        try await monitor.replaceAll(with: places(exitAfter: .zero), assuming: .satisfied)
          == Monitor.Changes(replaced: 1))
    }
  }

  @Test func `any kinds are given as they are added one by one`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, _ in
      let ring = [home, Coordinate(latitude: 48.2, longitude: 16.4), away]
      let places: [String: any GeofenceClient.Condition] = [
        "circle": circle(),
        // In the order that isn't the one of GeoJSON.
        "yard": PolygonalGeographicCondition(exterior: ring.reversed()),
        "route": CorridorGeographicCondition(line: [home, away], width: 40),
      ]
      for (identifier, condition) in places {
        try await monitor.add(condition, identifier: identifier)
      }
      #expect(try await monitor.replaceAll(with: places) == Monitor.Changes(unchanged: 3))
    }
  }

  @Test func `a part that is refused as too much is handed over again, and only that`()
    async throws
  {
    let calls = Mutex<[Int]>([])
    let methods: [String: VarlinkMethod] = [
      Consume.name: Script([reply([])]).consume,
      Change.name: .call { (parameters: Change.Parameters, _) -> Change.Reply in
        let number = calls.withLock { calls in
          calls.append(parameters.conditions?.count ?? 0)
          return calls.count
        }
        #expect((parameters.change == "token") == (number > 1))
        #expect((parameters.sync == true) == (parameters.unfinished != true))
        if [2, 4].contains(number) {
          throw VarlinkError("io.geofenced.TooManyRequests", message: "slower")
        }
        var reply = Change.Reply()
        if parameters.unfinished == true { reply.change = "token" } else { reply.added = 7 }
        return reply
      },
    ]
    let clock = ManualClock()
    try await ScriptedService.withMonitor(clock: clock, methods) { monitor throws in
      async let changes = monitor.replaceAll(with: row(3_000))
      await clock.pass(2)
      #expect(try await changes == Monitor.Changes(added: 7))
      let sizes = calls.withLock { $0 }
      #expect(sizes.count == 5 && sizes[1] == sizes[2] && sizes[3] == sizes[4])
      #expect(sizes[0] + sizes[2] + sizes[4] == 3_000)
    }
  }

  @Test func `a program may change more monitors at once than the service has room for`()
    async throws
  {
    try await SimulatedGeofences.run { geofences in
      let places = row(1_500)
      try await withThrowingTaskGroup(of: Monitor.Changes.self) { group in
        for number in 0..<12 {
          group.addTask {
            let monitor = try await Monitor("trip-\(number)", service: geofences.service)
            return try await monitor.replaceAll(with: places)
          }
        }
        for try await changes in group { #expect(changes == Monitor.Changes(added: 1_500)) }
      }
    }
  }

  @Test func `all of them or, with a mistake, none`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, _ in
      try await monitor.add(circle(), identifier: "home")
      func refusal(
        of conditions: [String: any GeofenceClient.Condition],
        assuming state: Monitor.Event.State = .unknown
      ) async throws -> MonitorError? {
        await #expect(throws: MonitorError.self) {
          try await monitor.replaceAll(with: conditions, assuming: state)
        }
      }
      var places = row(4)
      places["place-2"] = circle(radius: -1)
      places["place-3"] = circle(radius: -2)
      #expect(
        try await refusal(of: places)
          == .conditionInvalid(
            "'place-2': radius -1.0 is out of range: give metres from 1 to 2000000"))
      places["place-2"] = circle()
      places["place-3"] = CircularGeographicCondition(
        center: home, radius: 50, expires: Date(timeIntervalSince1970: 1))
      guard case .conditionInvalid(let expired)? = try await refusal(of: places) else {
        throw TestFailure("what has expired was taken")
      }
      #expect(expired.contains("'place-3'"))
      guard case .invalidName? = try await refusal(of: ["no name": circle()]) else {
        throw TestFailure("what can't be an identifier was taken")
      }
      #expect(
        try await refusal(of: ["indoors": Indoors()])
          == .conditionUnsupported(
            "'indoors': Indoors is no kind of condition that the service knows; use a "
              + "CircularGeographicCondition, a PolygonalGeographicCondition or a "
              + "CorridorGeographicCondition"))
      guard case .conditionInvalid? = try await refusal(of: row(1), assuming: .unmonitored) else {
        throw TestFailure("an impossible state was assumed")
      }
      #expect(try await monitor.identifiers == ["home"])
      #expect(try await monitor.replaceAll(with: ["home": circle()]).unchanged == 1)
    }
  }
}
