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
  /// It isn't stored: after a restart it begins anew. What is stored is when it may have begun.
  var candidate: Candidate?

  /// How far the last change, or the one that is under way, was confirmed; it isn't stored.
  var confirmation: Confirmation?

  /// Whether the last fix spoke for another state, but not surely enough for what stands still.
  var isHeldByStanding = false

  /// The last position that was surely outside, for seeing that the way led through.
  var lastOutside: (time: Timestamp, estimate: PositionEstimate, distance: Double)?

  /// The last fix before those that lack the altitude that the condition asks for.
  ///
  /// It isn't stored: after a restart it begins anew.
  var altitudeLackedSince: Timestamp?

  /// The last fix before the first gap since the state was last seen to hold.
  var gapBegan: Timestamp?

  /// The last fix before the state may have ended unseen, or before what isn't confirmed yet.
  var doubtBegan: Timestamp? { gapBegan ?? candidate?.before }

  struct Candidate: Sendable, Hashable {
    let state: ConditionState

    /// The first fix that spoke for the change, and the one before it.
    let first: Timestamp
    let before: Timestamp?

    var fixes: Int
  }

  /// How much spoke for a change, and how much was asked for.
  struct Confirmation: Sendable, Hashable {
    let state: ConditionState
    let fixes: Int
    let fixesNeeded: Int
    let span: Duration
    let spanNeeded: Duration

    /// Whether it is so sure that nothing more is asked for.
    let isBeyondDoubt: Bool

    /// Whether it is enough.
    var isComplete: Bool { isBeyondDoubt || fixes >= fixesNeeded && span >= spanNeeded }
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

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(knownState, forKey: .knownState)
    try container.encodeIfPresent(visit, forKey: .visit)
    try container.encodeIfPresent(watchedSince, forKey: .watchedSince)
    try container.encode(isAccuracyLimited, forKey: .isAccuracyLimited)
    try container.encodeIfPresent(doubtBegan, forKey: .gapBegan)
  }

  /// Whether two are stored alike.
  package static func == (a: ConditionStatus, b: ConditionStatus) -> Bool {
    (a.state, a.knownState, a.visit, a.watchedSince, a.isAccuracyLimited, a.doubtBegan)
      == (b.state, b.knownState, b.visit, b.watchedSince, b.isAccuracyLimited, b.doubtBegan)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(state)
    hasher.combine(visit)
  }
}
