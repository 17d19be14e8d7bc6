import ControlInterface
import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

/// `Advise`, over a socket: which events it goes by.
@Suite(.timeLimit(.minutes(10))) struct AdviseMethodTests: MonitoringSuite {
  private let served: ConsumersServed
  var machine: MonitoringMachine { served.machine }

  init() throws { served = try ConsumersServed() }

  private let home = ConditionKey(
    monitor: MonitorKey(user: ConsumersServed.user, name: "default"), identifier: "home")

  private func add() async throws {
    _ = try await served.monitoring.add(
      try circle(), identifier: home.identifier, to: home.monitor, assuming: .unsatisfied)
  }

  /// Comes and goes so often.
  private func visit(_ times: Int, from start: Double) async throws {
    try await drive(
      served.monitoring, String(repeating: "iiiioooo", count: times), from: start)
  }

  private func advice() async throws -> Advice {
    let reply = try await served.call(
      Advise.self, Advise.Parameters(user: nil, monitor: nil, identifier: home.identifier))
    return try #require(reply.items.first).advice
  }

  @Test func `the newest two hundred events count`() async throws {
    try await add()
    try await served.run {
      try await visit(3, from: 0)
      #expect(try await advice().events == 6)
      try await visit(100, from: 100)
      let advice = try await advice()
      #expect(advice.events == 200 && advice.flips == 200)
      // From the first visit of those to the end of the last.
      #expect((790...800).contains(advice.seconds), "\(advice.seconds) s")
    }
  }

  @Test func `what one of the same name did before isn't its history`() async throws {
    try await add()
    try await served.run {
      try await visit(2, from: 0)
      _ = try await served.monitoring.remove(home)
      machine.wait(.seconds(1))
      try await add()
      #expect(try await advice().events == 0)
      try await visit(1, from: 100)
      #expect(try await advice().events == 2)
    }
  }
}
