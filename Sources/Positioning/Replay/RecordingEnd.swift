import Geofencing

/// Tells which events of a recording come before a time.
struct RecordingEnd {
  /// What becomes of an event.
  enum Verdict {
    case played
    case leftOut
    /// Nothing that follows is played either.
    case last
  }

  /// Until when it is played.
  let time: Timestamp

  /// Whether a fix was left out because it is later, and none has come since that isn't.
  private(set) var isReached = false

  /// Whether the report before was left out: what belongs to it is, too.
  private var leavesOut = false

  /// The latest time that was played.
  private var newest: Timestamp?

  init(time: Timestamp) { self.time = time }

  /// Judges the next event.
  mutating func judge(_ event: SourceEvent) -> Verdict {
    guard case .tpv(let report) = event, let now = report.time else {
      return leavesOut ? .leftOut : .played
    }
    // Without a fix a receiver may say any time.
    let hasFix = report.mode >= 2
    if now > time {
      isReached = isReached || hasFix
      leavesOut = true
    } else if isReached {
      guard hasFix else { return .leftOut }
      // What goes on from before comes behind a wrong date. Else a clock was set back at a later time.
      if let newest, now < newest { return .last }
      (isReached, leavesOut) = (false, false)
    } else {
      leavesOut = false
    }
    if !leavesOut { newest = max(newest ?? now, now) }
    return leavesOut ? .leftOut : .played
  }
}
