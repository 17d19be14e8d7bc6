import ControlInterface
import Geofencing
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import GeofenceDaemon
@testable import Varlink

/// What keeps others waiting is done for each user one after the other.
@Suite(.timeLimit(.minutes(10))) struct TurnsOfUsersTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  private final class Order: Sendable {
    private let state = Mutex<[String]>([])
    var names: [String] { state.withLock { $0 } }
    func append(_ name: String) { state.withLock { $0.append(name) } }
  }

  private static func call(_ user: UInt32) -> VarlinkCall {
    VarlinkCall(
      method: Explain.qualifiedName, user: user,
      connection: CallerConnection(),
      wantsMore: false, isOneway: false)
  }

  @Test(arguments: [false, true])
  func `a user's question waits for its last one, and for nobody else's`(sets: Bool) async throws {
    let monitoring = try machine.start()
    let methods = ControlMethods(monitoring, in: machine.directory)
    let (begun, goesOn) = (SequenceSignal(latest: 0), SequenceSignal(latest: 0))
    let order = Order()
    for user: UInt32 in [1000, 1001] {
      _ = try await monitoring.add(
        circle(), identifier: "home", to: MonitorKey(user: user, name: "default"),
        assuming: .unknown)
    }
    let ask: @Sendable (UInt32) async throws -> Void = { user in
      if sets {
        _ = try await methods.setMonitor(
          SetMonitor.Parameters(user: nil, monitor: "default", launchUnit: "greeter.service"),
          Self.call(user))
      } else {
        _ = try await methods.explain(
          Explain.Parameters(ConditionName(identifier: "home")), Self.call(user))
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await methods.inTurn(of: Self.call(1000)) {
          begun.advance()
          try await goesOn.wait(after: 0)
          order.append("first")
        }
      }
      try await begun.wait(after: 0)
      group.addImmediateTask {
        try await ask(1000)
        order.append("second")
      }
      for _ in 0..<50 { try await ask(1001) }
      order.append("another user's")
      goesOn.advance()
      try await group.waitForAll()
    }
    #expect(order.names == ["another user's", "first", "second"])
  }
}
