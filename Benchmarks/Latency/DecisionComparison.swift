import Geofencing

/// The decisions of a daemon that was started after a kill, compared with those of one that went on.
struct DecisionComparison: Encodable, Equatable {
  let conditions: Int

  /// The number of events of the daemon that went on.
  let events: Int

  /// The number of those that are missing or different in the other daemon, in the order of the log; its additional
  /// events count, too.
  let differing: Int

  /// The number of these that differ only in the probability.
  let differingInProbability: Int

  /// The first differences in words.
  let differences: [String]

  /// The largest number of differences in words.
  private static let longest = 10

  /// Compares the decisions one by one.
  init(conditions: Int, of expected: [Transition], with others: [Transition]) {
    self.conditions = conditions
    events = expected.count
    let changes = others.difference(from: expected)
    let missing = changes.removals.map(\.element)
    var added = changes.insertions.map(\.element)
    differing = max(missing.count, added.count)
    var onlyInProbability = 0
    var differences = missing.map { transition in
      let place = added.firstIndex { $0.key == transition.key && $0.kind == transition.kind }
      let other = place.map { added.remove(at: $0) }
      var same = other
      same?.probability = transition.probability
      if same == transition, other != transition { onlyInProbability += 1 }
      return "\(transition.key.identifier) \(Self.words(transition)) became "
        + (other == transition
          ? "the same elsewhere in the log" : other.map(Self.words) ?? "nothing")
    }
    differingInProbability = onlyInProbability
    differences += added.map { "nothing became \($0.key.identifier) \(Self.words($0))" }
    self.differences = Array(differences.prefix(Self.longest))
  }

  /// A transition in words, without its condition.
  private static func words(_ transition: Transition) -> String {
    "\(transition.kind) at \(transition.date.rfc3339)"
      + (transition.distance.map { ", \($0) m" } ?? "")
      + (transition.probability.map { ", probability \($0)" } ?? "")
      + (transition.visit.map { ", visit since \($0.began.rfc3339)" } ?? "")
      + (transition.duration.map { ", duration \($0)" } ?? "")
  }
}

extension CollectionDifference.Change {
  /// The element that was removed or inserted.
  fileprivate var element: ChangeElement {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
