/// What the engine remembers about one condition: small, and enough to go on after a restart.
package struct ConditionStatus: Sendable, Hashable, Codable {
  package internal(set) var state: ConditionState

  /// The last state that was known; it outlives a time of not knowing.
  package internal(set) var knownState: ConditionState?

  /// The stay that is under way.
  package internal(set) var visit: Visit?

  /// When the condition was added, by the clock of the fixes, if that was known; never later than a
  /// fix that has been judged since.
  package internal(set) var watchedSince: Timestamp?

  /// Whether the accuracy at hand is too poor to ever believe a position inside.
  package internal(set) var isAccuracyLimited = false

  /// A change that isn't confirmed yet.
  ///
  /// It isn't stored: after a restart it begins anew.
  var candidate: Candidate?

  /// The last fix that was surely outside, for seeing that the way led through.
  var lastOutside: (fix: Location, distance: Double)?

  /// The last fix before the first gap since the state was last seen to hold.
  var gapBegan: Timestamp?

  struct Candidate: Sendable, Hashable {
    let state: ConditionState

    /// The first fix that spoke for the change, and the one before it.
    let first: Timestamp
    let before: Timestamp?

    var fixes: Int
  }

  /// The status of a condition that nothing is known about but what its owner assumes.
  package init(assuming state: ConditionState, watchedSince: Timestamp?) {
    self.state = state
    self.watchedSince = watchedSince
    if state == .satisfied || state == .unsatisfied { knownState = state }
  }

  private enum CodingKeys: String, CodingKey {
    case state
    case knownState
    case visit
    case watchedSince
    case isAccuracyLimited
    case gapBegan
  }

  package static func == (a: ConditionStatus, b: ConditionStatus) -> Bool {
    (a.state, a.knownState, a.visit, a.watchedSince, a.isAccuracyLimited, a.gapBegan)
      == (b.state, b.knownState, b.visit, b.watchedSince, b.isAccuracyLimited, b.gapBegan)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(state)
    hasher.combine(visit)
  }
}
