import CommandLineParsing
import ControlInterface
import GeofenceDaemon
import GeofenceReport
import Geofencing
import LinuxSystem
import Positioning
import Varlink

/// Gathers the report about a time from the daemon's log.
struct LogReport {
  private let range: ClosedRange<Timestamp>
  private let zone: TimeZone
  private var report: Report
  private var track = TrackCollection()
  private let progress: ProgressLine

  /// The states of conditions at the end, as far as later events in the log tell them.
  private var lastStates: [ConditionKey: ConditionState] = [:]

  /// Reads the events of the time, and the present conditions.
  ///
  /// - Parameters:
  ///   - status: The daemon's status.
  ///   - zone: The time zone of the report. It has the offset of the end of the time throughout.
  ///   - progress: Shows how far it is.
  init(
    of range: ClosedRange<Timestamp>, in zone: TimeZone, _ status: Status.Reply,
    _ arguments: ParsedArguments, _ progress: ProgressLine
  ) async throws {
    self.progress = progress
    self.range = range
    self.zone = zone.asAt(range.upperBound)
    report = Report(
      title: "Geofences since \(range.lowerBound.readable(in: self.zone).dropLast(3))",
      origin: "The track is made of the fixes that the events rest on; the daemon keeps no others.")
    report.requested = range
    report.zone = self.zone
    if let offset = status.receiver.clockOffset, abs(offset) >= Quantity.clockTolerance {
      report.remarks.append(
        "The receiver's clock is \(Quantity.clockOffset(offset)): times are by it, as events are.")
    }
    try await readEvents(status.storage, arguments)
    try await readConditions(arguments)
  }

  private func isAsked(_ time: Timestamp?) -> Bool { time.map(range.contains) ?? false }

  /// Asks for the explanation of each event, reads the recording if one is named, and makes the report.
  ///
  /// - Returns: the report, and if the recording wasn't read to its end, the reason.
  consuming func finish(
    recording: String?, _ arguments: ParsedArguments
  ) async throws -> (report: Report, failure: CommandFailure?) {
    var failure: CommandFailure?
    for (index, event) in report.events.map(\.event).enumerated() {
      progress.show("event \(index + 1) of \(report.events.count)")
      let explanation = try await Self.explanation(of: event, arguments)
      report.events[index].sentences = ExplanationText.sentences(
        of: event, explanation, in: zone)
      track.note((explanation?.evidence ?? []).filter { isAsked($0.timestamp) })
    }
    let evidence = track
    if let recording { failure = try await takeTrack(of: recording, arguments) }
    drawTrack(with: evidence)
    report.markGaps()
    report.noteReplacements()
    report.remarks += track.remarks
    return (report, failure)
  }

  /// Takes the track of a recording in place of the fixes that events rest on, and says why that isn't all of it.
  private mutating func takeTrack(
    of recording: String, _ arguments: ParsedArguments
  ) async throws -> CommandFailure? {
    track = TrackCollection()
    let failure = try await read(recording, arguments)
    if !arguments.isGiven("config") {
      report.remarks.append(
        "Which fixes of the recording are used was found out with the default configuration; "
          + "--config names the daemon's.")
    }
    report.origin =
      "The track is made of the fixes of "
      + (recording == "-"
        ? "standard input" : "the recording \(recording.split(separator: "/").last ?? "")")
      + ", and of those that the events rest on."
    return failure
  }

  /// Draws the track with the fixes that events rest on, and what was left out of either.
  private mutating func drawTrack(with evidence: TrackCollection) {
    var fixes = Dictionary(
      (track.points + evidence.points).map { ($0.timestamp, $0) }
    ) { recorded, _ in recorded }
    // The daemon may have known more from before the recording: whether it used or rejected a fix counts.
    let used = Set(evidence.points.map(\.timestamp))
    let recorded = Set(track.points.map(\.timestamp))
    for time in evidence.rejections.compactMap(\.fix.timestamp) { fixes[time] = nil }
    report.track = fixes.values.sorted { $0.timestamp < $1.timestamp }
    report.rejections = track.rejections.filter { rejection in
      rejection.fix.timestamp.map { !used.contains($0) } ?? true
    }
    // For its own time, a recording has all rejected fixes.
    let times = track.points.map(\.timestamp) + track.rejections.compactMap(\.fix.timestamp)
    let time = times.min().flatMap { first in times.max().map { first...$0 } }
    report.rejections += evidence.rejections.filter { rejection in
      rejection.fix.timestamp.map { recorded.contains($0) || time?.contains($0) != true } ?? false
    }
    if !track.omitted.isEmpty {
      report.rejectionCounts = report.rejections.reduce(into: track.omitted) {
        $0[$1.sentence, default: 0] += $1.fix.count
      }
    }
  }

  // MARK: The log

  private mutating func readEvents(
    _ storage: Status.Storage, _ arguments: ParsedArguments
  ) async throws {
    let parameters = Events.Parameters(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"), since: 0,
      from: range.lowerBound)
    try await ControlClient.eachPage(of: parameters, arguments) { reply in
      for event in reply.events { note(event) }
      if let last = reply.events.last { progress.show("read the log to #\(last.sequence)") }
    }
    if let note = storage.note(since: range.lowerBound, in: zone) {
      report.remarks.append("\(note).")
    }
  }

  private mutating func note(_ event: Event) {
    let transition = event.transition
    guard transition.date <= range.upperBound else {
      lastStates[transition.key] = lastStates[transition.key] ?? transition.previousState
      return
    }
    report.append(Report.ExplainedEvent(event: event, sentences: []))
  }

  private mutating func readConditions(_ arguments: ParsedArguments) async throws {
    report.finishEvents()
    let parameters = List.Parameters(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"))
    let named = Set(report.events.map(\.event.transition.key))
    var later = 0
    try await ControlClient.stream(List.self, parameters, arguments, prompt: .all) { reply in
      for record in reply.records {
        let added = Self.added(record)
        if let added, added > range.upperBound, !named.contains(record.key) {
          later += 1
          continue
        }
        report.fences.append(
          Report.Fence(
            key: record.key, condition: record.condition,
            state: lastStates[record.key] ?? record.state, added: added))
      }
      progress.show("read \(Quantity.count(report.fences.count, "condition", "conditions"))")
    }
    try await readBeginnings(arguments)
    if later > 0 {
      report.remarks.append(
        "Not shown: \(Quantity.count(later, "condition", "conditions")) added, or given another shape, "
          + "after that time.")
    }
  }

  /// When a condition was added; nil if the clock was certainly set back since then.
  private static func added(_ record: MonitorRecord) -> Timestamp? {
    // A record's last event came after it was added, so its date can't be earlier unless the clock was set back.
    let isAhead = record.lastEvent?.recorded.map { $0 < record.added } ?? false
    return isAhead || record.added > Timestamp.now ? nil : record.added
  }

  /// Finds out since when conditions were watched that aren't watched any more, if that was before the time of the
  /// report and the log tells it.
  private mutating func readBeginnings(_ arguments: ParsedArguments) async throws {
    let watched = Dictionary(report.fences.map { ($0.key, $0.added) }) { first, _ in first }
    var seen: Set<ConditionKey> = []
    let asked = report.events.map(\.event).filter { event in
      let transition = event.transition
      guard seen.insert(transition.key).inserted, transition.visit == nil else { return false }
      let isEarlier = (watched[transition.key] ?? nil).map { transition.date < $0 } ?? true
      return isEarlier && transition.saysLittleOfBefore
    }
    for event in asked.prefix(Self.beginningsLimit) {
      let key = event.transition.key
      let parameters = Events.Parameters(
        user: key.monitor.user, monitor: key.monitor.name, identifier: key.identifier, since: 0)
      let first = try await ControlClient.callPatiently(Events.self, parameters, arguments)
        .events.first
      if let first, first.sequence < event.sequence {
        report.watchedSince[key] = first.transition.date
      }
    }
  }

  /// For how many conditions: as many as the report has rows of states.
  private static let beginningsLimit = 300

  /// The explanation that was stored with an event; nil if there is none.
  private static func explanation(
    of event: Event, _ arguments: ParsedArguments
  ) async throws -> Explanation? {
    guard event.transition.kind != .unmonitored else { return nil }
    do {
      return try await ControlClient.callPatiently(
        Explain.self, Explain.Parameters(sequence: event.sequence), arguments
      ).explanation
    } catch let error as VarlinkError
      where error.name == ControlError.Name.noSuchEvent.qualified
    {
      // The event has left the log since it was read.
      return nil
    }
  }

  // MARK: The recording

  /// Whether the name of a recording is a file or standard input, and not a recording of the daemon.
  static func isFile(_ name: String) -> Bool {
    if name == "-" || name.contains("/") { return true }
    return (try? FileStatus(path: name)).map { $0.kind != .directory } ?? false
  }

  /// Reads a recording, and returns why it wasn't read to its end.
  private mutating func read(
    _ name: String, _ arguments: ParsedArguments
  ) async throws -> CommandFailure? {
    if Self.isFile(name) { return try await play(Recording(path: name), name, arguments) }
    let copy = try UnnamedFile()
    var isEmpty = true
    let parameters = ReadRecording.Parameters(user: try ControlClient.user(arguments), name: name)
    try await ControlClient.stream(ReadRecording.self, parameters, arguments, prompt: .all) {
      reply in
      try copy.append(Array(reply.text.utf8))
      isEmpty = isEmpty && reply.text.isEmpty
    }
    guard !isEmpty else {
      throw CommandFailure(
        description: "\(name): the recording is empty: gpsd said nothing while it was made")
    }
    return try await play(Recording(path: copy.path), name, arguments)
  }

  private mutating func play(
    _ recording: Recording, _ name: String, _ arguments: ParsedArguments
  ) async throws -> CommandFailure? {
    let configuration = try ReplaySettings.base("config", arguments) ?? Configuration()
    var (used, refused) = (RecordedTimes(), RecordedTimes())
    // Which fixes are rejected doesn't depend on the conditions.
    let result = try await Replay(watching: [], configuration: configuration).run(
      recording, explains: false,
      updates: { update in
        used.note(update.location?.timestamp)
        for rejection in update.rejections { refused.note(rejection.timestamp) }
        var update = update
        update.rejections.removeAll { !isAsked($0.timestamp) }
        if !isAsked(update.location?.timestamp) { update.location = nil }
        track.note(update)
      }, events: { _ in })
    for fix in result.untoldRejections.fixes {
      refused.note(fix.timestamp)
      if isAsked(fix.timestamp) { track.note(fix) }
    }
    if let others = result.rejected[RejectionReason.otherReceiver.rawValue] {
      report.remarks.append(
        "Not shown: \(Quantity.count(others, "position", "positions")) of the recording that came from "
          + "another receiver than the one that is followed.")
    }
    if track.points.isEmpty, track.rejections.isEmpty {
      report.remarks.append(remark(ofNoneIn: used.range ?? refused.range))
    }
    return result.recording.failure.map { failure in
      report.noteUnread(failure)
      return CommandFailure(description: "\(name): reading ended early: \(failure)")
    }
  }

  /// The remark that a recording has no fix of the time that was asked for: another one may be meant.
  private func remark(ofNoneIn recorded: ClosedRange<Timestamp>?) -> String {
    guard let recorded else { return "The recording has no fixes." }
    return "No fix of the recording lies \(range.text(in: zone)): it has those from "
      + "\(recorded.lowerBound.text(in: zone)) to \(recorded.upperBound.text(in: zone))."
  }

  /// The times of a recording's first and last fix.
  private struct RecordedTimes {
    private(set) var range: ClosedRange<Timestamp>?

    mutating func note(_ time: Timestamp?) {
      guard let time else { return }
      range = range.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }
  }
}
