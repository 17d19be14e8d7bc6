import ControlInterface
import Geofencing
import MonitorStorage
import Positioning
import Varlink

/// Advice about conditions, from what the event log says of them.
extension ControlMethods {
  /// How many of a condition's newest events are looked at.
  private static let advisedEvents = 200

  /// For how many conditions the events are looked up at once.
  ///
  /// Each time the whole log is searched, and what was found stays in memory while the caller reads.
  private static let advisedConditions = 5_000

  func advise(
    _ parameters: Advise.Parameters, _ call: VarlinkCall, _ replies: VarlinkReplies<Advise.Reply>
  ) async throws -> Advise.Reply {
    var histories = Histories()
    if let identifier = parameters.identifier {
      let name = ConditionName(
        user: parameters.user, monitor: parameters.monitor, identifier: identifier)
      let key = try key(name, call)
      let record = try await inTurn(of: call) { try await monitoring.record(for: key) }
      return Advise.Reply(items: [try await item(about: record, &histories, atMost: 1, call)])
    }
    return try await answer(
      call, replies, user: parameters.user, monitor: parameters.monitor, after: parameters.after
    ) { records, _ in
      var items: [Advise.Item] = []
      for record in records {
        items.append(
          try await item(about: record, &histories, atMost: Self.advisedConditions, call))
      }
      return Advise.Reply(items: items)
    }
  }

  /// The numbers of the events that count for some conditions, in the order of their keys as the records are.
  private struct Histories {
    var monitor: MonitorKey?
    var newest = EventReader.NewestNumbers()

    func covers(_ key: ConditionKey) -> Bool {
      monitor == key.monitor && newest.last.map { key.identifier <= $0 } ?? true
    }
  }

  /// The advice about a record.
  ///
  /// - Parameter limit: for how many conditions, beginning with this one, the events are looked up at once.
  private func item(
    about record: MonitorRecord, _ histories: inout Histories, atMost limit: Int,
    _ call: VarlinkCall
  ) async throws -> Advise.Item {
    if !histories.covers(record.key) {
      histories.monitor = record.key.monitor
      histories.newest = try await inTurn(of: call) {
        try await queries.newest(
          Self.advisedEvents, ofEachIn: record.key.monitor, from: record.identifier, atMost: limit)
      }
    }
    let numbers = histories.newest.numbers[record.identifier] ?? []
    let events = try await queries.events(numbered: numbers)
    return Advise.Item(
      about: record,
      Advice(
        for: record.condition,
        // Earlier events are of another condition that had the same name.
        after: events.filter { event in event.recorded.map { $0 >= record.added } ?? true }
          .map(\.transition),
        present: broadcast.present?.location, with: await monitoring.decision))
  }
}
