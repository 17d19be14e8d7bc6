import ControlInterface
import Geofencing

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
      // It is rounded when it is read: nobody waits for it then.
      return explanation
    }
  }

  /// A condition as it stands, and why it does.
  struct Present: Sendable {
    let record: MonitorRecord
    let explanation: Explanation?

    /// How long ago the last fix came; nil when none has come since the start.
    let lastFixAge: Duration?

    /// `MinimumSigma=` where this alone makes the condition too small.
    let minimumSigma: Double?
  }

  /// Why a condition is in its state now.
  ///
  /// - Parameter rejections: what was rejected since the last update.
  /// - Throws: ``ControlError/Name/noSuchCondition``.
  func present(of key: ConditionKey, after rejections: [RejectedFix]) throws -> Present {
    let record = try record(for: key)
    let isFloored =
      engine.lastFix.map {
        record.condition.isTooSmall(onlyByMinimumSigmaFor: $0, with: engine.parameters)
      } ?? false
    return Present(
      record: record, explanation: engine.noting(rejections).explanation(of: key)?.rounded,
      lastFixAge: lastFixAge, minimumSigma: isFloored ? engine.parameters.minimumSigma : nil)
  }
}

extension ConditionEngine {
  /// This engine after some more refusals: what it would say if it had been told of them already.
  func noting(_ rejections: [RejectedFix]) -> ConditionEngine {
    var engine = self
    for rejection in rejections { engine.note(rejection) }
    return engine
  }
}
