import ControlInterface
package import GeofenceDaemon
package import Geofencing
import GeographicFiles
package import Positioning

/// Judges a recording by the same rules as the daemon, on the recorded time.
///
/// The same recording and the same numbers give the same bytes, on every machine and in every
/// locale and time zone. What is computed with the C library's mathematics (a distance, a
/// probability) may differ from one library to another in its last bits; events round it to less
/// than that, and only a probability that lies within those bits of its threshold could decide
/// otherwise.
package struct Replay: Sendable {
  /// What the events come from, as it is after those that were handed over last.
  private(set) var engine: ConditionEngine

  /// What is watched, in the order in which it was added.
  let watched: [(identifier: String, condition: Condition)]

  /// What the pipeline made of the input that was taken last; nil where nothing came of it.
  private(set) var update: LocationUpdate?

  private var pipeline: LocationPipeline
  private var events = 0

  /// When conditions end by themselves, the latest first: each is looked at once.
  private var ends: [Timestamp]

  /// What altitudes that were used were measured from.
  private var references: Set<AltitudeBand.Reference> = []

  /// How many fixes the pipeline has accepted that the engine then refused.
  private var refusals = 0

  /// What each receiver said last of the time, and for how long it has reported since the last fix.
  private var reports: [String?: (time: Timestamp, elapsed: Duration)] = [:]

  /// When it ended although more follows.
  private var cut: Timestamp?

  /// How far reports of a receiver may be apart for the time between them to pass: a clock that is wrong may leap.
  private static let longestStep = Duration.seconds(900)

  /// Of so many receivers the time is looked at.
  private static let mostReceivers = 16

  /// The monitor whose conditions they are.
  static let monitor = MonitorKey(user: 0, name: GeofencedInterface.defaultMonitor)

  /// What came of a recording.
  struct Result {
    let recording: RecordingSummary

    /// How many fixes were used.
    let fixes: Int

    /// How many were left out, by reason.
    let rejected: [String: Int]

    /// What was left out after the last update.
    let untoldRejections: RejectedFixes
    let events: Int

    /// Where the last fix was; nil without any.
    let end: Coordinate?

    /// How many conditions ask for an altitude that no fix had, by what it is measured from.
    let lackingAltitude: [AltitudeBand.Reference: Int]

    /// Why conditions are in their states at the end; nothing where that isn't asked for.
    let present: [ReplayedPresent]

    /// How many are watched at the end.
    let watched: Int

    /// Whether it was hardly a recording: most lines can't be read, and nothing in the others is a position.
    var isUnreadable: Bool {
      let lines = recording.lines + recording.overlongLines
      let unread = recording.malformedLines + recording.overlongLines
      return recording.failure == nil && fixes == 0 && rejected.isEmpty && unread > lines / 2
    }

    /// All of it in one line, for a person.
    var summary: String { "\(inputSummary); \(Quantity.count(events, "event", "events"))" }

    /// What was in the recording in one line, for a person.
    var inputSummary: String {
      var parts = [
        recording.points.map { Quantity.count($0, "point", "points") }
          ?? Quantity.count(recording.lines, "line", "lines"),
        Quantity.count(fixes, "fix", "fixes"),
      ]
      let rejected = rejected.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      if !rejected.isEmpty { parts.append("rejected: \(rejected.joined(separator: ", "))") }
      for (count, fault) in [
        (recording.malformedLines, "malformed"), (recording.overlongLines, "too long"),
      ] where count > 0 {
        parts.append("\(Quantity.count(count, "line", "lines")) \(fault)")
      }
      return parts.joined(separator: ", ")
    }

    /// What was missing in the recording, for a person, where no position in it could be judged, or none by some
    /// conditions.
    var lack: String? {
      guard recording.failure == nil else { return nil }
      guard fixes == 0 else {
        let lacks = AltitudeBand.Reference.allCases.compactMap { reference in
          lackingAltitude[reference].map {
            "no position in it has an altitude above "
              + (reference == .meanSeaLevel ? "mean sea level" : "the ellipsoid") + ", which "
              + Quantity.count($0, "condition asks for", "conditions ask for")
          }
        }
        return lacks.isEmpty ? nil : lacks.joined(separator: "; ")
      }
      if recording.points == 0 {
        return "there is no track in it; waypoints and routes don't say when somebody was there"
      }
      if rejected[RejectionReason.noTime.rawValue] != nil {
        return "no position in it has a date; in NMEA 0183, valid RMC and ZDA give it, "
          + "GGA and GLL don't"
      }
      // What is wrong with lines is told of them.
      return rejected.isEmpty && recording.malformedLines == 0 ? "there is no position in it" : nil
    }
  }

  /// A replay against the conditions of a file, by the numbers of a configuration.
  init(conditions: ConditionsFile?, configuration: Configuration) {
    self.init(
      watching: (conditions?.conditions ?? []).map { ($0.identifier, $0.condition) },
      configuration: configuration)
  }

  /// A replay against conditions with different identifiers, by the numbers of a configuration.
  package init(
    watching conditions: [(identifier: String, condition: Condition)],
    configuration: Configuration
  ) {
    watched = conditions
    ends = Set(conditions.compactMap(\.condition.expires)).sorted(by: >)
    engine = ConditionEngine(parameters: configuration.decision)
    pipeline = LocationPipeline(parameters: configuration.positioning)
    for (identifier, condition) in conditions {
      // Nothing is replaced, the identifiers are different, so the date is never told.
      _ = engine.add(
        condition, as: ConditionKey(monitor: Self.monitor, identifier: identifier),
        at: Timestamp(nanoseconds: 0))
    }
  }

  /// Plays a recording to its end and hands over the events, numbered from 1, and before them the update
  /// that they came of.
  ///
  /// - Parameters:
  ///   - explains: Whether they come with why they came, which takes longer.
  ///   - progress: Is shown how far it is.
  consuming func run(
    _ recording: Recording, explains: Bool, progress: ProgressLine? = nil,
    updates note: (LocationUpdate) -> Void = { _ in },
    events body: (ReplayedEvent) throws -> Void
  ) async throws -> Result {
    defer { progress?.end() }
    var replay = self
    func tell(_ events: [Event]) throws {
      if let update = replay.update { note(update) }
      for event in events { try body(ReplayedEvent(event, by: explains ? replay.explaining : nil)) }
    }
    for await input in recording {
      progress?.show(played: recording)
      try tell(replay.take(input))
    }
    try tell(replay.finish(at: recording.summary.cut))
    return replay.result(of: recording, explains: explains)
  }

  /// Judges what a recording says next; the events that come of it.
  package mutating func take(_ input: SourceEvent) -> [Event] {
    if case .tpv(let report) = input, let time = report.time { note(time, of: report.device) }
    return judge(pipeline.process(input)) + letTimePass()
  }

  /// Judges what is left at the end of a recording; the events that come of it.
  ///
  /// - Parameter cut: When that is, where more follows.
  package mutating func finish(at cut: Timestamp? = nil) -> [Event] {
    let last = judge(pipeline.finish())
    self.cut = cut
    return last + letTimePass()
  }

  /// The engine with what was left out since the last update: it may be why something was forgotten.
  var explaining: ConditionEngine {
    engine.noting(pipeline.receiverStatus.untoldRejections.fixes)
  }

  /// What came of a recording so far.
  func result(of recording: Recording, explains: Bool = false) -> Result {
    let receiver = pipeline.receiverStatus
    let asked = watched.compactMap(\.condition.altitude?.reference)
    let lacking = asked.filter { !references.contains($0) }
    let (used, rejected) = receiver.tally(without: refusals)
    return Result(
      recording: recording.summary, fixes: used, rejected: rejected,
      untoldRejections: receiver.untoldRejections, events: events,
      end: engine.lastFix?.coordinate,
      lackingAltitude: Dictionary(lacking.map { ($0, 1) }, uniquingKeysWith: +),
      present: explains ? present : [], watched: engine.count)
  }

  private mutating func judge(_ update: LocationUpdate?) -> [Event] {
    self.update = update
    for rejection in update?.rejections ?? [] { engine.note(rejection) }
    guard let fix = update?.location else { return [] }
    if fix.altitude != nil { references.insert(.meanSeaLevel) }
    if fix.ellipsoidalAltitude != nil { references.insert(.ellipsoid) }
    let transitions = endConditions(until: fix.timestamp) + engine.process(fix)
    if engine.lastFix?.timestamp == fix.timestamp {
      // How long before this fix another receiver reported last, nobody knows: its next report begins anew.
      let own = reports[fix.device]
      reports = [:]
      if let own { reports[fix.device] = (own.time, .zero) }
    } else {
      // The engine itself has refused it.
      pipeline.retractFix()
      self.update?.location = nil
      self.update?.rejections.append(RejectedFix(contradictingMotion: fix))
      refusals += 1
    }
    return number(transitions)
  }

  /// Takes note of a report, with or without a fix.
  private mutating func note(_ time: Timestamp, of device: String?) {
    guard let last = reports[device] else {
      if reports.count < Self.mostReceivers { reports[device] = (time, .zero) }
      return
    }
    let step = time - last.time
    // Where two clocks are told by turns, the one that is ahead counts.
    guard step >= .zero || step + Self.longestStep < .zero else { return }
    let isStep = (.zero...Self.longestStep).contains(step)
    reports[device] = (time, last.elapsed + (isStep ? step : .zero))
  }

  /// For how long a receiver has reported since the last fix; nil where there was none.
  var sinceLastFix: Duration? {
    engine.lastFix.map { last in
      max(
        reports.values.map(\.elapsed).max() ?? .zero, cut.map { $0 - last.timestamp } ?? .zero)
    }
  }

  /// Lets the time pass for which a receiver has reported since the last fix, as it does for a daemon.
  private mutating func letTimePass() -> [Event] {
    guard let last = engine.lastFix, let elapsed = sinceLastFix, elapsed > .zero else { return [] }
    let now = last.timestamp + elapsed
    return number(endConditions(until: now) + engine.advance(to: now))
  }

  /// Ends the conditions whose time is over.
  private mutating func endConditions(until time: Timestamp) -> [Transition] {
    var transitions: [Transition] = []
    // What was forgotten before a condition's end comes before it, as it does in the daemon.
    while let end = ends.last, end <= time {
      ends.removeLast()
      transitions += engine.advance(to: end) + engine.expire(at: end)
    }
    return transitions
  }

  private mutating func number(_ transitions: [Transition]) -> [Event] {
    transitions.map { transition in
      events += 1
      return Event(sequence: Int64(events), log: nil, recorded: nil, transition: transition)
    }
  }
}
