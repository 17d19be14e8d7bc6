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
    if let identifier = parameters.identifier {
      let name = ConditionName(
        user: parameters.user, monitor: parameters.monitor, identifier: identifier)
      return Advise.Reply(
        items: try await items([monitoring.record(for: key(name, call))]))
    }
    return try await answer(
      call, replies, user: parameters.user, monitor: parameters.monitor, after: parameters.after
    ) { Advise.Reply(items: try await items($0)) }
  }

  /// The advice about some records, which are in the order of their keys.
  private func items(_ records: [MonitorRecord]) async throws -> [Advise.Item] {
    let parameters = await monitoring.decision
    let present = broadcast.present?.location
    var items: [Advise.Item] = []
    var rest = records[...]
    while let first = rest.first {
      let same = rest.prefix { $0.key.monitor == first.key.monitor }
      rest = rest.dropFirst(same.count)
      let events = try await queries.newest(
        Self.advisedEvents, ofEachIn: first.key.monitor, identifiers: same.map(\.identifier))
      items += same.map { record in
        Advise.Item(
          about: record,
          Advice(
            for: record.condition,
            after: (events[record.identifier] ?? []).filter { event in
              // What a condition of the same name did before this one was added isn't its history.
              event.recorded.map { $0 >= record.added } ?? true
            }.map(\.transition),
            present: present, with: parameters))
      }
    }
    return items
  }
}
