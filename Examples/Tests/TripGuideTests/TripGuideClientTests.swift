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
    while true {
      do {
        return try await Monitor("trip-guide", service: geofences.service).identifiers.sorted()
      } catch MonitorError.alreadyOpen, MonitorError.consumerInUse {
        await Task.yield()
      }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `each region is told once when it is entered, and the trip ends with the last`() async throws
  {
    try await SimulatedGeofences.run { geofences in
      try await geofences.move(to: home)
      let events = try await TripGuideClient.live(service: geofences.service).startMonitoring(trip)
      try await geofences.move(to: trip.landmarks[0].coordinate)
      try await geofences.move(to: home)
      try await geofences.move(to: trip.landmarks[0].coordinate)
      try await geofences.move(to: trip.landmarks[1].coordinate)
      var told: [TripGuideClient.Event] = []
      for await event in events { told.append(event) }
      #expect(Set(told) == [.didEnterFrame, .didEnterBadge("palace"), .didEnterBadge("tower")])
      #expect(told.count == 3 && told.last == .didEnterBadge("tower"))
      #expect(try await watched(geofences) == [])
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
        for await event in events where event == .didEnterFrame { break }
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
      for await event in monitoring {
        told.append(event)
        break
      }
      #expect(told == [.didEnterFrame])
    }
  }
}
