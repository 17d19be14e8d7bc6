import ControlInterface
import GeofenceDaemon
import Geofencing
import Positioning

/// Plays a recording through the same rules as the daemon, on the recorded time.
struct Replay {
  private var engine: ConditionEngine
  private let parameters: PositioningParameters

  /// What came of a recording.
  struct Result {
    let lines: RecordingSummary
    let receiver: ReceiverStatus
    let events: Int

    /// All of it in one line, for a person.
    var summary: String {
      var parts = ["\(lines.lines) lines", "\(receiver.accepted) fixes"]
      let rejected = receiver.rejected.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.rawValue) \($0.value)" }
      if !rejected.isEmpty { parts.append("rejected: \(rejected.joined(separator: ", "))") }
      if lines.malformedLines > 0 { parts.append("\(lines.malformedLines) lines malformed") }
      if lines.overlongLines > 0 { parts.append("\(lines.overlongLines) lines too long") }
      return "\(parts.joined(separator: ", ")); \(events) events"
    }
  }

  /// A replay against the conditions of a file, by the numbers of a configuration.
  init(conditions: ConditionsFile?, configuration: Configuration) {
    engine = ConditionEngine(parameters: configuration.decision)
    parameters = configuration.positioning
    let monitor = MonitorKey(user: 0, name: GeofencedInterface.defaultMonitor)
    for (identifier, condition) in conditions?.conditions ?? [] {
      // Nothing is replaced, the identifiers are different, so the date is never told.
      _ = engine.add(
        condition, as: ConditionKey(monitor: monitor, identifier: identifier),
        at: Timestamp(nanoseconds: 0))
    }
  }

  /// Plays a recording to its end and hands over the events, numbered from 1.
  consuming func run(
    _ recording: Recording, _ body: (Event) throws -> Void
  ) async throws -> Result {
    try await play(recording) { event, _ in try body(event) }
  }

  /// Plays a recording to its end and hands over the events, numbered from 1, with why they came.
  consuming func run(
    _ recording: Recording, explained body: (ExplainedEvent) throws -> Void
  ) async throws -> Result {
    try await play(recording) { event, engine in try body(ExplainedEvent(event, by: engine)) }
  }

  private consuming func play(
    _ recording: Recording, _ body: (Event, ConditionEngine) throws -> Void
  ) async throws -> Result {
    var engine = engine
    var count = 0
    let diagnostics = ReceiverDiagnostics()
    for await update in LocationUpdates(
      recording, parameters: parameters, diagnostics: diagnostics)
    {
      for rejection in update.rejections { engine.note(rejection) }
      guard let fix = update.location else { continue }
      for transition in engine.expire(at: fix.timestamp) + engine.process(fix) {
        count += 1
        let event = Event(
          sequence: Int64(count), log: nil, recorded: nil, transition: transition)
        try body(event, engine)
      }
    }
    return Result(lines: recording.summary, receiver: diagnostics.status, events: count)
  }
}
