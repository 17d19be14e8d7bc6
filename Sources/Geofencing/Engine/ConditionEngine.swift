/// Judges positions against conditions: fixes go in, transitions come out.
///
/// A plain value with no clock and no I/O: the same fixes give the same transitions, whenever and
/// wherever they are judged.
package struct ConditionEngine: Sendable {
  /// The settings to judge by; they may change between two fixes.
  package var parameters: DecisionParameters {
    didSet {
      limits = Limits(of: parameters)
      restoredReach = nil
      if !special.isEmpty {
        for place in awake.indices { updateGate(place) }
      }
    }
  }

  /// What every fix needs of the settings.
  private(set) var limits: Limits

  /// The last fix that was judged.
  package var lastFix: Location? { considered.lastFix }

  /// An area that holds all that isn't surely outside the restored last fix, and its centre in space; nil without one.
  var restoredReach: (reach: Reach, point: GeocentricPoint)?

  /// The time of the last fix.
  var lastTime: Timestamp?

  /// Where the last estimate is in the frame of the surroundings, if they are still of this generation.
  var lastPlace = (offset: LocalFrame.Offset(), generation: -1)

  /// The last estimate; nil before the first fix.
  package internal(set) var lastEstimate: PositionEstimate?

  var filter = MotionFilter()

  /// The last fixes, judged and refused.
  package internal(set) var considered = ConsideredFixes()

  // What is watched. Each condition has a number, its slot. What every fix needs of the conditions lies in columns
  // indexed by the slot: there may be millions.
  var names = NameTable()
  var index = SpatialIndex()
  var resting = Column<RestingStatus>()
  /// For a resting condition ``ConditionStatus/watchedSince`` in nanoseconds, with the least number for nil; for an
  /// awake one its place in ``awake``.
  var watchedSince = Column<Int64>()

  /// The special conditions: polygons, corridors, and whatever has options.
  var special = SpecialConditions()

  /// No circle that is watched has a smaller radius, in metres: often that alone says that none of a million is too
  /// small.
  var smallestRadius = Double.infinity

  /// The records of the conditions to which something is happening, and the gates that say which of them a fix may
  /// change.
  var awake: ContiguousArray<ConditionWatch> = []
  var gates = Gates()

  /// Restored visits whose ID doesn't follow from their condition and beginning.
  var visits: [UInt32: Visit] = [:]

  /// The slots that the next fix has to be judged against, wherever it is.
  ///
  /// Some of them may have been freed, or judged already.
  var unjudged = Column<UInt32>()

  /// The last fix, and up to where ``unjudged`` was judged against it; nil if all of it was.
  var unfinished: Unfinished? { didSet { isUnfinished = unfinished != nil } }

  /// Whether ``unfinished`` is set.
  ///
  /// Every fix asks for this: to compare the optional with nil would copy it.
  package private(set) var isUnfinished = false

  typealias Unfinished = (fix: Location, step: ConditionWatch.Step, reach: Double, next: Int)

  /// The points in space of the last fix, and of circles that woke near it.
  var points = PointFinder()

  /// The conditions around the last fix.
  var surroundings = Surroundings()

  /// For the fix at hand: the numbers of near conditions in the surroundings, the slots of resting conditions that it
  /// may change, and the numbers of such awake ones.
  ///
  /// They are kept for their memory.
  var near = Column<UInt32>()
  var found = Column<UInt32>()
  var loud = Column<UInt32>()

  /// For how long after the last fix others may have been judged that are lost, as after a crash.
  ///
  /// It is nil if there were none, and from the next fix on.
  package internal(set) var lost: Duration?

  /// The time of the last fix before a silence, for all states that were forgotten in it.
  var silenceBegan: Timestamp?

  /// Whether nothing more can be forgotten until the next fix.
  var isAllForgotten = false

  /// Whether every condition is judged with every fix, which is far slower and changes nothing; for tests.
  package var isExhaustive = false

  package init(parameters: DecisionParameters = DecisionParameters()) {
    self.parameters = parameters
    limits = Limits(of: parameters)
  }

  /// What every fix needs of the settings, in the form in which it is compared.
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

  /// The identifiers of a monitor's conditions, in no order.
  package func identifiers(in monitor: MonitorKey) -> [String] {
    names.slots(where: { $0 == monitor }).map { names.identifier(of: $0) }
  }

  /// A watched condition and what is known of it; nil if it isn't watched.
  package subscript(key: ConditionKey) -> (condition: Condition, status: ConditionStatus)? {
    watched(key).map { ($0.condition, $0.status) }
  }

  /// How many bytes the index and the states take, without the names, and without shapes other than circles.
  package var bytes: Int {
    index.bytes + resting.bytes + watchedSince.bytes + unjudged.bytes + special.bytes
      + awake.capacity * MemoryLayout<ConditionWatch>.stride
  }

  /// When the next condition ends by itself; nil if none does.
  package var nextExpiry: Timestamp? {
    guard let first = special.ends.min(), first != .max else { return nil }
    return Timestamp(nanoseconds: first)
  }

  /// The conditions that end by themselves by some time, in the order of their ends.
  package func expiries(until now: Timestamp) -> [(key: ConditionKey, expires: Timestamp)] {
    var due: [(key: ConditionKey, expires: Timestamp)] = []
    for (place, end) in special.ends.enumerated() where end <= now.nanoseconds && end != .max {
      due.append((names.key(of: special.slots[place]), Timestamp(nanoseconds: end)))
    }
    return due.sorted { ($0.expires, $0.key) < ($1.expires, $1.key) }
  }

  /// Whether a change is being confirmed by one of the last fixes, or the last fix isn't believed yet.
  package var isConfirming: Bool {
    guard let lastTime else { return false }
    if filter.isUnsettled { return true }
    return awake.contains { watch in
      watch.candidate.map { lastTime - $0.last <= parameters.gap.asInterval } ?? false
    }
  }

  /// What adding a condition did.
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
  ///   - since: if `fixTime` is nil, the time from which the ways between fixes count; nil means that of the last fix.
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

  /// Stops watching a condition; nil if it isn't watched.
  ///
  /// - Parameters:
  ///   - date: the present by the system's clock, for the event when `fixTime` is nil.
  ///   - fixTime: the present by the clock of the fixes, which dates the event as it dates all others; nil if it isn't
  ///     known: then a visit ends with the last fix.
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

  /// Stops watching the conditions whose time is over by the system's clock.
  ///
  /// - Parameters:
  ///   - now: the present by the system's clock.
  ///   - fixTime: the present by the clock of the fixes, by which the events are dated, but never earlier than the
  ///     last fix; nil if it isn't known: then each event has the time at which its condition expired.
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

  /// Notes a fix that was refused before it could be judged, to explain why nothing happens.
  package mutating func note(_ rejected: RejectedFix) {
    considered.remember(rejected)
  }

  /// Explains why a condition is in its state, or why that was just decided.
  ///
  /// - Parameter transition: the decision to explain, to which the last fix led; nil explains the present.
  /// - Returns: nil when the condition isn't watched.
  package func explanation(
    of key: ConditionKey, after transition: Transition? = nil
  ) -> Explanation? {
    watched(key)?.explanation(of: considered, after: transition, with: parameters)
  }
}
