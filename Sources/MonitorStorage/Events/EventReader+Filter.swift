package import Geofencing
import SQLite

extension EventReader {
  /// Which events are asked for; nil is all.
  package struct Filter: Sendable, Hashable {
    package var user: UInt32?
    package var monitor: String?
    package var identifier: String?

    /// Which kinds of them; none is all.
    package var kinds: Set<EventKind>

    /// From when on events have to be dated.
    package var from: Timestamp?

    /// Until when, that moment included.
    package var until: Timestamp?

    package init(
      user: UInt32? = nil, monitor: String? = nil, identifier: String? = nil,
      kinds: Set<EventKind> = [], from: Timestamp? = nil, until: Timestamp? = nil
    ) {
      self.user = user
      self.monitor = monitor
      self.identifier = identifier
      self.kinds = kinds
      self.from = from
      self.until = until
    }

    /// The conditions on a row, as they follow another one.
    ///
    /// The indexes by user and by monitor give the order of the events too, so that nobody has to pass
    /// over the events of others.
    var sql: String { terms.map { " AND \($0.sql)" }.joined() }

    /// The values of the parameters in those conditions.
    var values: [SQLiteValue] { terms.flatMap(\.values) }

    /// Which of its conditions an index answers without a look at any other event.
    var indexed: Filter { Filter(user: user, monitor: user == nil ? nil : monitor) }

    private var terms: [(sql: String, values: [SQLiteValue])] {
      [
        user.map { ("user = ?", [.integer(Int64($0))]) },
        monitor.map { ("monitor = ?", [.text($0)]) },
        identifier.map { ("identifier = ?", [.text($0)]) },
        kinds.isEmpty
          ? nil
          : Self.term(
            "kind", "IN (\(kinds.map { _ in "?" }.joined(separator: ", ")))",
            kinds.map { .text($0.rawValue) }),
        // Dates are in the order of their texts, which all have the same length.
        from.map { Self.term("date", ">= ?", [.text($0.rfc3339)]) },
        until.map { Self.term("date", "<= ?", [.text($0.rfc3339)]) },
      ].compactMap(\.self)
    }

    /// A condition on a member of an event, which one that can't be decoded doesn't fulfil.
    private static func term(
      _ member: String, _ condition: String, _ values: [SQLiteValue]
    ) -> (sql: String, values: [SQLiteValue]) {
      (
        "CASE WHEN json_valid(event.body) "
          + "THEN json_extract(event.body, '$.\(member)') \(condition) END", values
      )
    }
  }
}
