/// The fixes that were looked at last, oldest first; at most ``Explanation/evidenceLimit`` are told.
///
/// Refusals never push out what was judged by more than half: a receiver that has lost its position says
/// so once a second.
package struct ConsideredFixes: Sendable {
  /// Those that were judged.
  private(set) var judged = JudgedFixes()

  /// From which one of these on they are told; those before only say how far bounds reach.
  private var firstTold = 0

  /// The numbers of those that are told.
  private var told: Range<Int> {
    max(firstTold, judged.numbers.lowerBound)..<judged.total
  }

  /// The receiver that the last one came from.
  private var device: String?

  /// The refused ones, each with how many had been judged before it.
  private var refused: [(before: Int, fix: RejectedFix)] = []

  /// The last one of before a restart, and how many of all were judged by then; nil where there was none.
  private var restored: (fix: Location, total: Int)?

  /// How the receiver's clock was set back last; nil where it never was.
  package internal(set) var clockSetBack: ClockSetBack?

  package struct ClockSetBack: Sendable, Equatable {
    /// Which one it is since the start: a scenario that is repeated sets back by the same times.
    fileprivate(set) var number = 0

    /// The last fix before.
    var from: Timestamp

    /// The first fix after it.
    package internal(set) var to: Timestamp
  }

  /// Takes note that a fix is earlier than the one before.
  mutating func noteSetBack(to time: Timestamp, after last: Timestamp) {
    clockSetBack = ClockSetBack(
      number: (clockSetBack?.number ?? 0) + 1, from: last, to: time)
    judged.forgetOlder()
  }

  /// The first fix after the clock was set back, where a fix's time is one of before.
  ///
  /// What the clock may have shown before and after is taken to be of before, which makes bounds wider and never
  /// wrong. Of one that was far off that can't be: it would make them wider for as long as it was off.
  func setBack(at time: Timestamp) -> Timestamp? {
    guard let setBack = clockSetBack, let last = judged.last?.timestamp else { return nil }
    let mayBeAfter = last != setBack.from && setBack.to <= time && time <= last
    let mayBeBefore = time <= setBack.from && setBack.from - setBack.to <= Self.ambiguousStep
    return mayBeAfter && !mayBeBefore ? nil : setBack.to
  }

  private static let ambiguousStep = Duration.seconds(3600)

  /// What each of them, in order, said about a condition.
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

  /// From which probability on the last fix was to be believed on its side of a condition, where it is taken
  /// to have stood still; nil where it isn't.
  func confidenceAtRest(
    about condition: borrowing JudgedCondition, with parameters: borrowing DecisionParameters
  ) -> Double? {
    guard let estimate = judged.last?.estimate, estimate.isSettled else { return nil }
    var points = PointFinder()
    return condition.judgement(of: estimate, &points, with: parameters)
      .confidence(atRest: parameters.stillConfidence)
  }

  /// Whether one was judged since the restart.
  var hasJudged: Bool { judged.total > restored?.total ?? 0 }

  /// The last one that was judged; nil when there was none.
  var lastFix: Location? {
    hasJudged ? judged.last?.location(from: device) : restored?.fix
  }

  /// Whether a fix is of another receiver than the last one.
  func isOfOther(_ fix: borrowing Location) -> Bool {
    guard let last = hasJudged ? device : restored?.fix.device else { return false }
    return fix.device != last
  }

  /// Goes on after a restart from the last fix.
  ///
  /// - Parameter estimate: where that was taken to be, for where it isn't among those that are remembered.
  mutating func goOn(after last: Location, _ estimate: PositionEstimate) {
    if judged.last?.timestamp != last.timestamp {
      self = ConsideredFixes()
      remember(last, estimate)
    }
    restored = (last, judged.total)
  }

  init() {}

  /// Those that were judged, and how the clock was set back last.
  init(judged: JudgedFixes, clockSetBack: ClockSetBack?) {
    (self.judged, self.clockSetBack) = (judged, clockSetBack)
  }

  /// Adds a fix that was judged, and forgets what is too much.
  @inline(never)
  mutating func remember(_ fix: Location, _ estimate: PositionEstimate) {
    judged.append(fix, estimate)
    // Most often it is the same, and needn't be counted once more.
    if fix.device != device { device = fix.device }
    if !refused.isEmpty { forgetSurplus() }
  }

  /// Adds a fix that was refused, and forgets what is too much.
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
