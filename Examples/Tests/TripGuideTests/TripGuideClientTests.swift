import GeofenceClient
import GeofenceSimulation
import Testing
import TripGuide

/// The client that asks the daemon, here with the rules in this process and positions by hand.
@Suite struct TripGuideClientTests {
  private let trip = TripGuideFeatureTests.trip

  /// Far from everything.
  private let home = Coordinate(latitude: 37.2, longitude: 126.9780)

  /// What is watched: asked of a monitor of the same name once the guide's own is gone.
  private func watched(_ geofences: SimulatedGeofences) async throws -> [String] {
    try await Monitor("trip-guide", service: geofences.service).identifiers.sorted()
  }

  @Test(.timeLimit(.minutes(10)))
  func `each region is told once when it is entered, and the trip ends with the last`() async throws
  {
    try await SimulatedGeofences.run { geofences in
      try await geofences.move(to: home)
      let guide = TripGuideClient.live(service: geofences.service)
      let events = try await guide.startMonitoring(trip)
      try await geofences.move(to: trip.landmarks[0].coordinate)
      try await geofences.move(to: home)
      try await geofences.move(to: trip.landmarks[0].coordinate)
      try await geofences.move(to: trip.landmarks[1].coordinate)
      var told: [TripGuideClient.Event] = []
      for try await event in events { told.append(event) }
      #expect(Set(told) == [.didEnterFrame, .didEnterBadge("palace"), .didEnterBadge("tower")])
      #expect(told.count == 3 && told.last == .didEnterBadge("tower"))
      #expect(try await watched(geofences) == [])

      // The next trip is told nothing of this one.
      try await geofences.move(to: home)
      let again = try await guide.startMonitoring(trip)
      try await geofences.move(to: home)
      #expect(
        try await next(2, of: again, at: trip.landmarks[0], geofences)
          == [.didEnterFrame, .didEnterBadge("palace")])
    }
  }

  /// What is told first of a trip, when a landmark is visited.
  private func next(
    _ count: Int, of events: TripGuideClient.Events, at landmark: Landmark,
    _ geofences: SimulatedGeofences
  ) async throws -> Set<TripGuideClient.Event> {
    try await geofences.move(to: landmark.coordinate)
    return try await events.prefix(count).reduce(into: []) { $0.insert($1) }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a trip to the same places under another name is told nothing of the first one`()
    async throws
  {
    try await SimulatedGeofences.run { geofences in
      try await geofences.move(to: home)
      let guide = TripGuideClient.live(service: geofences.service)
      do {
        let events = try await guide.startMonitoring(trip)
        // Two regions are entered at once, and the loop is left with the first of them.
        _ = try await next(1, of: events, at: trip.landmarks[1], geofences)
      }
      try await geofences.move(to: home)
      var other = trip
      other.name = "서울"
      let events = try await guide.startMonitoring(other)
      #expect(
        try await next(2, of: events, at: trip.landmarks[0], geofences)
          == [.didEnterFrame, .didEnterBadge("palace")])
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a trip goes on over restarts of the daemon`() async throws {
    try await SimulatedGeofences.run { geofences in
      try await geofences.move(to: home)
      let events = try await TripGuideClient.live(service: geofences.service).startMonitoring(trip)
      for landmark in trip.landmarks {
        try await geofences.move(to: landmark.coordinate)
        for _ in 0..<10 { try await geofences.restart() }
        try await geofences.move(to: home)
      }
      var told: [TripGuideClient.Event] = []
      for try await event in events { told.append(event) }
      #expect(Set(told) == [.didEnterFrame, .didEnterBadge("palace"), .didEnterBadge("tower")])
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a trip that the daemon won't go on with ends with the reason`() async throws {
    try await SimulatedGeofences.run { geofences in
      let events = try await TripGuideClient.live(service: geofences.service).startMonitoring(trip)
      try await Monitor.removeConsumer(ofMonitor: "trip-guide", service: geofences.service)
      await #expect(throws: MonitorError.self) { for try await _ in events {} }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `leaving the loop takes away what is still watched`() async throws {
    try await SimulatedGeofences.run { geofences in
      try await geofences.move(to: home)
      // A stream ends when nobody has it any more: with this function.
      func arrive() async throws {
        let events = try await TripGuideClient.live(service: geofences.service)
          .startMonitoring(trip)
        try await geofences.move(to: trip.landmarks[1].coordinate)
        for try await event in events where event == .didEnterFrame { break }
      }
      try await arrive()
      #expect(try await watched(geofences) == [])
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `what another trip left behind is not watched any more`() async throws {
    try await SimulatedGeofences.run { geofences in
      try await Monitor("trip-guide", service: geofences.service).add(
        CircularGeographicCondition(center: home, radius: 1_000), identifier: "badge.old")
      let monitoring = try await TripGuideClient.live(service: geofences.service)
        .startMonitoring(trip)
      try await geofences.move(to: home)
      try await geofences.move(to: trip.center)
      var told: [TripGuideClient.Event] = []
      for try await event in monitoring {
        told.append(event)
        break
      }
      #expect(told == [.didEnterFrame])
    }
  }
}
