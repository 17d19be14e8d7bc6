import ControlInterface
package import GeofenceDaemon
package import Geofencing
import GeographicFiles
package import Positioning

/// Judges a recording by the same rules as the daemon, on the recorded time.
///
/// The same recording and the same settings give the same bytes on every machine, in every locale and time zone.
/// Numbers that are computed with the C library (distances, probabilities) may differ between libraries in their last
/// bits. Events round them, so only a probability within those bits of its threshold could be judged differently.
package struct Replay: Sendable {
  /// The engine, after the events that were returned last.
  private(set) var engine: ConditionEngine

  /// The conditions, in the order in which they were added.
  let watched: [(identifier: String, condition: Condition)]

  /// What the pipeline made of the last input; nil if it made nothing.
  private(set) var update: LocationUpdate?

  private var pipeline: LocationPipeline
  private var events = 0

  /// When conditions expire, the latest first: the last one is removed when it is over.
  private var ends: [Timestamp]

  /// The references of the altitudes that fixes had.
  private var references: Set<AltitudeBand.Reference> = []

  /// How many fixes the pipeline has accepted that the engine then refused.
  private var refusals = 0

  /// The time of each receiver's last report, and for how long it has reported since the last fix.
  private var reports: [String?: (time: Timestamp, elapsed: Duration)] = [:]

  /// When the replay ended although the recording goes on; nil if it was played to its end.
  private var cut: Timestamp?

  /// Time passes between two reports of a receiver only if they are at most so far apart: a wrong clock may leap.
  private static let longestStep = Duration.seconds(900)

  /// For how many receivers the time is followed.
  private static let mostReceivers = 16

  /// The monitor to which the conditions belong.
  static let monitor = MonitorKey(user: 0, name: GeofencedInterface.defaultMonitor)

  /// The results of a replay.
  struct Result {
    let recording: RecordingSummary

    /// How many fixes were used.
    let fixes: Int

    /// How many were rejected, by reason.
    let rejected: [String: Int]

    /// The fixes that were rejected after the last update.
    let untoldRejections: RejectedFixes
    let events: Int

    /// The position of the last fix; nil if there is none.
    let end: Coordinate?

    /// How many conditions ask for an altitude that no fix had, by the altitude's reference.
    let lackingAltitude: [AltitudeBand.Reference: Int]

    /// Why conditions are in their states at the end; empty if that isn't asked for.
    let present: [ReplayedPresent]

    /// How many conditions are watched at the end.
    let watched: Int

    /// Whether it probably wasn't a recording: most lines can't be read, and the others have no position.
    var isUnreadable: Bool {
      let lines = recording.lines + recording.overlongLines
      let unread = recording.malformedLines + recording.overlongLines
      return recording.failure == nil && fixes == 0 && rejected.isEmpty && unread > lines / 2
    }

    /// The results in one line, for a person.
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

    /// What is missing in the recording, for a person, if no position could be judged, or none by some conditions; else
    /// nil.
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
      // Lines that can't be read are reported one by one.
      return rejected.isEmpty && recording.malformedLines == 0 ? "there is no position in it" : nil
    }
  }

  /// A replay with the conditions of a file and the settings of a configuration.
  init(conditions: ConditionsFile?, configuration: Configuration) {
    self.init(
      watching: (conditions?.conditions ?? []).map { ($0.identifier, $0.condition) },
      configuration: configuration)
  }

  /// A replay with conditions, each with an identifier of its own, and the settings of a configuration.
  package init(
    watching conditions: [(identifier: String, condition: Condition)],
    configuration: Configuration
  ) {
    watched = conditions
    ends = Set(conditions.compactMap(\.condition.expires)).sorted(by: >)
    engine = ConditionEngine(parameters: configuration.decision)
    pipeline = LocationPipeline(parameters: configuration.positioning)
    for (identifier, condition) in conditions {
      // The date is for conditions that are replaced, and here none is.
      _ = engine.add(
        condition, as: ConditionKey(monitor: Self.monitor, identifier: identifier),
        at: Timestamp(nanoseconds: 0))
    }
  }

  /// Plays a recording to its end and hands over the events, numbered from 1, each time after the update that caused
  /// them.
  ///
  /// - Parameters:
  ///   - explains: Whether the events come with explanations, which takes longer.
  ///   - progress: Shows how far it is.
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

  /// Judges the next input of a recording, and returns the events.
  package mutating func take(_ input: SourceEvent) -> [Event] {
    if case .tpv(let report) = input, let time = report.time { note(time, of: report.device) }
    return judge(pipeline.process(input)) + letTimePass()
  }

  /// Judges what is left at the end of a recording, and returns the events.
  ///
  /// - Parameter cut: When it ends, if the recording goes on.
  package mutating func finish(at cut: Timestamp? = nil) -> [Event] {
    let last = judge(pipeline.finish())
    self.cut = cut
    return last + letTimePass()
  }

  /// The engine with the fixes that were rejected since the last update: they may be why a state was forgotten.
  var explaining: ConditionEngine {
    engine.noting(pipeline.receiverStatus.untoldRejections.fixes)
  }

  /// The results so far.
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
      // It isn't known how long before this fix other receivers reported last: each begins anew.
      let own = reports[fix.device]
      reports = [:]
      if let own { reports[fix.device] = (own.time, .zero) }
    } else {
      // The engine has refused it.
      pipeline.retractFix()
      self.update?.location = nil
      self.update?.rejections.append(RejectedFix(contradictingMotion: fix))
      refusals += 1
    }
    return number(transitions)
  }

  /// Notes the time of a report, with or without a fix.
  private mutating func note(_ time: Timestamp, of device: String?) {
    guard let last = reports[device] else {
      if reports.count < Self.mostReceivers { reports[device] = (time, .zero) }
      return
    }
    let step = time - last.time
    // If a receiver tells two times by turns, the later one counts.
    guard step >= .zero || step + Self.longestStep < .zero else { return }
    let isStep = (.zero...Self.longestStep).contains(step)
    reports[device] = (time, last.elapsed + (isStep ? step : .zero))
  }

  /// For how long a receiver has reported since the last fix; nil if there was none.
  var sinceLastFix: Duration? {
    engine.lastFix.map { last in
      max(
        reports.values.map(\.elapsed).max() ?? .zero, cut.map { $0 - last.timestamp } ?? .zero)
    }
  }

  /// Lets time pass in the engine, as in the daemon: as much as a receiver has reported since the last fix.
  private mutating func letTimePass() -> [Event] {
    guard let last = engine.lastFix, let elapsed = sinceLastFix, elapsed > .zero else { return [] }
    let now = last.timestamp + elapsed
    return number(endConditions(until: now) + engine.advance(to: now))
  }

  /// Ends the conditions that have expired.
  private mutating func endConditions(until time: Timestamp) -> [Transition] {
    var transitions: [Transition] = []
    // First the states that were forgotten before the condition expired, in the same order as in the daemon.
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
