import Geofencing
import MonitorStorage
import Testing

@testable import GeofenceDaemon

@Suite struct `Decisions that wait` {
  private func transition(_ number: Int) -> Transition {
    Transition(
      key: ConditionKey(monitor: MonitorKey(user: 1, name: "m"), identifier: "c\(number)"),
      kind: .entered, state: .satisfied, previousState: .unsatisfied,
      date: Timestamp(nanoseconds: Int64(number)))
  }

  /// An explanation, of whatever.
  private func explanation() throws -> Explanation {
    var engine = ConditionEngine()
    let key = transition(0).key
    _ = try engine.add(circle(), as: key, at: Timestamp(nanoseconds: 0))
    return try #require(engine.explanation(of: key))
  }

  @Test func `take no more memory the more of them were dropped`() throws {
    let explained = try explanation()
    var pending = PendingDecisions()
    for number in 0..<10_000 {
      pending.append([transition(number)]) { _ in explained }
      if pending.count > 10 { pending.removeFirst(pending.count - 10) }
      #expect(pending.transitions.count <= 2 * 10 + 1)
      #expect(pending.explanationCount <= 10)
    }
    let left = pending.first(20)
    #expect(left.map(\.transition) == (9_990..<10_000).map(transition))
    #expect(left.allSatisfy { $0.explanation != nil })
  }

  @Test func `keep each its own explanation when those before are taken off`() throws {
    var pending = PendingDecisions()
    let explained = try explanation()
    pending.append((0..<9).map(transition)) { $0.date.nanoseconds % 2 == 0 ? explained : nil }
    for count in stride(from: 9, to: 0, by: -1) {
      let first = pending.first(1).first
      #expect(first?.transition == transition(9 - count))
      #expect((first?.explanation != nil) == ((9 - count) % 2 == 0))
      #expect(pending.count == count)
      pending.removeFirst(1)
    }
    #expect(pending.isEmpty && pending.transitions.isEmpty)
  }

  @Test func `are behind none that were taken off`() {
    let transitions = (0..<5).map(transition)
    let keys = transitions.map(\.key)
    var pending = PendingDecisions()
    pending.append(transitions) { _ in nil }
    #expect(pending.keys(behind: 1) == Set(keys[1...]))
    pending.removeFirst(2)
    #expect(pending.first(1).map(\.transition.key) == [keys[2]])
    #expect(pending.keys(behind: 1) == Set(keys[3...]))
    #expect(pending.keys(behind: 3).isEmpty)
  }
}
