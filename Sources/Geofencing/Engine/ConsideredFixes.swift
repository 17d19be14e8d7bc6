/// The fixes that were looked at last, oldest first; at most ``Explanation/evidenceLimit``.
///
/// Refusals never push out what was judged by more than half: a receiver that has lost its position says
/// so once a second.
package struct ConsideredFixes: Sendable {
  /// The last fixes that were judged; a new one takes the place of the one that is as many older.
  private var fixes = Column<JudgedFix>()

  /// The receiver that the last one came from.
  private var device: String?

  /// How many were ever judged, and how many of them are still remembered.
  private var total = 0
  private var count = 0

  /// Of all those before, one in as many as are remembered, oldest first; the older, the fewer.
  private var thinned: [JudgedFix] = []

  /// The refused ones, each with how many had been judged before it.
  private var refused: [(before: Int, fix: RejectedFix)] = []

  /// The last one of before a restart, and how many of all were judged by then; nil where there was none.
  private var restored: (fix: Location, total: Int)?

  /// From when to when the receiver's clock was set back; nil where it never was.
  var clockSetBack: ClockSetBack?

  struct ClockSetBack: Sendable {
    var from: Timestamp
    var to: Timestamp
  }

  /// Takes note that a fix is earlier than the one before.
  mutating func noteSetBack(to time: Timestamp, after last: Timestamp?) {
    let latest = [clockSetBack?.from, last].compactMap { $0 }.max()
    clockSetBack = ClockSetBack(from: latest ?? time, to: time)
    thinned = []
  }

  /// The first fix after the clock was set back, where a time is one that had been before.
  func setBack(at time: Timestamp) -> Timestamp? {
    clockSetBack.flatMap { time <= $0.from ? $0.to : nil }
  }

  /// What each of them, in order, said about a condition.
  func evidence(
    about condition: borrowing JudgedCondition, with parameters: borrowing DecisionParameters
  ) -> [Explanation.Evidence] {
    var points = PointFinder()
    var evidence: [Explanation.Evidence] = []
    evidence.reserveCapacity(count + refused.count)
    var rest = refused[...]
    for number in total - count...total {
      while let next = rest.first, next.before <= number || number == total {
        evidence.append(next.fix.evidence)
        rest.removeFirst()
      }
      guard number < total else { break }
      let place = number % Explanation.evidenceLimit
      evidence.append(fixes[place].evidence(about: condition, &points, with: parameters))
    }
    return evidence
  }

  /// From which probability on the last fix was to be believed on its side of a condition, where it is taken
  /// to have stood still; nil where it isn't.
  func confidenceAtRest(
    about condition: borrowing JudgedCondition, with parameters: borrowing DecisionParameters
  ) -> Double? {
    guard total > 0 else { return nil }
    let estimate = fixes[(total - 1) % Explanation.evidenceLimit].estimate
    guard estimate.isSettled else { return nil }
    var points = PointFinder()
    return condition.judgement(of: estimate, &points, with: parameters)
      .confidence(atRest: parameters.stillConfidence)
  }

  /// The time of the last fix that was surely inside of a condition; nil where none was that is remembered.
  ///
  /// Of what is long ago not every fix is: it may be earlier than the last one, but isn't later.
  ///
  /// - Parameter since: earlier fixes don't count.
  func lastInside(
    of condition: borrowing JudgedCondition, since: Timestamp?,
    with parameters: borrowing DecisionParameters
  ) -> Timestamp? {
    var points = PointFinder()
    // In a silence everything is asked that was satisfied: nothing is copied.
    for number in 0..<count + thinned.count {
      let fix =
        number < count
        ? fixes[(total - 1 - number) % Explanation.evidenceLimit]
        : thinned[thinned.count - 1 - (number - count)]
      if let since, fix.timestamp < since { continue }
      let judgement = condition.judgement(of: fix.estimate, &points, with: parameters)
      if judgement.verdict == .inside { return fix.timestamp }
    }
    return nil
  }

  /// The way between two positions in straight legs: by the fixes between them that were surely beside it,
  /// as far as they are remembered.
  ///
  /// - Parameter deviations: from how many standard deviations on that is believed.
  func legs(
    from start: (time: Timestamp, estimate: PositionEstimate),
    to end: (time: Timestamp, estimate: PositionEstimate), deviations: Double
  ) -> [(way: Way, span: Duration)] {
    let straight = Way(from: start.estimate, to: end.estimate)
    let last = (total - count..<total).map { fixes[$0 % Explanation.evidenceLimit] }
    let older = thinned.prefix { fix in last.first.map { fix.timestamp < $0.timestamp } ?? true }
    let beside = (older + last).filter {
      $0.timestamp > start.time && $0.timestamp < end.time
        && straight.misses($0.estimate, by: deviations)
    }
    let stops = [start] + beside.map { (time: $0.timestamp, estimate: $0.estimate) } + [end]
    return zip(stops, stops.dropFirst()).map { from, to in
      (Way(from: from.estimate, to: to.estimate), to.time - from.time)
    }
  }

  /// The time of the first one of all that are remembered; nil where there is none.
  var oldest: Timestamp? {
    thinned.first?.timestamp
      ?? (count > 0 ? fixes[(total - count) % Explanation.evidenceLimit].timestamp : nil)
  }

  /// Whether one was judged since the restart.
  var hasJudged: Bool { total > restored?.total ?? 0 }

  /// The last one that was judged; nil when there was none.
  var lastFix: Location? {
    guard hasJudged else { return restored?.fix }
    return fixes[(total - 1) % Explanation.evidenceLimit].location(from: device)
  }

  /// Those that were judged, oldest first, each with where it was taken to be.
  var judged: [(Location, PositionEstimate)] {
    (total - count..<total).map { number in
      let fix = fixes[number % Explanation.evidenceLimit]
      return (fix.location(from: nil), fix.estimate)
    }
  }

  /// Goes on after a restart from the last fix.
  ///
  /// - Parameter estimate: where that was taken to be, for where it isn't among those that are remembered.
  mutating func goOn(after last: Location, _ estimate: PositionEstimate) {
    let isRemembered =
      total > 0
      && fixes[(total - 1) % Explanation.evidenceLimit].timestamp == last.timestamp
    if !isRemembered {
      self = ConsideredFixes()
      remember(last, estimate)
    }
    restored = (last, total)
  }

  /// Adds a fix that was judged, and forgets what is too much.
  @inline(never)
  mutating func remember(_ fix: Location, _ estimate: PositionEstimate) {
    let place = total % Explanation.evidenceLimit
    if place == fixes.count { fixes.extend(by: 1) }
    unsafe fixes.withMutableElements { unsafe $0[place].take(fix, estimate) }
    // Most often it is the same, and needn't be counted once more.
    if fix.device != device { device = fix.device }
    total += 1
    count += 1
    if place == 0 { thin(fixes[place]) }
    guard count + refused.count > Explanation.evidenceLimit else { return }
    if refused.isEmpty { count -= 1 } else { forgetSurplus() }
  }

  /// Keeps one of many fixes.
  @inline(never)
  private mutating func thin(_ fix: JudgedFix) {
    if thinned.count == Self.maximumThinned {
      let older = stride(from: 0, to: thinned.count / 2, by: 2).map { thinned[$0] }
      thinned.replaceSubrange(..<(thinned.count / 2), with: older)
    }
    thinned.append(fix)
  }

  /// Some twenty minutes of fixes a second, and what is left of those before.
  private static let maximumThinned = 64

  /// Adds a fix that was refused, and forgets what is too much.
  mutating func remember(_ fix: RejectedFix) {
    if let last = refused.last, let first = refused.dropLast().last, first.before == total,
      let run = fix.joined(to: last.fix, after: first.fix)
    {
      refused[refused.endIndex - 1].fix = run
      return
    }
    refused.append((total, fix))
    forgetSurplus()
  }

  private mutating func forgetSurplus() {
    guard count + refused.count > Explanation.evidenceLimit else { return }
    let areTooMany = refused.count > Explanation.evidenceLimit / 2
    if areTooMany || refused.first.map({ $0.before <= total - count }) ?? false {
      refused.removeFirst()
    } else {
      count -= 1
    }
  }
}
