import ControlInterface
import Foundation
import GeofenceSimulation
import LinuxSystem
import TestSupport
import Varlink

@testable import GeofenceClient

/// Where the tests' conditions are.
let home = Coordinate(latitude: 48.2, longitude: 16.3)

/// About 1.1 km from ``home``.
let away = Coordinate(latitude: 48.21, longitude: 16.3)

/// The tests' usual condition.
func circle(_ center: Coordinate = home, radius: Double = 150) -> CircularGeographicCondition {
  CircularGeographicCondition(center: center, radius: radius)
}

extension SimulatedGeofences {
  /// A consumer as the service knows it.
  nonisolated func consumer(_ name: String = "default") async throws -> NamedConsumer? {
    try await service.call(Consumers.self, Consumers.Parameters(user: getuid())).consumers
      .first { $0.consumer == name }
  }

  /// Goes in and out of ``home`` until so many events have come of it, from outside.
  func cross(_ times: Int) async throws {
    for index in 0..<times { try await move(to: index.isMultiple(of: 2) ? home : away) }
  }

  /// Runs the rules with a monitor.
  static func withMonitor<Result: Sendable>(
    _ body: (Monitor, SimulatedGeofences) async throws -> Result
  ) async throws -> Result {
    try await run { geofences in
      try await body(Monitor("trip", service: geofences.service), geofences)
    }
  }

  /// Runs the rules with a monitor with a condition around ``home``, and so many events of it.
  static func withMonitor<Result: Sendable>(
    crossing times: Int, _ body: (Monitor, SimulatedGeofences) async throws -> Result
  ) async throws -> Result {
    try await run { geofences in try await body(crossed(times, geofences), geofences) }
  }
}

extension GeofenceService {
  /// The same service on another clock, and another to the registry of open monitors: as another
  /// process sees it.
  func elsewhere(clock: any Clock<Duration> = ContinuousClock()) -> GeofenceService {
    GeofenceService(identity: UUID().uuidString, clock: clock, open: open)
  }

  /// The same service on another clock, within this process.
  func on(_ clock: any Clock<Duration>) -> GeofenceService {
    GeofenceService(identity: identity, clock: clock, open: open)
  }

  /// A service that can't be reached, for a reason.
  static func unreachable(
    _ reason: Errno, clock: any Clock<Duration> = ContinuousClock()
  ) -> GeofenceService {
    GeofenceService(identity: UUID().uuidString, clock: clock) { throw reason }
  }
}

/// A service whose answers a test makes up.
enum ScriptedService {
  /// Serves methods for as long as the body takes; those that aren't given fail.
  static func run(
    clock: any Clock<Duration> = ContinuousClock(), _ methods: [String: VarlinkMethod],
    _ body: (GeofenceService) async throws -> Void
  ) async throws {
    let server = try VarlinkServer.scripted(methods)
    let (sockets, arrivals) = AsyncStream.makeStream(of: StreamSocket.self)
    let service = GeofenceService(identity: UUID().uuidString, clock: clock) {
      let (client, server) = try StreamSocket.pair()
      arrivals.yield(server)
      return client
    }
    try await withThrowingTaskGroup { group in
      group.addTask {
        await withDiscardingTaskGroup { connections in
          for await socket in sockets {
            connections.addTask { await server.serve(socket) }
          }
          connections.cancelAll()
        }
      }
      defer { group.cancelAll() }
      try await body(service)
    }
  }
}

extension ScriptedService {
  /// Serves methods to a monitor.
  static func withMonitor(
    clock: any Clock<Duration> = ContinuousClock(), _ methods: [String: VarlinkMethod],
    _ body: (Monitor) async throws -> Void
  ) async throws {
    try await run(clock: clock, methods) { service in
      try await body(Monitor("trip", service: service))
    }
  }
}

/// A monitor with a condition around ``home``, from outside, with so many events.
func crossed(
  _ times: Int, _ geofences: SimulatedGeofences
) async throws -> Monitor {
  let monitor = try await Monitor("trip", service: geofences.service)
  try await monitor.add(circle(), identifier: "home", assuming: .unsatisfied)
  try await geofences.move(to: away)
  try await geofences.cross(times)
  return monitor
}

/// The numbers of some events, until there are no more.
func sequences<Source: AsyncSequence & Sendable>(_ events: Source) async throws -> [Int]
where Source.Element == Monitor.Event {
  try await events.reduce(into: []) { $0.append($1.sequence) }
}
