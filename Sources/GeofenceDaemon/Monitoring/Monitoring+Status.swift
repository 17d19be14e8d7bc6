import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage

/// What ``Monitoring`` tells about itself.
extension Monitoring {
  /// The numbers by which fixes are judged at present.
  var decision: DecisionParameters { engine.parameters }

  /// The name of the log, which with a sequence number identifies an event.
  var logID: String { log.id }

  /// The number of the newest event in the log; ``signal`` may not have told of it yet.
  var latestSequence: Int64 { log.lastSequence }

  /// How long ago the last fix came; nil when none has come since the start.
  var lastFixAge: Duration? {
    hasReceivedFix ? lastFixReceived.map { clock.uptime() - $0 } : nil
  }

  /// The present by the clock of the fixes; nil when none has come since the start.
  var fixTime: Timestamp? { hasReceivedFix ? earliestFixTime : nil }

  /// The present by the system's clock, but never before the time of the last fix: the clock may not be set yet.
  var date: Timestamp {
    let now = clock.now()
    return max(now, earliestFixTime ?? now)
  }

  /// The earliest that the present can be by the clock of the fixes: as if no time had passed while the program
  /// didn't run.
  var earliestFixTime: Timestamp? {
    guard let last = engine.lastFix, let lastFixReceived else { return nil }
    return last.timestamp + (clock.uptime() - lastFixReceived)
  }

  /// The numbers of the status that are about conditions and the log.
  struct Summary: Sendable {
    var logID: String
    var lastSequence: Int64
    var conditions: Int
    var satisfied: Int
    var path: String
    var storageFailure: String?
    var pending: Int
    var lost: Int
    /// The last fix that was judged, and how long ago it came.
    var lastFix: (location: Location, age: Duration)?
    /// How many fixes the engine has refused.
    var refusals: Int
    /// What is known of those that it has refused since the last one that it took; nil if there are none.
    var doubt: Status.Doubt?
  }

  /// Why nothing can be written at present, or why some of it can't.
  private var storageTrouble: String? {
    storageFailure ?? retentionFailure.map { "old events can't be removed: \($0)" }
  }

  /// How many conditions there are, and how many are satisfied; counted anew only when something has changed.
  private func counts(ofUser user: UInt32?) -> (Int, Int) {
    guard user == nil else { return engine.counts(ofUser: user) }
    if let counted, counted.revision == revisions.latest { return counted.counts }
    let counts = engine.counts(ofUser: nil)
    counted = (revisions.latest, counts)
    return counts
  }

  /// The summary at this moment; answering it also shows that engine and log are alive.
  func summary(ofUser user: UInt32?) -> Summary {
    let (conditions, satisfied) = counts(ofUser: user)
    let lastFix = ask { $0.lastFix }.flatMap { fix in lastFixAge.map { (fix, $0) } }
    return Summary(
      logID: log.id, lastSequence: log.lastSequence, conditions: conditions, satisfied: satisfied,
      path: path, storageFailure: storageTrouble, pending: pending.count, lost: lost,
      lastFix: lastFix, refusals: refusals, doubt: doubt)
  }

  /// The fixes that contradict the last one at present, and would be believed if they lasted.
  private var doubt: Status.Doubt? {
    guard let refused, let last = ask({ $0.lastFix }) else { return nil }
    // After that time any fix is believed.
    guard clock.uptime() - refused.received < decision.unknownAfter else { return nil }
    return Status.Doubt(
      reason: RejectedFix.contradictsMotion, positions: refused.fixes,
      seconds: max(0, (refused.last.timestamp - refused.first).inSeconds),
      distance: last.coordinate.distance(to: refused.last.coordinate),
      believedAfter: decision.jumpTime.inSeconds)
  }

  /// How many conditions are checked at a time for being too small, so that fixes don't wait for all.
  private static let pieceOfLimited = 64

  /// Goes on with counting the conditions that are too small for the accuracy.
  func countingLimited(
    _ count: ConditionEngine.LimitedCount, ofUser user: UInt32?
  ) -> ConditionEngine.LimitedCount {
    var count = count
    engine.countLimited(&count, ofUser: user, atMost: Self.pieceOfLimited)
    return count
  }
}
