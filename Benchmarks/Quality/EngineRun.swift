import GeofenceCommands
import GeofenceDaemon
import Geofencing

/// The rule of this project: reports go the way that `geofenced replay` sends a recording.
enum EngineRun {
  /// What geofenced says of each fence on a journey.
  static func statements(on journey: Journey, configuration: Configuration) -> [[Statement]] {
    var statements = Array(repeating: [Statement](), count: journey.fences.count)
    var replay = Replay(
      watching: journey.fences.enumerated().map { ("\($0.offset)", $0.element) },
      configuration: configuration)
    func take(_ events: [Event]) {
      for transition in events.map(\.transition) {
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
    for input in journey.inputs { take(replay.take(input)) }
    take(replay.finish())
    return statements
  }
}
