/// Joins the reports that gpsd sends for one epoch of a receiver, each with a part of the data.
///
/// Half of all receivers cause several reports for one time stamp, up to 17; some say "no fix" in
/// one and a position in the next.
package struct EpochMerger: Sendable {
  private var epoch: TPV?

  /// The last epoch that was complete.
  private(set) var lastCompleted: TPV?

  /// What a receiver told of its errors before anything else of that time.
  private var early: TPV?

  package init() {}

  /// Takes a report; when it begins another epoch, the one before is complete and comes back.
  package mutating func add(_ report: TPV) -> TPV? {
    guard let open = epoch else {
      begin(with: report)
      return nil
    }
    if belongsTogether(open, report) {
      epoch = merged(open, report)
      return nil
    }
    let completed = complete()
    begin(with: report)
    return completed
  }

  private mutating func begin(with report: TPV) {
    guard !isLatePart(report) else { return }
    epoch = report
    if let early, let time = early.time, time == report.time {
      epoch?.gst = report.gst ?? early.gst
    }
  }

  /// The epoch that is under way, which is complete now.
  package mutating func complete() -> TPV? {
    guard let completed = epoch else { return nil }
    epoch = nil
    // The position may still come, and isn't late then.
    guard !completed.isGSTAlone else {
      early = completed
      return nil
    }
    lastCompleted = completed
    return completed
  }

  /// Whether a report only repeats an epoch that was complete.
  private func isLatePart(_ report: TPV) -> Bool {
    guard let lastCompleted, let time = report.time else { return false }
    return time == lastCompleted.time && (lastCompleted.hasPosition || !report.hasPosition)
  }

  /// A report without a time belongs to the epoch that has begun.
  private func belongsTogether(_ open: TPV, _ report: TPV) -> Bool {
    // After a loss gpsd sends the first position before it knows the time: it belongs to the epoch
    // that is about to begin, not to the one without a fix or with another position.
    if report.time == nil, report.hasPosition, open.time != nil, !open.hasPosition(of: report) {
      return false
    }
    return report.time == nil || open.time == nil || open.time == report.time
  }

  /// What the later report says counts, but a position isn't lost to a report without one.
  private func merged(_ earlier: TPV, _ later: TPV) -> TPV {
    var result = earlier
    result.time = later.time ?? earlier.time
    result.mode = max(earlier.mode, later.mode)
    result.status = max(earlier.status, later.status)
    if later.hasPosition {
      result.latitude = later.latitude
      result.longitude = later.longitude
    }
    result.altitudeMSL = later.altitudeMSL ?? earlier.altitudeMSL
    result.altitudeHAE = later.altitudeHAE ?? earlier.altitudeHAE
    result.eph = later.eph ?? earlier.eph
    result.epx = later.epx ?? earlier.epx
    result.epy = later.epy ?? earlier.epy
    result.epv = later.epv ?? earlier.epv
    result.gst = later.gst ?? earlier.gst
    result.speed = later.speed ?? earlier.speed
    result.eps = later.eps ?? earlier.eps
    result.track = later.track ?? earlier.track
    result.epd = later.epd ?? earlier.epd
    return result
  }
}

extension TPV {
  fileprivate func hasPosition(of other: TPV) -> Bool {
    hasPosition && latitude == other.latitude && longitude == other.longitude
  }
}
