import GeofenceCommands
import GeofenceDaemon
import Geofencing

/// The rule of this project; it gets the reports in the same way as in `geofenced replay`.
enum EngineRun {
  /// The statements of geofenced about each fence on a journey.
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
          // One event tells that the way led through the fence: in and out at once.
          statements[fence].say(true, at: time)
          statements[fence].say(false, at: time)
        // Not knowing isn't the same as stating the opposite.
        case .undetermined, .unmonitored: break
        }
      }
    }
    for input in journey.inputs { take(replay.take(input)) }
    take(replay.finish())
    return statements
  }
}
