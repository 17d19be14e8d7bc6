import Geofencing

/// How long nothing has to come after a report before its epoch counts as complete, learned from the reports
/// that did come.
///
/// A receiver at 9600 baud takes half a second to tell one epoch, and gpsd reports each part of it as soon as
/// it has that: first a position, with a speed that gpsd derived from it, and later the receiver's own speed and
/// course. What comes after the epoch counted as complete is lost, so nothing is given up before it is known
/// what is usual.
struct EpochGap {
  typealias Instant = ContinuousClock.Instant

  private let shortest: Duration
  private let longest: Duration

  /// The longest that one report of an epoch came after another.
  private var observed = Duration.zero

  /// Which epoch reports came of last, and when.
  private var last: (time: Timestamp, device: String?, at: Instant)?
  private var epochs = 0

  init(_ settings: GPSDSettings) {
    shortest = settings.epochGap
    longest = max(settings.epochGap, settings.longestEpochGap)
  }

  /// Takes a report that was read just now; how long to wait for another one.
  mutating func take(_ report: TPV, now: Instant) -> Duration {
    guard let time = report.time else { return shortest }
    if let last, last.time == time, last.device == report.device {
      let gap = last.at.duration(to: now)
      // What repeats a time later than that isn't one epoch: its clock is stuck.
      if gap <= longest { observed = max(observed, gap) }
    } else {
      epochs += 1
    }
    last = (time, report.device, now)
    // The first begins anywhere, so that of two one is whole.
    return epochs <= 2 ? longest : min(max(shortest, observed * 1.5), longest)
  }
}
