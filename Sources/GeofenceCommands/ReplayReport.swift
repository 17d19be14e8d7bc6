import GeofenceReport
import Geofencing
import Positioning

/// Gathers the report of a replay while it runs.
struct ReplayReport {
  private var report: Report
  private var track = TrackCollection()
  private var forgotten = 0

  /// So many events are told at most, of which the page has a row each; the newest are.
  static let eventLimit = 2000

  /// - Parameter path: the recording; `-` is standard input.
  init(of path: String, against replay: Replay) {
    let name = path == "-" ? "standard input" : String(path.split(separator: "/").last ?? "")
    report = Report(
      title: "Replay of \(name)", origin: "The track is made of the fixes of this recording.")
    let monitor = Replay.monitor
    report.fences = replay.watched.map {
      Report.Fence(
        key: ConditionKey(monitor: monitor, identifier: $0.identifier), condition: $0.condition)
    }
  }

  mutating func note(_ update: LocationUpdate) { track.note(update) }

  mutating func note(_ explained: ExplainedEvent) {
    if report.events.count >= 2 * Self.eventLimit { forgetOldest() }
    report.events.append(
      Report.ExplainedEvent(
        event: explained.event,
        sentences: ExplanationText.lines(of: explained.event, explained.explanation)))
  }

  /// The whole, with what the filter left out at the very end.
  mutating func finish(_ result: Replay.Result) -> Report {
    for rejection in result.receiver.untoldRejections.fixes { track.note(rejection) }
    if report.events.count > Self.eventLimit { forgetOldest() }
    report.track = track.points
    report.markGaps()
    report.rejections = track.rejections
    report.origin = "The track is made of the fixes of this recording: \(result.inputSummary)."
    report.remarks = track.remarks
    if forgotten > 0 {
      report.remarks.append(
        "The newest \(Self.eventLimit) events are told; there were \(forgotten) before them.")
    }
    return report
  }

  private mutating func forgetOldest() {
    let surplus = report.events.count - Self.eventLimit
    report.events.removeFirst(surplus)
    forgotten += surplus
  }
}
