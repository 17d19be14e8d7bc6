/// Explanations as they are stored beside their events: in numbers, because everybody waits for an event while its
/// explanation is written.
extension Explanation {
  /// The version of the archive's format: see ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 1

  /// Reads what was stored; nil if that can't be read.
  package init?(words: [UInt64]) {
    self.init(
      outcome: .noFix, state: .unknown, previousState: .unknown, confidence: 0, fixes: 0,
      fixesNeeded: 0, seconds: 0, secondsNeeded: 0, unknownAfterSeconds: 0,
      isAccuracyLimited: false, evidence: [])
    guard NumberArchive.read(words, form: Self.form, { exchange(with: &$0) }) else { return nil }
  }

  /// The numbers as which it is stored.
  package var words: [UInt64] {
    var copy = self
    return NumberArchive.words(form: Self.form, capacity: 20 + 10 * evidence.count) {
      copy.exchange(with: &$0)
    }
  }

  private mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(row: { row in
      row.exchange(inRow: &date)
      row.exchange(inRow: &candidate, into: .unknown) {
        $1.exchange(&$0, among: ConditionState.stored)
      }
      row.exchange(inRow: &confidenceAtRest)
      row.exchange(inRow: &isUnproven, into: false) { $1.exchange(&$0) }
      row.exchange(inRow: &hasOwnConfidence, into: false) { $1.exchange(&$0) }
      row.exchange(inRow: &hasOwnTime, into: false) { $1.exchange(&$0) }
      row.exchange(inRow: &wasSeen, into: false) { $1.exchange(&$0) }
    })
    archive.exchange(&outcome, among: Outcome.stored)
    archive.exchange(&state, among: ConditionState.stored)
    archive.exchange(&previousState, among: ConditionState.stored)
    archive.exchange(&confidence)
    archive.exchange(&fixes, upTo: .max)
    archive.exchange(&fixesNeeded, upTo: .max)
    archive.exchange(&seconds)
    archive.exchange(&secondsNeeded)
    archive.exchange(&unknownAfterSeconds)
    archive.exchange(&isAccuracyLimited)
    var count = evidence.count
    archive.exchange(&count, upTo: Self.evidenceLimit)
    if evidence.count < count {
      evidence = Array(repeating: Evidence(timestamp: nil), count: count)
    }
    for place in 0..<count { evidence[place].exchange(with: &archive) }
  }
}

extension Explanation.Evidence {
  fileprivate mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(row: { row in
      row.exchange(inRow: &timestamp)
      row.exchange(inRow: &latitude)
      row.exchange(inRow: &longitude)
      row.exchange(inRow: &horizontalAccuracy)
      row.exchange(inRow: &speed)
      row.exchange(inRow: &distance)
      row.exchange(inRow: &sigma)
      row.exchange(inRow: &probability)
      row.exchange(inRow: &verdict, into: .undecided) {
        $1.exchange(&$0, among: Judgement.Verdict.stored)
      }
      row.exchange(inRow: &rejection, into: "") { $1.exchange(&$0) }
      row.exchange(inRow: &count, into: 0) { $1.exchange(&$0, upTo: 1 << 32) }
      row.exchange(inRow: &altitude)
      row.exchange(inRow: &verticalSigma)
    })
  }
}

// The orders by which these values are numbered when they are stored.

extension Explanation.Outcome {
  fileprivate static let stored: [Self] = [
    .decided, .confirming, .standing, .agrees, .undecided, .noFix, .contrary, .unproven,
  ]
}

extension ConditionState {
  fileprivate static let stored: [Self] = [
    .unknown, .satisfied, .unsatisfied, .unmonitored,
  ]
}

extension Judgement.Verdict {
  fileprivate static let stored: [Self] = [.inside, .outside, .undecided]
}
