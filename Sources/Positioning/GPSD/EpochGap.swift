import Geofencing

/// How long nothing has to come from a receiver after a report before its epoch counts as complete, learned
/// from the reports that did come.
///
/// A receiver at 9600 baud takes half a second to tell one epoch, and gpsd reports each part of it as soon as
/// it has that: first a position, with a speed that gpsd derived from it, and later the receiver's own speed and
/// course. What comes after the epoch counted as complete is lost, so nothing is given up before it is known
/// what is usual.
struct EpochGap {
  typealias Instant = ContinuousClock.Instant

  private let shortest: Duration
  private let longest: Duration

  /// The longest time between two reports of one epoch, in the present row of 64 epochs and in the row before:
  /// older ones are forgotten.
  private var observed = Duration.zero
  private var observedBefore = Duration.zero
  private static let remembered = 64

  /// The report that came last, and when.
  private var last: (report: TPV, at: Instant)?
  private var epochs = 0

  init(_ settings: GPSDSettings) {
    shortest = settings.epochGap
    longest = max(settings.epochGap, settings.longestEpochGap)
  }

  /// Takes a report that was read just now; how long to wait for another one.
  mutating func take(_ report: TPV, now: Instant) -> Duration {
    guard report.time != nil else { return shortest }
    if let last, last.report.time == report.time {
      let gap = last.at.duration(to: now)
      // What repeats a time later than that, or at another place, isn't one epoch: its clock is stuck, or
      // has whole seconds only.
      if gap <= longest, !report.isElsewhere(than: last.report) { observed = max(observed, gap) }
    } else {
      epochs += 1
      if epochs % Self.remembered == 0 { (observedBefore, observed) = (observed, .zero) }
    }
    last = (report, now)
    // Of the first epoch only a part may have come, so two are needed for a whole one.
    guard epochs > 2 else { return longest }
    return min(max(shortest, max(observed, observedBefore) * 1.5), longest)
  }
}

extension TPV {
  /// Whether its position is farther from another one's than digits that one of them leaves out.
  fileprivate func isElsewhere(than other: TPV) -> Bool {
    guard hasPosition, other.hasPosition, let here = coordinate, let there = other.coordinate
    else { return false }
    return here.distance(to: there) > 5
  }
}
