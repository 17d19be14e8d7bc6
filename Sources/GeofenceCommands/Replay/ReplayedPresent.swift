import Geofencing

/// Why a condition is in its state at the end of a recording, as `geofenced replay --explain` prints it.
///
/// Programs rely on its JSON.
struct ReplayedPresent: Encodable {
  let monitor: String
  let identifier: String
  let state: ConditionState
  let present: Explanation

  /// See ``Explain/Reply``.
  let lastFixAge: Double?
  let minimumSigma: Double?

  fileprivate let condition: Condition

  private enum CodingKeys: String, CodingKey {
    case monitor
    case identifier
    case state
    case present
    case lastFixAge
    case minimumSigma
  }

  /// The explanation as text, with an empty line at the end.
  var text: String {
    let explained = ExplanationText(
      present, of: condition, minimumSigma: minimumSigma, isRecorded: true)
    let lines =
      explained.linesOfPresent(lastFixAge: lastFixAge, in: .utc)
      + EvidenceText.lines(present, in: .utc)
    return "At the end \(monitor)/\(identifier) is \(state.rawValue) (\(condition.shapeText))\n\n"
      + lines.map { ExplainCommand.indented($0) + "\n" }.joined() + "\n"
  }
}

extension Replay {
  /// How many conditions are explained at most.
  static let mostExplained = 20

  /// Why the conditions nearest to the last fix are in their states, in the order in which they were added.
  var present: [ReplayedPresent] {
    let engine = explaining
    let nearest = engine.nearest(Self.mostExplained) { _ in true }
    let told = Set(nearest.conditions.map(\.key))
    return watched.compactMap { identifier, condition in
      let key = ConditionKey(monitor: Self.monitor, identifier: identifier)
      guard told.contains(key), let explanation = engine.explanation(of: key)?.rounded else {
        return nil
      }
      let parameters = engine.parameters
      let isFloored =
        engine.lastFix.map {
          condition.isTooSmall(onlyByMinimumSigmaFor: $0, with: parameters)
        } ?? false
      return ReplayedPresent(
        monitor: key.monitor.name, identifier: identifier, state: explanation.state,
        present: explanation, lastFixAge: sinceLastFix?.inSeconds,
        minimumSigma: isFloored ? parameters.minimumSigma : nil, condition: condition)
    }
  }
}
