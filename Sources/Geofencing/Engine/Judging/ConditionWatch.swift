/// What is known of a condition that something is happening to; plain memory, which is copied as it is.
///
/// It sees fixes one by one and answers with what changed. It knows no clock: all times are those
/// of the fixes.
struct ConditionWatch: BitwiseCopyable, Sendable {
  var state: ConditionState

  /// The last state that was known; it outlives a time of not knowing.
  var knownState: ConditionState?

  /// Whether the accuracy at hand is too poor to ever believe a position inside.
  var isAccuracyLimited = false

  /// Whether the last fix spoke for another state, but not surely enough for what stands still.
  var isHeldByStanding = false

  /// The beginning of the stay that is under way.
  var visitBegan: Timestamp?

  /// When the condition was added, by the clock of the fixes, if that was known; never later than a
  /// fix that has been judged since.
  var watchedSince: Timestamp?

  /// A change that isn't confirmed yet.
  var candidate: Candidate?

  /// How far the last change, or the one that is under way, was confirmed.
  var confirmation: Confirmation?

  /// The last position that was surely outside, for seeing that the way led through; while that waits for the next
  /// fix, the one before.
  var lastOutside: TimedEstimate?

  /// The last fix before those that lack the altitude that the condition asks for.
  var altitudeLackedSince: Timestamp?

  /// The last fix before the first gap since the state was last seen to hold.
  var gapBegan: Timestamp?

  /// The last fix before the state may have ended unseen, or before what isn't confirmed yet.
  var doubtBegan: Timestamp? { gapBegan ?? candidate?.before }

  /// The first fix outside, where the exit isn't confirmed: the best that is known of the end of a visit.
  private var unconfirmedExit: Timestamp? {
    candidate?.state == .unsatisfied ? candidate?.first : nil
  }

  struct Candidate: BitwiseCopyable, Sendable, Hashable {
    private(set) var state: ConditionState

    /// The first fix that spoke for the change, the last one, and the one before them.
    private(set) var first: Timestamp
    var last: Timestamp
    private(set) var before: Timestamp?

    var fixes: Int32 = 0

    /// Whether one of them came farther than the speeds say: see ``PositionEstimate/isUnproven``.
    var wasUnproven = false

    init(_ state: ConditionState, first: Timestamp, before: Timestamp?) {
      self.state = state
      self.first = first
      last = first
      self.before = before
    }

    /// Counts a fix towards the change.
    @inline(__always)
    mutating func count(_ time: Timestamp, isUnproven: Bool) {
      last = time
      if fixes < .max { fixes += 1 }
      if isUnproven { wasUnproven = true }
    }

    /// Whether fixes were so far apart that the way to these may have bent as well as the way on.
    func isSeldom(before next: Timestamp, after outside: Timestamp) -> Bool {
      first - (before ?? outside) > Route.straightTime && next - last > Route.straightTime
    }

    /// Whether there can be such a one.
    var isSound: Bool { fixes > 0 && first <= last }

    /// Stores it, or becomes what was stored.
    mutating func exchange(with archive: inout NumberArchive) {
      archive.exchange(&state, among: [.satisfied, .unsatisfied])
      archive.exchange(&first)
      archive.exchange(&last)
      archive.exchange(&before)
      var count = Int(fixes)
      archive.exchange(&count, upTo: Int(Int32.max))
      fixes = Int32(count)
      archive.exchange(&wasUnproven)
    }
  }

  /// A condition that nothing is known about but what its owner assumes.
  @inline(__always)
  init(assuming state: ConditionState, watchedSince: Timestamp?) {
    self.state = state
    self.watchedSince = watchedSince
    if state.isKnown { knownState = state }
  }

  /// Whether, after a fix that was judged just now, it is one of the many that nothing happens to.
  @inline(__always)
  func mayRest(after fix: Timestamp) -> Bool {
    state == .unsatisfied && knownState == .unsatisfied && visitBegan == nil && gapBegan == nil
      && !isUnderWay && lastOutside?.time == fix
  }

  /// Whether nothing happens while fixes are surely inside.
  @inline(__always)
  var isSatisfiedBeyondDoubt: Bool {
    state == .satisfied && gapBegan == nil && !isUnderWay
  }

  /// Whether something is happening that fixes to come may end.
  @inline(__always)
  var isUnderWay: Bool { candidate != nil || isHeldByStanding || altitudeLackedSince != nil }

  /// Whether an exit is being confirmed.
  @inline(__always)
  var isLeaving: Bool { state == .satisfied && candidate?.state == .unsatisfied }

  /// Whether nothing happens while fixes are surely too close to the line to tell.
  @inline(__always)
  var isUnmovedAtLine: Bool { !isHeldByStanding && candidate == nil }

  // MARK: What comes without a fix

  /// Forgets the state when it has been believed for too long without a usable fix.
  ///
  /// - Parameters:
  ///   - date: when that was so.
  ///   - now: the present, by the clock of the fixes.
  ///   - silence: for how long a state is believed.
  mutating func forget(
    lastFix: Timestamp, at date: Timestamp, now: Timestamp, after silence: Duration
  ) -> ConditionChange? {
    dropStaleCandidate(at: lastFix, within: silence)
    let visitEnds = unconfirmedExit ?? lastFix
    // Where nothing was known, the silence ends nothing that had begun: of a few fixes between two silences
    // no change would ever be confirmed. But each of them may be a cold start.
    var kept = state == .unknown && candidate?.wasUnproven == false ? candidate : nil
    kept?.last = now
    dropCandidate()
    defer { candidate = kept }
    lastOutside = nil
    guard state.isKnown else { return nil }
    gapBegan = gapBegan ?? lastFix
    return change(
      to: .unknown, kind: .undetermined, date: date, visitEnds: visitEnds)
  }

  /// Forgets a change that fixes that can't tell have outlasted by so long, as if it had never begun.
  mutating func dropStaleCandidate(at lastFix: Timestamp?, within longest: Duration) {
    guard let last = candidate?.last, let lastFix else { return }
    if (lastFix - last).isLonger(than: longest) { candidate = nil }
  }

  /// Forgets a change that can't be confirmed any more, but not that it may have begun by then.
  mutating func dropCandidate() {
    gapBegan = doubtBegan
    candidate = nil
  }

  /// Forgets since when fixes lack the altitude that is asked for, but not that the state is in doubt since then.
  mutating func forgetLackOfAltitude() {
    guard let lacked = altitudeLackedSince else { return }
    gapBegan = min(doubtBegan ?? lacked, lacked)
    altitudeLackedSince = nil
  }

  /// Ends the watch, and with it the visit.
  mutating func end(
    _ reason: UnmonitoredReason, at date: Timestamp, visitEnds: Timestamp
  ) -> ConditionChange {
    var change = change(
      to: .unmonitored, kind: .unmonitored, date: date, visitEnds: unconfirmedExit ?? visitEnds)
    change.reason = reason
    return change
  }

  /// Moves to a state, ending the visit that is under way.
  mutating func change(
    to state: ConditionState, kind: EventKind, date: Timestamp, visitEnds: Timestamp
  ) -> ConditionChange {
    var change = ConditionChange(
      kind: kind, state: state, previousState: self.state, date: date)
    change.isAccuracyLimited = isAccuracyLimited
    if let visitBegan {
      change.visitBegan = visitBegan
      // A receiver that set its clock back says nothing about how long it was.
      if visitEnds >= visitBegan { change.duration = visitEnds - visitBegan }
      self.visitBegan = nil
    }
    self.state = state
    if state.isKnown {
      knownState = state
      gapBegan = nil
    }
    candidate = nil
    return change
  }
}
