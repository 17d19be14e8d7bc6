import ControlInterface
import Geofencing
import MonitorStorage
import Positioning
import Varlink

/// Advice about conditions, from what the event log says of them.
extension ControlMethods {
  /// How many of a condition's newest events are looked at.
  private static let advisedEvents = 200

  func advise(
    _ parameters: Advise.Parameters, _ call: VarlinkCall, _ replies: VarlinkReplies<Advise.Reply>
  ) async throws -> Advise.Reply {
    var histories = Histories()
    if let identifier = parameters.identifier {
      let name = ConditionName(
        user: parameters.user, monitor: parameters.monitor, identifier: identifier)
      let key = try key(name, call)
      let record = try await monitoring.record(for: key)
      histories.monitor = key.monitor
      histories.numbers = try await queries.newest(
        Self.advisedEvents, ofEachIn: key.monitor, identifier: identifier)
      return Advise.Reply(items: try await items([record], &histories))
    }
    return try await answer(
      call, replies, user: parameters.user, monitor: parameters.monitor, after: parameters.after
    ) { Advise.Reply(items: try await items($0, &histories)) }
  }

  /// The numbers of the events that count for the conditions of a monitor: one at a time, as records are
  /// in the order of their keys.
  private struct Histories {
    var monitor: MonitorKey?
    var numbers: [String: [Int64]] = [:]
  }

  /// The advice about some records.
  private func items(
    _ records: [MonitorRecord], _ histories: inout Histories
  ) async throws -> [Advise.Item] {
    let parameters = await monitoring.decision
    let present = broadcast.present?.location
    var items: [Advise.Item] = []
    for record in records {
      if histories.monitor != record.key.monitor {
        histories.monitor = record.key.monitor
        histories.numbers = try await queries.newest(
          Self.advisedEvents, ofEachIn: record.key.monitor)
      }
      let events = try await queries.events(numbered: histories.numbers[record.identifier] ?? [])
      items.append(
        Advise.Item(
          about: record,
          Advice(
            for: record.condition,
            // What a condition of the same name did before this one was added isn't its history.
            after: events.filter { event in event.recorded.map { $0 >= record.added } ?? true }
              .map(\.transition),
            present: present, with: parameters)))
    }
    return items
  }
}
