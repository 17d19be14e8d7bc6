import ControlInterface
import Geofencing
import Synchronization
import Varlink

/// An event of a condition called `home`.
private func event(_ sequence: Int64, log: String) -> Geofencing.Event {
  let key = ConditionKey(monitor: MonitorKey(user: 0, name: "trip"), identifier: "home")
  return Geofencing.Event(
    sequence: sequence, log: log, recorded: Timestamp(nanoseconds: 0),
    transition: Transition(
      key: key, kind: .entered, state: .satisfied, previousState: .unsatisfied,
      date: Timestamp(nanoseconds: sequence)))
}

/// What a service sends to a consumer: events of these numbers.
func reply(_ sequences: [Int64], log: String = "L", lagged: Lagged? = nil) -> Consume.Reply {
  Consume.Reply(log: log, events: sequences.map { event($0, log: log) }, lagged: lagged)
}

/// What a service says of a session that it has begun.
func sessionBegun(_ name: String = "trip") -> Session.Reply {
  Session.Reply(user: 0, name: name, outcome: .begun, since: Timestamp(nanoseconds: 0))
}

extension VarlinkMethod {
  /// A stream that stays open when a test has sent on it what it likes.
  static func lasting<Method: ControlMethod & SendableMetatype>(
    _: Method.Type,
    _ send:
      @escaping @Sendable (Method.Parameters, VarlinkReplies<Method.Reply>) async throws -> Void
  ) -> VarlinkMethod {
    .stream {
      (parameters: Method.Parameters, _, out: VarlinkReplies<Method.Reply>) -> Method.Reply in
      try await send(parameters, out)
      while true { try await Task.sleep(for: .seconds(60)) }
    }
  }
}

/// What a service was told, and what it says.
final class Script: Sendable {
  struct Told: Sendable, Hashable {
    let sequence: Int64
    let log: String?
  }

  private struct State {
    var failures: [ControlError?]
    var told: [Told] = []
  }

  private let state: Mutex<State>
  let replies: [Consume.Reply]

  /// - Parameter failures: what comes of the first acknowledgements; nil where one succeeds.
  init(_ replies: [Consume.Reply], failing failures: [ControlError?] = []) {
    self.replies = replies
    state = Mutex(State(failures: failures))
  }

  var told: [Told] { state.withLock { $0.told } }

  /// What says all there is to say to whoever reads, and then nothing more.
  var consume: VarlinkMethod {
    .lasting(Consume.self) { [replies] _, out in
      for reply in replies { try await out.send(reply) }
    }
  }

  var methods: [String: VarlinkMethod] {
    [
      Consume.name: consume,
      Acknowledge.name: .call { [self] (parameters: Acknowledge.Parameters, _) in
        try state.withLock { state in
          if !state.failures.isEmpty, let failure = state.failures.removeFirst() { throw failure }
          state.told.append(Told(sequence: parameters.sequence, log: parameters.log))
        }
        return Acknowledge.Reply()
      },
    ]
  }
}
