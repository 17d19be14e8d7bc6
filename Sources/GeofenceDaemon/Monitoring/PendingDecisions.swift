import Geofencing
import MonitorStorage

/// Decisions that wait to be written, in order: what one fix decides about a million conditions is
/// kept as it came, and handed out in pieces.
struct PendingDecisions: Sendable {
  /// Those that wait, behind at most as many that don't any more.
  private(set) var transitions: [Transition] = []

  /// How many at the beginning have been written.
  private var written = 0

  /// The explanations of some, by their places among all.
  private var explanations: [Int: Explanation] = [:]

  /// How many wait.
  var count: Int { transitions.count - written }

  var isEmpty: Bool { count == 0 }

  /// How many of those that wait have an explanation.
  var explanationCount: Int { explanations.count }

  /// Adds decisions behind the others.
  ///
  /// - Parameter explain: gives the explanation of one, if it is to have one; asked in order.
  mutating func append(_ new: [Transition], explain: (Transition) -> Explanation?) {
    let start = transitions.count
    for (index, transition) in new.enumerated() {
      if let explanation = explain(transition) { explanations[start + index] = explanation }
    }
    // Nothing is copied where nothing waits.
    if start == 0 { transitions = new } else { transitions += new }
  }

  /// The next ones, at most so many.
  func first(_ limit: Int) -> [Decision] {
    (written..<min(written + limit, transitions.count)).map {
      Decision(transitions[$0], explanation: explanations[$0])
    }
  }

  /// The conditions of those behind the next ones.
  func keys(behind number: Int) -> Set<ConditionKey> {
    Set(transitions.dropFirst(written + number).map(\.key))
  }

  /// Takes off the first ones.
  mutating func removeFirst(_ number: Int) {
    let end = min(written + number, transitions.count)
    for place in written..<end { explanations[place] = nil }
    written = end
    // While the disk fails, decisions come and go for days.
    guard written > count else { return }
    transitions.removeFirst(written)
    explanations = Dictionary(
      uniqueKeysWithValues: explanations.map { ($0.key - written, $0.value) })
    written = 0
  }
}
