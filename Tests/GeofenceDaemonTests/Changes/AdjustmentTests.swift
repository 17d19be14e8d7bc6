import ControlInterface
import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

/// Some of a condition is changed while it is watched.
@Suite(.timeLimit(.minutes(10))) struct AdjustmentTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  private func adjust(
    _ monitoring: Monitoring, assuming state: ConditionState? = nil,
    _ change: (inout ConditionAdjustment) -> Void
  ) async throws -> (outcome: Adjust.Outcome, record: MonitorRecord) {
    var adjustment = ConditionAdjustment()
    change(&adjustment)
    return try await monitoring.adjust(key("home"), by: adjustment, assuming: state)
  }

  private func started() async throws -> Monitoring {
    let monitoring = try await watching(assuming: .unknown)
    try await drive(monitoring, "iii", from: 0)
    return monitoring
  }

  @Test func `a stay goes on where only times change, and nobody is told of anything`() async throws
  {
    let monitoring = try await started()
    let before = try await monitoring.record(for: key("home"))
    let (outcome, record) = try await adjust(monitoring) {
      $0.exitAfter = 6
      $0.confidence = 0.9
    }
    #expect(outcome == .adjusted)
    #expect(record.condition.exitAfter == .seconds(6))
    var expected = before
    expected.condition = record.condition
    #expect(record == expected)
    // An exit that is being confirmed is asked for what counts now.
    try await drive(monitoring, "ooooo", from: 3)
    #expect(try await machine.events().count == 1)
    let (again, _) = try await adjust(monitoring) { $0.reset = [.exitAfter] }
    #expect(again == .adjusted)
    try await drive(monitoring, "o", from: 8)
    let events = try await machine.events()
    #expect(short(events) == ["1 home determined 0", "2 home exited 8"])
    #expect(events[1].transition.visit == events[0].transition.visit)
    #expect(events[1].transition.duration != nil)
    let (same, _) = try await adjust(monitoring) { $0.confidence = 0.9 }
    #expect(same == .unchanged)
  }

  @Test func `what was known before a silence, and until when it is watched, outlive a restart`()
    async throws
  {
    let monitoring = try await started()
    machine.wait(.seconds(700))
    await monitoring.tick()
    _ = try await adjust(monitoring) { $0.exitAfter = 0 }
    _ = try await adjust(monitoring) { $0.expires = at(5000) }
    await monitoring.checkpoint()
    let second = try machine.start()
    let record = try await second.record(for: key("home"))
    #expect(record.condition.exitAfter == .zero)
    #expect(record.condition.expires == at(5000))
    #expect(record.lastEvent?.transition.kind == .undetermined)
    try await drive(second, "oooo", from: 710)
    #expect(try await short(machine.events())[2].hasPrefix("3 home exited"))
    machine.wait(.seconds(5000))
    await second.tick()
    await #expect(throws: ControlError.self) { try await second.record(for: key("home")) }
  }

  @Test func `elsewhere it begins anew`() async throws {
    let monitoring = try await started()
    let (outcome, record) = try await adjust(monitoring, assuming: .satisfied) { $0.radius = 200 }
    #expect(outcome == .replaced)
    #expect(record.state == .satisfied)
    #expect(record.lastEvent == nil)
    #expect(
      try await short(machine.events()) == ["1 home determined 0", "2 home unmonitored 3"])
    let (_, moved) = try await adjust(monitoring) { $0.latitude = 47.001 }
    #expect(moved.state == .unknown)
  }

  @Test func `what can't be is refused, and nothing changes`() async throws {
    let monitoring = try await started()
    let before = try await monitoring.record(for: key("home"))
    func refused<Refusal: Error>(
      as type: Refusal.Type, assuming state: ConditionState? = nil,
      _ change: (inout ConditionAdjustment) -> Void
    ) async throws {
      var adjustment = ConditionAdjustment()
      change(&adjustment)
      await #expect(throws: type) {
        try await monitoring.adjust(key("home"), by: adjustment, assuming: state)
      }
      #expect(try await monitoring.record(for: key("home")) == before)
    }
    try await refused(as: ConditionError.self) { $0.width = 9 }
    try await refused(as: ConditionError.self) { $0.radius = -1 }
    try await refused(as: ConditionError.self) { $0.exitAfter = 1e9 }
    try await refused(as: ConditionError.self, assuming: .satisfied) { $0.exitAfter = 1 }
    try await refused(as: ControlError.self) { $0.expires = at(1) }
    await #expect(throws: ControlError.self) {
      try await monitoring.adjust(key("none"), by: ConditionAdjustment(), assuming: nil)
    }
    let broken = try machine.breakTable("condition", on: "UPDATE")
    try await refused(as: ControlError.self) { $0.exitAfter = 1 }
    try broken.mend()
    try await drive(monitoring, "oooo", from: 3)
    let events = try await machine.events()
    #expect(short(events) == ["1 home determined 0", "2 home exited 6"])
    #expect(events[1].transition.visit == events[0].transition.visit)
  }
}
