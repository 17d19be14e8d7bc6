import Geofencing

/// How many reports a receiver's epochs consist of, learned from those that came.
///
/// A receiver that has always sent so many reports for a time stamp has sent all of the next one with
/// as many, and nothing has to be waited for. One that surprises has to be regular for twice as long
/// before it is believed again; what it sends late is lost as it would be after the wait.
/// The same reports always give the same epochs.
package struct EpochRhythm: Sendable {
  /// How many equal epochs prove a rhythm, the first time and at most.
  private static let shortestProof = 8
  private static let longestProof = 1024

  /// The epoch under way.
  private var time: Timestamp?
  private var reports = 0
  private var hasPosition = false
  private var wasComplete = false

  /// What the epochs before had, and how many of them in a row.
  private var usualReports = 0
  private var repetitions = 0
  private var proof = EpochRhythm.shortestProof

  package init() {}

  /// Takes a report; whether its epoch is complete with it.
  package mutating func take(_ report: TPV) -> Bool {
    if report.time != time { begin(report) }
    reports += 1
    hasPosition = hasPosition || report.hasPosition
    if wasComplete {
      // More came than ever before.
      doubt()
    }
    wasComplete =
      repetitions >= proof && reports == usualReports && hasPosition && time != nil
    return wasComplete
  }

  private mutating func begin(_ report: TPV) {
    if reports == usualReports, time != nil {
      repetitions += 1
    } else {
      if repetitions >= proof { doubt() }
      usualReports = reports
      repetitions = 0
    }
    time = report.time
    reports = 0
    hasPosition = false
    wasComplete = false
  }

  private mutating func doubt() {
    proof = min(proof * 2, Self.longestProof)
    repetitions = 0
  }
}
