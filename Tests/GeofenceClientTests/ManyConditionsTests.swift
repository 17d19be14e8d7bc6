import Foundation
import GeofenceSimulation
import Testing

@testable import GeofenceClient

/// Many conditions at once, as a program hands them over.
@Suite(.timeLimit(.minutes(10)))
struct ManyConditionsTests {
  /// Circles in a row to the north, the first one at ``home``.
  private func row(_ count: Int) -> [String: any Condition] {
    let circles = (0..<count).map { number in
      let center = Coordinate(
        latitude: home.latitude + Double(number) / 1_000, longitude: home.longitude)
      return ("place-\(number)", circle(center, radius: 50) as any Condition)
    }
    return Dictionary(uniqueKeysWithValues: circles)
  }

  @Test func `thousands are added together`() async throws {
    try await SimulatedGeofences.run { geofences in
      let monitor = try await Monitor("trip", service: geofences.service)
      // More than fit into a message.
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
    }
  }

  @Test func `a list takes the place of what was watched`() async throws {
    try await SimulatedGeofences.run { geofences in
      let monitor = try await Monitor("trip", service: geofences.service)
      let other = try await Monitor("other", service: geofences.service)
      try await other.add(circle(), identifier: "place-0")
      try await monitor.add(contentsOf: row(3))
      try await geofences.move(to: home)
      var places = row(5)
      places["place-0"] = nil
      places["place-1"] = circle(away)
      #expect(
        try await monitor.replaceAll(with: places, assuming: .unsatisfied)
          == Monitor.Changes(added: 2, replaced: 1, unchanged: 1, removed: 1))
      #expect(
        try await monitor.identifiers == ["place-1", "place-2", "place-3", "place-4"])
      #expect(
        try await monitor.record(for: "place-1")?.condition as? CircularGeographicCondition
          == circle(away))
      #expect(try await monitor.record(for: "place-4")?.state == .unsatisfied)
      #expect(try await other.identifiers == ["place-0"])

      #expect(try await monitor.replaceAll(with: [:]) == Monitor.Changes(removed: 4))
      #expect(try await monitor.identifiers == [])
      // Who was inside is told.
      var events = await monitor.events.makeAsyncIterator()
      while let event = try await events.next() {
        guard event.kind == .unmonitored else { continue }
        #expect(event.identifier == "place-0" && event.reason == .removed)
        break
      }
    }
  }

  @Test func `all of them or, with a mistake, none`() async throws {
    try await SimulatedGeofences.run { geofences in
      let monitor = try await Monitor("trip", service: geofences.service)
      try await monitor.add(circle(), identifier: "home")
      func refusal(
        of conditions: [String: any Condition], assuming state: Monitor.Event.State = .unknown
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
        Issue.record("what has expired was taken")
        return
      }
      #expect(expired.contains("'place-3'"))
      guard case .invalidName? = try await refusal(of: ["no name": circle()]) else {
        Issue.record("what can't be an identifier was taken")
        return
      }
      guard case .conditionInvalid? = try await refusal(of: row(1), assuming: .unmonitored) else {
        Issue.record("an impossible state was assumed")
        return
      }
      #expect(try await monitor.identifiers == ["home"])
      #expect(try await monitor.replaceAll(with: ["home": circle()]).unchanged == 1)
    }
  }
}
