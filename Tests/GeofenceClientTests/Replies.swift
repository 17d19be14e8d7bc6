import ControlInterface
import Geofencing

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
