import ControlInterface
import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(10))) struct ListTests {
  private let served: ConsumersServed

  init() throws { served = try ConsumersServed(on: MonitoringMachine()) }

  /// Adds conditions of which each 150th is satisfied.
  private func add(_ count: Int) async throws {
    let monitor = MonitorKey(user: ConsumersServed.user, name: "trip")
    for number in 0..<count {
      let circle = try CircularGeographicCondition(
        center: Coordinate(validLatitude: 47, longitude: 8), radius: 100)
      _ = try await served.monitoring.add(
        Condition(shape: .circle(circle)), identifier: "place-\(1000 + number)", to: monitor,
        assuming: number % 150 == 0 ? .satisfied : .unsatisfied)
    }
  }

  private func list(_ state: ConditionState?, after last: MonitorRecord? = nil) async throws
    -> [MonitorRecord]
  {
    var parameters = List.Parameters(state: state)
    parameters.after = last.map {
      List.Place(user: $0.user, monitor: $0.monitor, identifier: $0.identifier)
    }
    return try await served.call(List.self, parameters).records
  }

  @Test func `only those in a state are told, and an answer without any is the last`() async throws
  {
    try await add(500)
    try await served.run {
      var identifiers: [String] = []
      var last: MonitorRecord?
      while case let records = try await list(.satisfied, after: last), !records.isEmpty {
        identifiers += records.map(\.identifier)
        last = records.last
      }
      #expect(identifiers == ["place-1000", "place-1150", "place-1300", "place-1450"])
      #expect(try await list(.unmonitored).isEmpty)
      #expect(try await list(.unsatisfied).count == 99)
      #expect(try await list(nil).count == 100)
    }
  }
}
