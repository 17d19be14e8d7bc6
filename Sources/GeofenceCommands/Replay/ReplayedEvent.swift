import Geofencing

/// An event of a replay with its explanation, as `geofenced replay --explain` prints it.
struct ReplayedEvent: Encodable {
  let event: Event
  let explanation: Explanation?

  /// An event with the explanation of the engine that has just made it; without an engine it has none.
  init(_ event: Event, by engine: ConditionEngine?) {
    self.event = event
    let transition = event.transition
    explanation =
      transition.kind == .unmonitored
      ? nil : engine?.explanation(of: transition.key, after: transition)?.rounded
  }

  private enum CodingKeys: String, CodingKey {
    case explanation
  }

  /// The fields of the event, and one for the explanation.
  func encode(to encoder: any Encoder) throws {
    try event.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(explanation, forKey: .explanation)
  }

  /// The event as text, its explanation below, and an empty line at the end.
  var text: String { ExplainCommand.text(of: event, explanation, in: .utc) + "\n" }
}
