import Foundation
import GeofenceSimulation
import Synchronization
import TestSupport
import Testing

@testable import GeofenceClient

/// How a rest begins and ends in the simulation.
@Suite(.timeLimit(.minutes(10))) struct SimulatedRestTests {
  @Test func `who stands still is stationary, and is told when that ends`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home")
      try await geofences.move(to: home)
      let (heard, reportHeard) = AsyncStream.makeStream(of: Void.self)
      let loop = Task {
        var told: [LocationUpdate] = []
        for try await update in LocationUpdates.liveUpdates(service: geofences.service) {
          reportHeard.yield()
          if update.isStationary || !told.isEmpty { told.append(update) }
          if told.count == 2 { break }
        }
        return told
      }
      for await _ in heard.prefix(1) {}
      try await geofences.rest(at: home, for: .seconds(600))
      try await geofences.rest(at: away, for: .seconds(60))
      #expect(try await monitor.record(for: "home")?.lastEvent?.kind == .exited)
      let told = try await loop.value
      #expect(told.map(\.isStationary) == [true, false])
      #expect(told.map(\.location?.coordinate) == [home, away])
      #expect(told.map(\.location?.speed) == [0, 0])
    }
  }

  @Test func `a rest ends with the task that is cancelled`() async throws {
    try await SimulatedGeofences.run { geofences in
      let rest = Task { try await geofences.rest(at: home, for: .seconds(86_400 * 3650)) }
      rest.cancel()
      await #expect(throws: CancellationError.self) { try await rest.value }
    }
  }

  @Test(arguments: [nil, LiveConfiguration.fitness])
  func `a move ends a rest for who only listens to updates`(
    _ configuration: LiveConfiguration?
  ) async throws {
    try await SimulatedGeofences.run { geofences in
      let told = Mutex<[LocationUpdate]>([])
      let loop = Task {
        for try await update in LocationUpdates.liveUpdates(
          configuration, service: geofences.service)
        {
          told.withLock { $0.append(update) }
        }
      }
      try await geofences.move(to: away)
      try await wait(for: "first update") { told.withLock { !$0.isEmpty } }
      try await geofences.rest(at: home, for: .seconds(600))
      try await wait(for: "rest") { told.withLock { $0.last?.isStationary == true } }
      try await geofences.move(to: away)
      try await wait(for: "end of the rest") { told.withLock { $0.last?.isStationary == false } }
      #expect(told.withLock { $0.last?.location?.coordinate } == away)
      loop.cancel()
      try await loop.value
    }
  }

  @Test func `a move to where the device rests changes nothing`() async throws {
    try await SimulatedGeofences.run { geofences in
      let beginning = Date(timeIntervalSince1970: 1_767_225_600)
      try await geofences.rest(at: home, for: .seconds(600))
      try await geofences.move(to: home)
      let updates = LocationUpdates.liveUpdates(service: geofences.service)
      #expect(try await updates.first { _ in true }?.isStationary == true)
      // It took no longer than a location.
      try await geofences.send(Location(coordinate: home, timestamp: beginning + 605))
    }
  }
}
