import ControlInterface
import Geofencing
import TestSupport
import Testing
import Varlink

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

  /// How many records each reply has, and the identifiers of the first of those in a state.
  private func list(_ state: ConditionState?) async throws -> (pages: [Int], first: [String]) {
    let pages = try await served.connect().stream(
      List.self, List.Parameters(state: state), prompt: .all)
    return try await pages.reduce(into: ([], [])) { result, page in
      #expect(page.records.allSatisfy { state == nil || $0.state == state })
      result.pages.append(page.records.count)
      result.first += page.records.prefix(2).map(\.identifier)
    }
  }

  @Test func `only those in a state are told, in replies of which some are empty`() async throws {
    try await add(500)
    try await served.run {
      let satisfied = try await list(.satisfied)
      #expect(satisfied.pages == [1, 1, 0, 1, 1])
      #expect(satisfied.first == ["place-1000", "place-1150", "place-1300", "place-1450"])
      #expect(try await list(.unsatisfied).pages == [99, 99, 100, 99, 99])
      #expect(try await list(.unmonitored).pages == [0, 0, 0, 0, 0])
      #expect(try await list(nil).pages == [100, 100, 100, 100, 100])
      let refusal = try await served.error(of: List.self, List.Parameters(state: .satisfied))
      #expect(refusal == "ExpectedMore")
    }
  }
}
