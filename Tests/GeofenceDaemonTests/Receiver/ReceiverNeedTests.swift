import Geofencing
import Testing

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(10))) struct ReceiverNeedTests {
  private let need = ReceiverNeed()

  @Test func `conditions, listeners and sessions are reasons, each by itself`() {
    #expect(!need.reasons.isNeeded)
    need.setConditions(2)
    #expect(need.reasons.isNeeded && !need.reasons.keepsReceiver)
    need.setConditions(0)
    need.add(.subscriber)
    #expect(need.reasons.isNeeded && !need.reasons.keepsReceiver)
    need.remove(.subscriber)
    need.add(.session("run"))
    #expect(need.reasons.isNeeded && need.reasons.keepsReceiver)
    need.remove(.session("run"))
    #expect(need.reasons == ReceiverNeed.Reasons())
  }

  @Test func `conditions are new until the receiver is looked at`() async throws {
    need.setConditions(1, hasNew: true)
    // Also for who begins to wait when a look is over.
    try await need.wait { $0.hasNew }
    need.setConditions(1)
    #expect(need.reasons.hasNew)
    need.noteLook()
    #expect(!need.reasons.hasNew && need.reasons.conditions == 1)
  }

  @Test func `what was added twice is taken away twice, and never more`() {
    for _ in 0..<2 {
      need.add(.session("run"))
      need.add(.subscriber)
    }
    need.remove(.session("run"))
    need.remove(.subscriber)
    #expect(need.reasons.sessions == ["run": 1])
    #expect(need.reasons.subscribers == 1)
    for _ in 0..<3 {
      need.remove(.session("run"))
      need.remove(.session("walk"))
      need.remove(.subscriber)
    }
    #expect(need.reasons == ReceiverNeed.Reasons())
  }

  @Test func `who waits hears of it, also when it was so before`() async throws {
    need.setConditions(1)
    try await need.wait { $0.isNeeded }
    await withTaskGroup { group in
      group.addTask {
        try? await need.wait { !$0.isNeeded }
        #expect(!need.reasons.isNeeded)
      }
      group.addTask {
        try? await need.wait { $0.keepsReceiver }
        #expect(need.reasons.keepsReceiver)
      }
      need.add(.session("run"))
      await group.next()
      need.remove(.session("run"))
      need.setConditions(0)
      await group.waitForAll()
    }
  }

  @Test func `waiting ends with the task`() async {
    await withTaskGroup { group in
      group.addTask {
        await #expect(throws: CancellationError.self) { try await need.wait { $0.isNeeded } }
      }
      group.cancelAll()
    }
  }

  @Test func `conditions of before a restart need the receiver from the start on`() async throws {
    let machine = try MonitoringMachine()
    let first = try machine.start()
    _ = try await first.add(
      circle(), identifier: "home", to: MonitorKey(user: 1000, name: "default"), assuming: .unknown)
    #expect(try await machine.start().need.reasons.conditions == 1)
  }
}
