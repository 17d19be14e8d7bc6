import ControlInterface
package import Geofencing

extension Monitoring {
  /// How many explanations wait to be written at most: when a thousand conditions change at once,
  /// or the disk fails for long, the events that follow have none.
  static let maximumPendingExplanations = 1_000

  /// Adds transitions to what is pending, with the explanations that an engine has for them at this
  /// moment.
  func append(_ transitions: [Transition], explainedBy engine: borrowing ConditionEngine) {
    var room = Self.maximumPendingExplanations - pending.explanationCount
    pending.append(transitions) { transition in
      guard room > 0, transition.kind != .unmonitored,
        let explanation = engine.explanation(of: transition.key, after: transition)
      else { return nil }
      room -= 1
      // It is rounded when it is read, so that the writer doesn't wait for that.
      return explanation
    }
  }

  /// A condition as it stands, and why it does.
  ///
  /// - Parameter rejections: what was rejected since the last update.
  /// - Throws: ``ControlError/Name/noSuchCondition``.
  func present(of key: ConditionKey, after rejections: [RejectedFix]) throws -> Explain.Reply {
    let record = try record(for: key)
    var reply = Explain.Reply()
    reply.record = record
    reply.present = engine.noting(rejections).explanation(of: key)?.rounded
    reply.lastFixAge = lastFixAge?.inSeconds
    if storageFailure != nil, pending.keys(behind: 0).contains(key) {
      reply.storageFailure = storageFailure
    }
    if let fix = engine.lastFix,
      record.condition.isTooSmall(onlyByMinimumSigmaFor: fix, with: engine.parameters)
    {
      reply.minimumSigma = engine.parameters.minimumSigma
    }
    return reply
  }
}

extension ConditionEngine {
  /// A copy of this engine that has been told of more rejected fixes.
  package func noting(_ rejections: [RejectedFix]) -> ConditionEngine {
    var engine = self
    for rejection in rejections { engine.note(rejection) }
    return engine
  }
}
