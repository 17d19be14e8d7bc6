/// Judges positions against conditions: fixes go in, transitions come out.
///
/// A plain value with no clock and no I/O: the same fixes give the same transitions, whenever and
/// wherever they are judged.
package struct ConditionEngine: Sendable {
  /// The numbers to judge by; they may change between two fixes.
  package var parameters: DecisionParameters {
    didSet {
      limits = Limits(of: parameters)
      restoredReach = nil
      if !special.isEmpty {
        for place in awake.indices { updateGate(place) }
      }
    }
  }

  /// What every fix needs of them.
  private(set) var limits: Limits

  /// The last fix that was judged.
  package var lastFix: Location? { considered.lastFix }

  /// All that isn't surely outside of it, and the point that it is around.
  var restoredReach: (reach: Reach, point: GeocentricPoint)?

  /// The time of the last fix.
  var lastTime: Timestamp?

  /// Where it was taken to be among its surroundings, if these are still of that generation.
  var lastPlace = (offset: LocalFrame.Offset(), generation: -1)

  /// Where it was taken to be.
  package internal(set) var lastEstimate: PositionEstimate?

  var filter = MotionFilter()

  /// What was looked at last.
  package internal(set) var considered = ConsideredFixes()

  // What is watched. A condition has a number, its slot, and what is needed of it for every fix lies in
  // columns by that: an engine may have millions.
  var names = NameTable()
  var index = SpatialIndex()
  var resting = Column<RestingStatus>()
  /// ``ConditionStatus/watchedSince`` in nanoseconds, the least number being nil; of an awake condition,
  /// its place among them.
  var watchedSince = Column<Int64>()

  /// The conditions that are more than a circle.
  var special = SpecialConditions()

  /// No circle that is watched is smaller, in metres: most often that answers which of a million are too
  /// small.
  var smallestRadius = Double.infinity

  /// The conditions to which something is happening, and what says whether a fix matters to each.
  var awake: ContiguousArray<ConditionWatch> = []
  var gates = Gates()

  /// Stays that aren't named after their condition and beginning, as they were stored.
  var visits: [UInt32: Visit] = [:]

  /// The slots that the next fix has to be judged against wherever it is; some of them are gone, or
  /// were judged already.
  var unjudged = Column<UInt32>()

  /// How far the last fix was judged against ``unjudged``, and what it was; nil when it was against all.
  var unfinished: Unfinished? { didSet { isUnfinished = unfinished != nil } }

  /// Whether there is one, which every fix asks: the optional itself would be copied for that.
  package private(set) var isUnfinished = false

  typealias Unfinished = (fix: Location, step: ConditionWatch.Step, reach: Double, next: Int)

  /// Of where the last fix was, and of what woke near it.
  var points = PointFinder()

  /// What lies around the last fix.
  var surroundings = Surroundings()

  /// The numbers in the surroundings of what is near the fix at hand, the slots of resting conditions that
  /// it may change, and the numbers of such awake ones; kept for their memory.
  var near = Column<UInt32>()
  var found = Column<UInt32>()
  var loud = Column<UInt32>()

  /// For how long after the last fix others may have been judged of which nothing is known any more, as after
  /// a crash; nil where there were none, and from the next fix on.
  package internal(set) var lost: Duration?

  /// The time of the last fix before the states were forgotten that are marked as silenced.
  var silenceBegan: Timestamp?

  /// Whether nothing more can be forgotten until the next fix.
  var isAllForgotten = false

  /// Whether every condition is judged at every fix: far slower, and no different.
  package var isExhaustive = false

  package init(parameters: DecisionParameters = DecisionParameters()) {
    self.parameters = parameters
    limits = Limits(of: parameters)
  }

  /// Of the parameters, what every fix needs, as it is compared.
  struct Limits: BitwiseCopyable {
    /// See ``DecisionParameters``; times in nanoseconds.
    let unknownAfter: Int64
    let gap: Int64
    let crossedWithin: Int64

    let defaultAccuracy: Double
    let accuracyFactor: Double
    let minimumSigma: Double
    let leeway: PlainTrack.Leeway

    /// The distance in standard deviations at which a position is just believed.
    let deviations: Double

    init(of parameters: DecisionParameters) {
      unknownAfter = parameters.unknownAfter.wholeNanoseconds
      gap = parameters.gap.asInterval.wholeNanoseconds
      crossedWithin = parameters.crossedWithin.asInterval.wholeNanoseconds
      defaultAccuracy = parameters.defaultAccuracy
      accuracyFactor = parameters.accuracyFactor
      minimumSigma = parameters.minimumSigma
      leeway = PlainTrack.Leeway(parameters)
      deviations = Judgement.deviations(confidence: parameters.confidence)
    }
  }

  /// How many conditions are watched.
  package var count: Int { names.count }

  /// What the conditions of a monitor are called, in no order.
  package func identifiers(in monitor: MonitorKey) -> [String] {
    names.slots(where: { $0 == monitor }).map { names.identifier(of: $0) }
  }

  /// Whether a condition is watched, and what is known of it.
  package subscript(key: ConditionKey) -> (condition: Condition, status: ConditionStatus)? {
    watched(key).map { ($0.condition, $0.status) }
  }

  /// How many bytes the index and the states take; the names, and shapes other than circles, apart.
  package var bytes: Int {
    index.bytes + resting.bytes + watchedSince.bytes + unjudged.bytes + special.bytes
      + awake.capacity * MemoryLayout<ConditionWatch>.stride
  }

  /// When the first condition ends by itself; nil where none does.
  package var nextExpiry: Timestamp? {
    guard let first = special.ends.min(), first != .max else { return nil }
    return Timestamp(nanoseconds: first)
  }

  /// The conditions that end by themselves by some time, with that at which they do, in its order.
  package func expiries(until now: Timestamp) -> [(key: ConditionKey, expires: Timestamp)] {
    var due: [(key: ConditionKey, expires: Timestamp)] = []
    for (place, end) in special.ends.enumerated() where end <= now.nanoseconds && end != .max {
      due.append((names.key(of: special.slots[place]), Timestamp(nanoseconds: end)))
    }
    return due.sorted { ($0.expires, $0.key) < ($1.expires, $1.key) }
  }

  /// Whether one of the last fixes spoke for a change that isn't confirmed yet, or the last one for something that
  /// isn't believed yet.
  package var isConfirming: Bool {
    guard let lastTime else { return false }
    if filter.isUnsettled { return true }
    return awake.contains { watch in
      watch.candidate.map { lastTime - $0.last <= parameters.gap.asInterval } ?? false
    }
  }

  /// What adding did.
  package enum Addition: Sendable, Hashable {
    case added
    /// An equal condition was there: nothing changed, no crossing is lost.
    case unchanged
    /// Another condition was there; the event of its end, if it was satisfied.
    case replaced(Transition?)
  }

  /// Begins to watch a condition.
  ///
  /// - Parameters:
  ///   - state: what to believe until the truth is determined: unknown, satisfied or unsatisfied.
  ///   - date: the present by the system's clock, for the event of a condition that is replaced when
  ///     `fixTime` is nil.
  ///   - fixTime: the present by the clock of the fixes, if known.
  ///   - since: from which fix on the way from the one before counts, where `fixTime` isn't known: at nil,
  ///     from the next one.
  package mutating func add(
    _ condition: Condition, as key: ConditionKey, assuming state: ConditionState = .unknown,
    at date: Timestamp, fixTime: Timestamp? = nil, watchedSince since: Timestamp? = nil
  ) -> Addition {
    var addition = Addition.added
    if let slot = names.slot(of: key) {
      if condition.isSame(as: prepared(slot).condition) { return .unchanged }
      let old = watched(slot)
      let end = end(old, because: .replaced, at: date, fixTime)
      addition = .replaced(old.status.state == .satisfied ? end : nil)
      take(away: key)
    }
    begin(
      PreparedCondition(condition), as: key,
      ConditionStatus(assuming: state, watchedSince: fixTime ?? since ?? lastFix?.timestamp))
    return addition
  }

  /// Ends the watch of a condition; nil when there is none.
  ///
  /// - Parameters:
  ///   - date: the present by the system's clock, for the event when `fixTime` is nil.
  ///   - fixTime: the present by the clock of the fixes, if known: the date of the event, like that
  ///     of all others. At nil, a visit ends with the last fix.
  package mutating func remove(
    _ key: ConditionKey, because reason: UnmonitoredReason, at date: Timestamp,
    fixTime: Timestamp? = nil
  ) -> Transition? {
    guard let old = watched(key) else { return nil }
    take(away: key)
    return end(old, because: reason, at: date, fixTime)
  }

  private func end(
    _ old: WatchedCondition, because reason: UnmonitoredReason, at date: Timestamp,
    _ fixTime: Timestamp?
  ) -> Transition {
    var watch = old.status.watch
    let change = watch.end(
      reason, at: fixTime ?? date, visitEnds: fixTime ?? lastFix?.timestamp ?? date)
    return Transition(change, of: old.key, visit: old.status.visit)
  }

  /// Ends the conditions whose time is over by the system's clock.
  ///
  /// - Parameters:
  ///   - now: the present by the system's clock.
  ///   - fixTime: the present by the clock of the fixes, if known: the events are dated by it, and never
  ///     earlier than the last fix. At nil, each has the time at which its condition expired.
  package mutating func expire(
    at now: Timestamp, fixTime: Timestamp? = nil
  ) -> [Transition] {
    expiries(until: now).compactMap { key, expires in
      let date = fixTime.map { fixTime in
        let date = fixTime + (expires - now)
        return lastTime.map { min(max(date, $0), fixTime) } ?? date
      }
      return remove(key, because: .expired, at: expires, fixTime: date)
    }
  }

  /// Takes note of a fix that was refused before it could be judged: it explains what doesn't happen.
  package mutating func note(_ rejected: RejectedFix) {
    considered.remember(rejected)
  }

  /// Why a condition is in its state, or why it was just decided upon.
  ///
  /// - Parameter transition: the decision that the last fix led to, if it is to be explained.
  /// - Returns: nil when the condition isn't watched.
  package func explanation(
    of key: ConditionKey, after transition: Transition? = nil
  ) -> Explanation? {
    watched(key)?.explanation(of: considered, after: transition, with: parameters)
  }
}
