/// What is known of a condition to which something is happening; plain memory, which is copied as it is.
///
/// It takes fixes one by one and says what changed. It has no clock: all times are those of the fixes.
struct ConditionWatch: BitwiseCopyable, Sendable {
  var state: ConditionState

  /// The last state that was known; it is kept while the state is unknown.
  var knownState: ConditionState?

  /// Whether the accuracy is too poor to believe any position to be inside.
  var isAccuracyLimited = false

  /// Whether the last fix contradicted the state, but not surely enough as the receiver stands still.
  var isHeldByStanding = false

  /// When the visit began that is under way; nil outside.
  var visitBegan: Timestamp?

  /// When the condition was added, by the clock of the fixes; nil if that wasn't known.
  ///
  /// It is never later than a fix that has been judged since.
  var watchedSince: Timestamp?

  /// A change that isn't confirmed yet.
  var candidate: Candidate?

  /// How far the last change, or the one that is under way, was confirmed.
  var confirmation: Confirmation?

  /// The last position that was surely outside, where a way through the condition may begin.
  ///
  /// While such a way waits for the next fix, it is the position where that way begins.
  var lastOutside: TimedEstimate?

  /// The last fix before those that lack the altitude that the condition asks for.
  var altitudeLackedSince: Timestamp?

  /// The last fix before the first gap since the state was last seen to hold.
  var gapBegan: Timestamp?

  /// The last fix before the state may have ended unseen, or before the change that is being confirmed.
  var doubtBegan: Timestamp? { gapBegan ?? candidate?.before }

  /// The first fix outside if an exit is being confirmed: the best guess of when the visit ended.
  private var unconfirmedExit: Timestamp? {
    candidate?.state == .unsatisfied ? candidate?.first : nil
  }

  struct Candidate: BitwiseCopyable, Sendable, Hashable {
    private(set) var state: ConditionState

    /// The time of the first fix that spoke for the change, of the last one, and of the fix before the first.
    private(set) var first: Timestamp
    var last: Timestamp
    private(set) var before: Timestamp?

    var fixes: Int32 = 0

    /// Whether one of the fixes was farther away than the speeds explain: see ``PositionEstimate/isUnproven``.
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

    /// Whether fixes were so far apart that both the way to these fixes and the way on may have bent.
    ///
    /// - Parameters:
    ///   - next: the time of the next fix.
    ///   - outside: the time of the last fix outside, for a candidate that knows no fix before its first.
    func isSeldom(before next: Timestamp, after outside: Timestamp) -> Bool {
      first - (before ?? outside) > Route.straightTime && next - last > Route.straightTime
    }

    /// Whether the values make sense, as those from an archive may not.
    var isSound: Bool { fixes > 0 && first <= last }

    /// Writes the candidate to the archive, or reads it from there.
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

  /// Begins to watch a condition of which only the state is known that its owner assumes.
  @inline(__always)
  init(assuming state: ConditionState, watchedSince: Timestamp?) {
    self.state = state
    self.watchedSince = watchedSince
    if state.isKnown { knownState = state }
  }

  /// Whether nothing is happening to the condition, so that it needn't be watched after this fix.
  ///
  /// - Parameter fix: the time of the fix that was judged just now.
  @inline(__always)
  func mayRest(after fix: Timestamp) -> Bool {
    state == .unsatisfied && knownState == .unsatisfied && visitBegan == nil && gapBegan == nil
      && !isUnderWay && lastOutside?.time == fix
  }

  /// Whether fixes that are surely inside change nothing.
  @inline(__always)
  var isSatisfiedBeyondDoubt: Bool {
    state == .satisfied && gapBegan == nil && !isUnderWay
  }

  /// Whether something is happening that the next fixes may end.
  @inline(__always)
  var isUnderWay: Bool { candidate != nil || isHeldByStanding || altitudeLackedSince != nil }

  /// Whether an exit is being confirmed.
  @inline(__always)
  var isLeaving: Bool { state == .satisfied && candidate?.state == .unsatisfied }

  /// Whether fixes change nothing that are surely too close to the line to tell.
  @inline(__always)
  var isUnmovedAtLine: Bool { !isHeldByStanding && candidate == nil }

  // MARK: What comes without a fix

  /// Forgets the state when it has been believed for too long without a usable fix.
  ///
  /// - Parameters:
  ///   - lastFix: the time of the last usable fix.
  ///   - date: when the state had been believed for too long.
  ///   - now: the present, by the clock of the fixes.
  ///   - silence: for how long a state is believed.
  mutating func forget(
    lastFix: Timestamp, at date: Timestamp, now: Timestamp, after silence: Duration
  ) -> ConditionChange? {
    dropStaleCandidate(at: lastFix, within: silence)
    let visitEnds = unconfirmedExit ?? lastFix
    // While the state is unknown, a silence doesn't end a change that is being confirmed: with a few fixes between two
    // silences none would ever be. A fix that may be a reflection isn't kept: it may be a cold start.
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

  /// Drops a change that is being confirmed if since its last fix undecided ones have come for longer than `longest`.
  mutating func dropStaleCandidate(at lastFix: Timestamp?, within longest: Duration) {
    guard let last = candidate?.last, let lastFix else { return }
    if (lastFix - last).isLonger(than: longest) { candidate = nil }
  }

  /// Drops a change that can't be confirmed any more, but remembers since when the state is in doubt.
  mutating func dropCandidate() {
    gapBegan = doubtBegan
    candidate = nil
  }

  /// Drops the note of since when fixes lack the altitude, but remembers that the state is in doubt since then.
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

  /// Moves to a state, and ends the visit that is under way.
  mutating func change(
    to state: ConditionState, kind: EventKind, date: Timestamp, visitEnds: Timestamp
  ) -> ConditionChange {
    var change = ConditionChange(
      kind: kind, state: state, previousState: self.state, date: date)
    change.isAccuracyLimited = isAccuracyLimited
    if let visitBegan {
      change.visitBegan = visitBegan
      // If the receiver set its clock back, the length of the visit isn't known.
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
