import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage
import Varlink

extension ControlMethods {
  /// Why an event came about, or why a condition is in its state.
  func explain(
    _ parameters: Explain.Parameters, _ call: VarlinkCall
  ) async throws -> Explain.Reply {
    switch (parameters.sequence, parameters.identifier) {
    case (let sequence?, nil):
      try await explain(
        event: sequence, to: visibleUser(parameters.user, call), asked: parameters.user, call)
    case (nil, let identifier?):
      try await explain(
        key(
          ConditionName(
            user: parameters.user, monitor: parameters.monitor, identifier: identifier), call),
        call)
    case (_?, _?):
      throw VarlinkError.invalidParameter(
        "identifier", message: "either an event or a condition can be explained, not both")
    case (nil, nil):
      throw VarlinkError.invalidParameter(
        "sequence", message: "an event's number or a condition's identifier is needed")
    }
  }

  /// - Parameters:
  ///   - user: whose events are looked at; nil for everybody's.
  ///   - asked: the user that the caller has named.
  private func explain(
    event sequence: Int64, to user: UInt32?, asked: UInt32?, _ call: VarlinkCall
  ) async throws -> Explain.Reply {
    let latest = monitoring.signal.latest
    guard
      let (event, explanation) = try await queries.event(
        sequence, matching: EventReader.Filter(user: user))
    else {
      throw try await noSuchEvent(sequence, of: asked, latest: latest)
    }
    var reply = Explain.Reply()
    reply.event = event
    reply.explanation = explanation
    // The condition may be gone, but its events stay.
    reply.record = try? await inTurn(of: call) {
      try await monitoring.record(for: event.transition.key)
    }
    return reply
  }

  private func explain(
    _ key: ConditionKey, _ call: VarlinkCall
  ) async throws -> Explain.Reply {
    var reply: Explain.Reply = try await inTurn(of: call) {
      do {
        return try await monitoring.present(of: key, after: status.untoldRejections)
      } catch let error as ControlError where error.name == .noSuchCondition {
        throw try await end(of: key) ?? error
      }
    }
    reply.nextProbe = status.nextProbe
    reply.disconnection = status.trouble
    reply.event = reply.record?.lastEvent
    if let last = reply.event {
      reply.explanation = try await queries.event(last.sequence)?.explanation
    }
    return reply
  }

  /// The error for a condition that isn't watched any more, which says how it ended; nil if no event tells.
  private func end(of key: ConditionKey) async throws -> ControlError? {
    let all = EventReader.Filter(
      user: key.monitor.user, monitor: key.monitor.name, identifier: key.identifier)
    guard let last = try await queries.newest(matching: all), last.transition.kind == .unmonitored
    else { return nil }
    let reason = last.transition.reason.map { " (\($0.rawValue))" } ?? ""
    return ControlError(
      .noSuchCondition,
      "condition '\(key.identifier)' in monitor '\(key.monitor.name)' isn't watched any more; its last "
        + "event is #\(last.sequence), unmonitored\(reason), of \(last.transition.date.rfc3339)")
  }

  /// The part of an error that says which event is the newest.
  func newest(_ latest: Int64) -> String {
    latest > 0 ? "the newest is #\(latest)" : "the log is empty"
  }

  private func noSuchEvent(
    _ sequence: Int64, of asked: UInt32?, latest: Int64
  ) async throws -> ControlError {
    if sequence > latest {
      return ControlError(.noSuchEvent, "there is no event #\(sequence) yet: \(newest(latest))")
    }
    guard sequence > 0 else { return ControlError(.noSuchEvent, "events are numbered from 1") }
    let oldest = try await queries.oldest()?.sequence
    if sequence < oldest ?? .max {
      let left = oldest.map { "those from #\($0) on" } ?? "none in the log"
      return ControlError(
        .noSuchEvent,
        "event #\(sequence) isn't kept any more: EventRetention= and EventRetentionSec= have left "
          + left)
    }
    return ControlError(
      .noSuchEvent,
      "there is no event #\(sequence) " + (asked.map { "of user \($0)" } ?? "that you may see"))
  }
}
