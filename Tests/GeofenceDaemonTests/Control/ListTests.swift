import ControlInterface
import Geofencing
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(10))) struct ListTests {
  private let served: ConsumersServed

  init() throws { served = try ConsumersServed() }

  /// Adds conditions of which each 150th is satisfied.
  private func add(_ count: Int) async throws {
    let monitor = MonitorKey(user: ConsumersServed.user, name: "trip")
    for number in 0..<count {
      _ = try await served.monitoring.add(
        circle(), identifier: "place-\(1000 + number)", to: monitor,
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
      #expect(try await list(nil).pages == [100, 100, 100, 100, 100])
      await #expect(throws: VarlinkError.self) { _ = try await list(.unmonitored) }
      let refusal = try await served.error(of: List.self, List.Parameters(state: .satisfied))
      #expect(refusal == "ExpectedMore")
    }
  }

  /// Who waits for the events of such a monitor would wait for ever.
  @Test(arguments: ["", "a b", "a/b", String(repeating: "m", count: 129)])
  func `names that can't be are refused`(name: String) async throws {
    try await served.run {
      for named in [(monitor: name, identifier: nil), (nil, name)] as [(String?, String?)] {
        let refusals = [
          try await served.error(
            of: Advise.self,
            Advise.Parameters(user: nil, monitor: named.0, identifier: named.1)),
          try await served.error(
            of: Events.self, Events.Parameters(monitor: named.0, identifier: named.1)),
        ]
        #expect(refusals == ["InvalidCondition", "InvalidCondition"], "\(named)")
      }
      #expect(
        try await served.error(of: List.self, List.Parameters(monitor: name)) == "InvalidCondition")
    }
  }

  @Test func `a revision tells pages of one moment from others`() async throws {
    try await add(3)
    let monitoring = served.monitoring
    let (own, other) = (
      MonitorKey(user: ConsumersServed.user, name: "trip"), MonitorKey(user: 7, name: "trip")
    )
    func revisions() async throws -> [Int64] {
      var revisions: [Int64] = []
      for (user, monitor) in [
        (own.user, "trip"), (own.user, "home"), (own.user, nil), (other.user, "trip"), (nil, nil),
      ] as [(UInt32?, String?)] {
        revisions.append(
          try await monitoring.page(user: user, monitor: monitor, limit: 1).revision)
      }
      return revisions
    }
    /// Which of them a change changes.
    func changed(by change: () async throws -> Void) async throws -> [Bool] {
      let before = try await revisions()
      try await change()
      return zip(before, try await revisions()).map { $0 != $1 }
    }
    let place = try circle(latitude: 48)
    let key = ConditionKey(monitor: own, identifier: "place-1000")
    #expect(
      try await changed {
        _ = try await monitoring.add(place, identifier: "new", to: own, assuming: .unknown)
      } == [true, false, true, false, true])
    // The same again changes nothing.
    #expect(
      try await changed {
        _ = try await monitoring.add(place, identifier: "new", to: own, assuming: .unknown)
      } == [false, false, false, false, false])
    #expect(
      try await changed { _ = try await monitoring.remove(key) } == [
        true, false, true, false, true,
      ]
    )
    #expect(
      try await changed {
        _ = try await monitoring.add(place, identifier: "new", to: other, assuming: .unknown)
      } == [false, false, false, true, true])
    #expect(
      try await changed {
        var adjustment = ConditionAdjustment()
        adjustment.confidence = 0.9
        _ = try await monitoring.adjust(
          ConditionKey(monitor: other, identifier: "new"), by: adjustment, assuming: nil)
      } == [false, false, false, true, true])
  }

  @Test func `revisions of ever more monitors take no more room, and none comes again`() {
    var revisions = ConditionRevisions(maximumMonitors: 3)
    func monitor(_ number: Int) -> MonitorKey { MonitorKey(user: 1, name: "m\(number)") }
    var seen: Set<Int64> = []
    for number in 0..<20 {
      revisions.note(monitor(number))
      #expect(seen.insert(revisions.revision(user: 1, monitor: "m\(number)")).inserted)
      #expect(revisions.revision(user: 1, monitor: nil) == Int64(number + 1))
      #expect(revisions.revision(user: nil, monitor: nil) == Int64(number + 1))
    }
    #expect(revisions.revision(user: 2, monitor: nil) >= 18)
  }
}
