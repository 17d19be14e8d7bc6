import GeofenceReport
import Geofencing
import Positioning

/// Gathers the report of a replay while it runs.
struct ReplayReport {
  private var report: Report
  private var track = TrackCollection()

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

  mutating func note(_ explained: ReplayedEvent) {
    report.append(
      Report.ExplainedEvent(
        event: explained.event,
        sentences: ExplanationText.sentences(
          of: explained.event, explained.explanation, in: .utc)))
  }

  /// The complete report, with the fixes that the filter rejected at the very end.
  mutating func finish(_ result: Replay.Result) -> Report {
    for rejection in result.untoldRejections.fixes { track.note(rejection) }
    report.track = track.points
    report.markGaps()
    report.rejections = track.rejections
    report.rejectionCounts = Dictionary(
      result.rejected.map { (RejectionText.sentence($0.key), $0.value) }, uniquingKeysWith: +)
    report.origin = "The track is made of the fixes of this recording: \(result.inputSummary)."
    report.remarks = track.remarks
    if let failure = result.recording.failure { report.noteUnread(failure) }
    report.finishEvents()
    return report
  }
}

extension Report {
  /// Says that a recording wasn't read to its end.
  mutating func noteUnread(_ failure: some CustomStringConvertible) {
    remarks.append("The recording was read in part only: \(failure).")
  }
}
