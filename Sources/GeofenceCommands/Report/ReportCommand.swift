import CommandLineParsing
import ControlInterface
import GeofenceReport
import Geofencing
import Varlink

/// The command `geofenced ctl report`.
enum ReportCommand: Subcommand {
  static let definition = Command(
    "report", abstract: "Write what happened as a page with a map.",
    discussion: """
      If OUT ends in .html, it becomes a page that shows the conditions, the events and why they \
      came about, on a map and over time; any browser opens it, and it fetches nothing. If it ends \
      in .geojson, it is for a program such as QGIS. The file holds positions, so only its owner \
      may read it.

      The daemon keeps no track, so the report draws the fixes that the events rest on. With \
      --recording it also draws those of a recording: a file, or one of 'geofenced ctl record \
      list'. Which of them are used is decided as in the daemon, by the configuration that \
      --config names. --since and --until go by the times of the fixes. The report has at most \
      2000 events: those that found conditions to be outside are left out first, then the oldest; \
      it says how many.
      """,
    examples: [
      Example("geofenced ctl report --since 24h day.html", "A picture of the last day."),
      Example(
        "geofenced ctl report --since 2026-11-20 --recording night night.html",
        "With the track that was recorded."),
    ],
    arguments: [Argument("out", takes: .file("OUT"), help: "The file to write.")],
    options: [
      Option(
        "since", takes: .text("DATE"), isRequired: true,
        help: """
          Where to begin: a date such as 2026-11-20 or 2026-11-20T18:00, or how long ago, such as 2h.
          """),
      Option(
        "until", takes: .text("DATE"), help: "Where to end, in the same form; without it, now."),
      Option(
        "recording", takes: .file("NAME"),
        help: """
          Draw the track of this recording: a file, '-' for standard input, or a name that the daemon \
          knows.
          """),
      Option(
        "config", short: "c", takes: .file("FILE"),
        help: "The configuration for the fixes of the recording; without it, the defaults."),
      ControlClient.anyMonitor, ControlClient.anyUser,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    var file = try ReportFile(arguments.requiredString("out"), arguments)
    let asked = try range(arguments)
    if let recording = arguments.string("recording") {
      if file.replaces(recording) {
        throw arguments.usageError("the report would replace the recording")
      }
      guard LogReport.isFile(recording) || RecordingName.isValid(recording) else {
        throw arguments.usageError(
          "there is no file \(quoted(recording)), and it can't be the name of a recording")
      }
    }
    if arguments.isGiven("config"), !arguments.isGiven("recording") {
      throw arguments.usageError("--config is for --recording")
    }
    // Opened first: reading may take long, and would be in vain if the file can't be written.
    try file.open()
    let progress = ProgressLine()
    defer { progress.end() }
    let status = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
    let present = present(status)
    let end = arguments.isGiven("until") ? min(asked.upperBound, present) : present
    guard asked.lowerBound < end else {
      throw arguments.usageError(
        "--since \(asked.lowerBound.text(in: .local)) isn't before now")
    }
    let log = try await LogReport(
      of: asked.lowerBound...end, in: .local, status, arguments, progress)
    let (report, failure) = try await log.finish(
      recording: arguments.string("recording"), arguments)
    progress.show("writing the report", atOnce: true)
    try file.write(report)
    progress.end()
    if report.fences.isEmpty, report.events.isEmpty {
      ControlClient.tellNothing("conditions and no events of that time", arguments)
    }
    let written = Written(
      path: file.path, fixes: report.track.count, conditions: report.fences.count,
      events: report.events.count, remarks: report.remarks)
    for remark in report.remarks { Console.tell(remark, by: arguments) }
    try ControlClient.show(
      written, arguments,
      text: "\(written.path): \(written.text)\n")
    if let failure { throw failure }
  }

  /// The latest time that an event may have: events have the receiver's time, and its clock may be ahead.
  static func present(_ status: Status.Reply) -> Timestamp {
    let now = Timestamp.now
    guard let offset = status.receiver.clockOffset.flatMap({ Duration(inSeconds: $0) }) else {
      // If the receiver wasn't heard since the daemon's start, the newest event tells its time.
      return max(now, status.lastEvent?.transition.date ?? now)
    }
    return max(now, now + offset)
  }

  /// The numbers of what was written, as JSON.
  private struct Written: Encodable {
    let path: String
    let fixes: Int
    let conditions: Int
    let events: Int
    let remarks: [String]

    /// The same for a person.
    var text: String {
      [
        Quantity.count(fixes, "fix", "fixes"),
        Quantity.count(conditions, "condition", "conditions"),
        Quantity.count(events, "event", "events"),
      ].joined(separator: ", ")
    }
  }

  private static func range(_ arguments: ParsedArguments) throws -> ClosedRange<Timestamp> {
    let now = Timestamp.now
    let since = try arguments.moment("since", before: now) ?? now
    let until = try arguments.moment("until", before: now) ?? now
    guard since < until else {
      throw arguments.usageError(
        "--since \(since.text(in: .local)) isn't before "
          + (arguments.isGiven("until") ? "--until \(until.text(in: .local))" : "now"))
    }
    return since...until
  }
}
