import Geofencing
import MonitorStorage

/// Decisions that wait to be written, in order.
///
/// One fix may decide about a million conditions: these decisions are kept as they came, and handed out in pieces.
struct PendingDecisions: Sendable {
  /// The decisions that wait, after at most as many that were written already.
  private(set) var transitions: [Transition] = []

  /// How many decisions at the beginning have been written.
  private var written = 0

  /// The explanations of some decisions, by their indexes in ``transitions``.
  private var explanations: [Int: Explanation] = [:]

  /// How many wait.
  var count: Int { transitions.count - written }

  var isEmpty: Bool { count == 0 }

  /// How many decisions that wait have an explanation.
  var explanationCount: Int { explanations.count }

  /// Adds decisions after the others.
  ///
  /// - Parameter explain: returns the explanation of a decision, or nil; called in order.
  mutating func append(_ new: [Transition], explain: (Transition) -> Explanation?) {
    let start = transitions.count
    for (index, transition) in new.enumerated() {
      if let explanation = explain(transition) { explanations[start + index] = explanation }
    }
    // If nothing waits, nothing needs to be copied.
    if start == 0 { transitions = new } else { transitions += new }
  }

  /// The next decisions, at most `limit`.
  func first(_ limit: Int) -> [Decision] {
    (written..<min(written + limit, transitions.count)).map {
      Decision(transitions[$0], explanation: explanations[$0])
    }
  }

  /// The conditions of all decisions after the next `number`.
  func keys(behind number: Int) -> Set<ConditionKey> {
    Set(transitions.dropFirst(written + number).map(\.key))
  }

  /// Removes the next `number` decisions.
  mutating func removeFirst(_ number: Int) {
    let end = min(written + number, transitions.count)
    for place in written..<end { explanations[place] = nil }
    written = end
    // Written ones are removed at times: while the disk fails, decisions may come and go for days.
    guard written > count else { return }
    transitions.removeFirst(written)
    explanations = Dictionary(
      uniqueKeysWithValues: explanations.map { ($0.key - written, $0.value) })
    written = 0
  }
}
