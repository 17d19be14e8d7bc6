/// The last fixes, oldest first, judged or refused; at most ``Explanation/evidenceLimit`` are shown.
///
/// Refused fixes are at most half of them: a receiver that has lost its position tells that once a second.
package struct ConsideredFixes: Sendable {
  /// The fixes that were judged.
  private(set) var judged = JudgedFixes()

  /// The number of the first judged fix that is shown; earlier ones only say how far bounds reach back.
  private var firstTold = 0

  /// The numbers of the judged fixes that are shown.
  private var told: Range<Int> {
    max(firstTold, judged.numbers.lowerBound)..<judged.total
  }

  /// The receiver of the last fix.
  private var device: String?

  /// The refused fixes, each with how many had been judged before it.
  private var refused: [(before: Int, fix: RejectedFix)] = []

  /// The last fix before a restart, and how many fixes had been judged by then; nil if there was none.
  private var restored: (fix: Location, total: Int)?

  /// How the receiver's clock was set back last; nil if it never was.
  package internal(set) var clockSetBack: ClockSetBack?

  package struct ClockSetBack: Sendable, Equatable {
    /// Counts them since the start: a scenario that is repeated sets the clock back by the same times again.
    fileprivate(set) var number = 0

    /// The time of the last fix before it.
    var from: Timestamp

    /// The time of the first fix after it.
    package internal(set) var to: Timestamp
  }

  /// Notes that a fix is earlier than the one before.
  mutating func noteSetBack(to time: Timestamp, after last: Timestamp) {
    clockSetBack = ClockSetBack(
      number: (clockSetBack?.number ?? 0) + 1, from: last, to: time)
    judged.forgetOlder()
  }

  /// The time of the first fix after the clock was set back, if a time is one from before that; nil otherwise.
  ///
  /// A time that the clock may have shown both before and after counts as one from before, which makes bounds wider
  /// but never wrong. That isn't done for a clock that was far off: it would widen bounds for as long as it was off.
  func setBack(at time: Timestamp) -> Timestamp? {
    guard let setBack = clockSetBack, let last = judged.last?.timestamp else { return nil }
    let mayBeAfter = last != setBack.from && setBack.to <= time && time <= last
    let mayBeBefore = time <= setBack.from && setBack.from - setBack.to <= Self.ambiguousStep
    return mayBeAfter && !mayBeBefore ? nil : setBack.to
  }

  private static let ambiguousStep = Duration.seconds(3600)

  /// What each of the fixes that are shown says about a condition, in order.
  func evidence(
    about condition: borrowing JudgedCondition, with parameters: borrowing DecisionParameters
  ) -> [Explanation.Evidence] {
    var points = PointFinder()
    var evidence: [Explanation.Evidence] = []
    evidence.reserveCapacity(told.count + refused.count)
    var rest = refused[...]
    for number in told {
      while let next = rest.first, next.before <= number {
        evidence.append(next.fix.evidence)
        rest.removeFirst()
      }
      evidence.append(judged[number].evidence(about: condition, &points, with: parameters))
    }
    for next in rest { evidence.append(next.fix.evidence) }
    return evidence
  }

  /// The probability from which the last fix is believed on its side of a condition, if it is taken to stand still;
  /// nil otherwise.
  func confidenceAtRest(
    about condition: borrowing JudgedCondition, with parameters: borrowing DecisionParameters
  ) -> Double? {
    guard let estimate = judged.last?.estimate, estimate.isSettled else { return nil }
    var points = PointFinder()
    return condition.judgement(of: estimate, &points, with: parameters)
      .confidence(atRest: parameters.stillConfidence)
  }

  /// Whether a fix was judged since the restart.
  var hasJudged: Bool { judged.total > restored?.total ?? 0 }

  /// The last fix that was judged; nil if there was none.
  var lastFix: Location? {
    hasJudged ? judged.last?.location(from: device) : restored?.fix
  }

  /// Whether a fix comes from another receiver than the last one.
  func isOfOther(_ fix: borrowing Location) -> Bool {
    guard let last = hasJudged ? device : restored?.fix.device else { return false }
    return fix.device != last
  }

  /// Goes on from the last fix after a restart.
  ///
  /// - Parameter estimate: the estimate of that fix, used if the fix isn't among those that are remembered.
  mutating func goOn(after last: Location, _ estimate: PositionEstimate) {
    if judged.last?.timestamp != last.timestamp {
      self = ConsideredFixes()
      remember(last, estimate)
    }
    restored = (last, judged.total)
  }

  init() {}

  /// Restores the judged fixes, and how the clock was set back last.
  init(judged: JudgedFixes, clockSetBack: ClockSetBack?) {
    (self.judged, self.clockSetBack) = (judged, clockSetBack)
  }

  /// Adds a fix that was judged, and drops what is too much.
  @inline(never)
  mutating func remember(_ fix: Location, _ estimate: PositionEstimate) {
    judged.append(fix, estimate)
    // Most often it is the same: then the string isn't retained once more.
    if fix.device != device { device = fix.device }
    if !refused.isEmpty { forgetSurplus() }
  }

  /// Adds a fix that was refused, and drops what is too much.
  mutating func remember(_ fix: RejectedFix) {
    if let last = refused.last, let first = refused.dropLast().last, first.before == judged.total,
      let run = fix.joined(to: last.fix, after: first.fix)
    {
      refused[refused.endIndex - 1].fix = run
      return
    }
    refused.append((judged.total, fix))
    forgetSurplus()
  }

  private mutating func forgetSurplus() {
    let told = told
    guard told.count + refused.count > Explanation.evidenceLimit else { return }
    let areTooMany = refused.count > Explanation.evidenceLimit / 2
    if areTooMany || refused.first.map({ $0.before <= told.lowerBound }) ?? false {
      let isRow = refused.count > 1 && refused[1].fix.endsRow(after: refused[0].fix)
      refused.removeFirst(isRow ? 2 : 1)
    } else {
      firstTold = told.lowerBound + 1
    }
  }
}
