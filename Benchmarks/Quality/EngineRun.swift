import GeofenceDaemon
import Geofencing
import Positioning

/// The rule of this project: reports go the way that `geofenced replay` sends a recording.
///
/// This is the one place that has to be as `Replay` is.
struct EngineRun {
  private var engine: ConditionEngine
  private var pipeline: LocationPipeline

  init(fences: [Condition], configuration: Configuration) {
    engine = ConditionEngine(parameters: configuration.decision)
    pipeline = LocationPipeline(parameters: configuration.positioning)
    let monitor = MonitorKey(user: 0, name: "default")
    for (index, fence) in fences.enumerated() {
      _ = engine.add(
        fence, as: ConditionKey(monitor: monitor, identifier: "\(index)"),
        at: Timestamp(nanoseconds: 0))
    }
  }

  /// Judges what the receiver says next.
  mutating func take(_ input: SourceEvent) -> [Transition] { judge(pipeline.process(input)) }

  /// Judges what is left at the end.
  mutating func finish() -> [Transition] { judge(pipeline.finish()) }

  private mutating func judge(_ update: LocationUpdate?) -> [Transition] {
    guard let fix = update?.location else { return [] }
    return engine.expire(at: fix.timestamp) + engine.process(fix)
  }

  /// What geofenced says of each fence on a journey.
  static func statements(on journey: Journey, configuration: Configuration) -> [[Statement]] {
    var statements = Array(repeating: [Statement](), count: journey.fences.count)
    var run = EngineRun(fences: journey.fences, configuration: configuration)
    func take(_ transitions: [Transition]) {
      for transition in transitions {
        guard let fence = Int(transition.key.identifier) else { continue }
        let time = journey.seconds(at: transition.date)
        switch transition.kind {
        case .determined, .entered, .exited:
          statements[fence].say(transition.state == .satisfied, at: time)
        case .crossed:
          // One event says that the way led through: in and out at once.
          statements[fence].say(true, at: time)
          statements[fence].say(false, at: time)
        // Not to know isn't to say the contrary.
        case .undetermined, .unmonitored: break
        }
      }
    }
    for input in journey.inputs { take(run.take(input)) }
    take(run.finish())
    return statements
  }
}
