import Geofencing
import MonitorStorage
import Testing

@testable import GeofenceDaemon

@Suite struct LaterDecisionsTests {
  @Test func `what was taken off is behind nothing that waits`() {
    let keys = (0..<5).map { number in
      ConditionKey(monitor: MonitorKey(user: 1, name: "m"), identifier: "c\(number)")
    }
    var pending = PendingDecisions()
    let transitions = keys.map { key in
      Transition(
        key: key, kind: .entered, state: .satisfied, previousState: .unsatisfied,
        date: Timestamp(nanoseconds: 0))
    }
    pending.append(transitions) { _ in nil }
    #expect(pending.keys(behind: 1) == Set(keys[1...]))
    pending.removeFirst(2)
    #expect(pending.first(1).map(\.transition.key) == [keys[2]])
    #expect(pending.keys(behind: 1) == Set(keys[3...]))
    #expect(pending.keys(behind: 3).isEmpty)
  }
}
