import Foundation
import GeofenceClient
import GeofenceSimulation
import TestSupport
import Testing

/// Polygons, corridors and altitude bands, as a program meets them.
@Suite(.timeLimit(.minutes(10))) struct ConditionKindTests {
  private static func corner(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  /// A yard of 2.2 by 1.5 km around ``home`` with a hole in its east, the outer ring counterclockwise
  /// and the hole clockwise, as they come back.
  private static let yard = PolygonalGeographicCondition(
    exterior: [
      corner(48.19, 16.29), corner(48.19, 16.31), corner(48.21, 16.31), corner(48.21, 16.29),
    ],
    holes: [
      [
        corner(48.198, 16.304), corner(48.202, 16.304), corner(48.202, 16.308),
        corner(48.198, 16.308),
      ]
    ])

  private static let inHole = corner(48.2, 16.306)

  private static let route = CorridorGeographicCondition(
    lines: [[corner(48.2, 16.29), home, corner(48.21, 16.31)], [corner(48.3, 16.3), away]],
    width: 200)

  static let kinds: [any Condition] = {
    var strict = yard
    strict.options = ConditionOptions(
      enterAfter: .seconds(5), exitAfter: .milliseconds(1500), confidence: 0.9,
      expires: Date(timeIntervalSince1970: 2_000_000_000.123))
    strict.altitude = AltitudeBand(maximum: 120, reference: .ellipsoid)
    var islands = yard
    islands.polygons.append(
      PolygonalGeographicCondition.Polygon(
        exterior: [corner(-18, 179), corner(-17, 179), corner(-17.5, 178)]))
    var high = circle()
    high.altitude = AltitudeBand(minimum: -10.5, maximum: 3000)
    var tunnel = route
    tunnel.altitude = AltitudeBand(maximum: 400)
    return [yard, strict, islands, route, tunnel, high]
  }()

  @Test func `an option is the same by its own name`() {
    var place: any Condition = Self.yard
    place.enterAfter = .seconds(5)
    place.exitAfter = .seconds(6)
    place.confidence = 0.9
    #expect(
      place.options
        == ConditionOptions(enterAfter: .seconds(5), exitAfter: .seconds(6), confidence: 0.9))
    #expect(place.enterAfter == .seconds(5) && place.exitAfter == .seconds(6))
    #expect(place.confidence == 0.9)
  }

  @Test(arguments: kinds.indices)
  func `what is added comes back equal, and adding it again changes nothing`(index: Int)
    async throws
  {
    let condition = Self.kinds[index]
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(condition, identifier: "it", assuming: .satisfied)
      let record = try #require(try await monitor.record(for: "it"))
      #expect(AnyHashable(record.condition) == AnyHashable(condition))
      try await monitor.add(record.condition, identifier: "it")
      #expect(try await monitor.record(for: "it")?.state == .satisfied)
      try await geofences.restart()
      #expect(try await monitor.record(for: "it") == record)
    }
  }

  @Test func `a ring may repeat its first corner`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, _ in
      var closed = Self.yard
      closed.polygons[0].exterior.append(closed.polygons[0].exterior[0])
      try await monitor.add(closed, identifier: "yard", assuming: .satisfied)
      try await monitor.add(Self.yard, identifier: "yard")
      let record = try #require(try await monitor.record(for: "yard"))
      #expect(record.state == .satisfied, "it was replaced")
      #expect(record.condition as? PolygonalGeographicCondition == Self.yard)
    }
  }

  /// Conditions that are wrong, and what the sentence names.
  static let wrong: [(any Condition, String)] = {
    var low = circle()
    low.altitude = AltitudeBand(minimum: 100, maximum: 50)
    var deep = circle()
    deep.altitude = AltitudeBand(minimum: -1e6)
    return [
      (PolygonalGeographicCondition(polygons: []), "a polygon needs a ring"),
      (
        PolygonalGeographicCondition(exterior: [home, away]), "polygon 1, ring 1"
      ),
      (PolygonalGeographicCondition(exterior: []), "polygon 1, ring 1"),
      (
        PolygonalGeographicCondition(exterior: [home, away, corner(91, 0)]),
        "latitude 91.0 is out of range"
      ),
      (
        PolygonalGeographicCondition(exterior: [home, away, corner(.nan, 0)]),
        "polygon 1, ring 1, position 3"
      ),
      (
        PolygonalGeographicCondition(
          exterior: yard.polygons[0].exterior, holes: [[home, away]]), "polygon 1, ring 2"
      ),
      (
        CorridorGeographicCondition(line: [home], width: 10),
        "line 1 needs at least two different positions"
      ),
      (CorridorGeographicCondition(lines: [], width: 10), "a corridor needs a line"),
      (CorridorGeographicCondition(line: [home, away], width: 1), "width"),
      (CorridorGeographicCondition(line: [home, away], width: .infinity), "width"),
      (CorridorGeographicCondition(line: [home, corner(0, 400)], width: 10), "position 2"),
      (low, "50"), (deep, "minimumAltitude"),
    ]
  }()

  @Test(arguments: wrong.indices)
  func `what is wrong with a shape is told, and nothing is added`(index: Int) async throws {
    let (condition, sentence) = Self.wrong[index]
    try await SimulatedGeofences.withMonitor { monitor, _ in
      let error = await #expect(throws: MonitorError.self) {
        try await monitor.add(condition, identifier: "it")
      }
      guard case .conditionInvalid(let text) = error else {
        throw TestFailure("\(String(describing: error))")
      }
      #expect(text.contains(sentence), "\(text)")
      #expect(!text.contains("\n"))
      #expect(try await monitor.identifiers == [])
    }
  }

  /// What happens to a monitor on a way, in short.
  private func happenings(
    _ condition: any Condition, _ way: [Coordinate]
  ) async throws -> [String] {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(condition, identifier: "it", assuming: .unsatisfied)
      for place in way { try await geofences.move(to: place) }
      try await monitor.remove("it")
      try await monitor.add(circle(), identifier: "end", assuming: .satisfied)
      try await monitor.remove("end")
      var happenings: [String] = []
      for try await event in await monitor.events {
        if event.identifier == "end" { break }
        happenings.append("\(event.kind) \(event.state)")
      }
      return happenings
    }
  }

  @Test func `a polygon is entered and left, and its hole is outside`() async throws {
    #expect(
      try await happenings(
        Self.yard,
        [
          Self.corner(48.25, 16.3), home, Self.inHole, home, Self.corner(48.2, 16.35),
        ])
        == [
          "entered satisfied", "exited unsatisfied", "entered satisfied", "exited unsatisfied",
          "unmonitored unmonitored",
        ])
  }

  @Test func `a corridor is entered on any of its lines`() async throws {
    #expect(
      try await happenings(
        Self.route,
        [
          Self.corner(48.22, 16.2), Self.corner(48.2, 16.295), Self.corner(48.22, 16.2),
          Self.corner(48.25, 16.3), Self.corner(48.25, 16.31),
        ])
        == [
          "entered satisfied", "exited unsatisfied", "entered satisfied", "exited unsatisfied",
          "unmonitored unmonitored",
        ])
  }

  @Test func `a band is entered and left in the same place`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      var overhead = circle()
      overhead.altitude = AltitudeBand(minimum: 300, maximum: 1_500)
      try await monitor.add(overhead, identifier: "overhead")
      for (altitude, state) in [
        (100, Monitor.Event.State.unsatisfied), (900, .satisfied), (5_000, .unsatisfied),
        (400, .satisfied),
      ] as [(Double, Monitor.Event.State)] {
        try await geofences.move(to: home, altitude: altitude)
        let record = try #require(try await monitor.record(for: "overhead"))
        #expect(record.state == state, "\(altitude) m")
        #expect(record.lastEvent?.location?.mode == 3)
      }
      // Without an altitude nothing can be said about it.
      try await geofences.move(to: home)
      #expect(try await monitor.record(for: "overhead")?.state == .satisfied)
      try await geofences.move(to: away, altitude: 400)
      #expect(try await monitor.record(for: "overhead")?.state == .unsatisfied)
      await #expect(throws: SimulationError.self) {
        try await geofences.move(to: home, altitude: .nan)
      }
    }
  }
}
