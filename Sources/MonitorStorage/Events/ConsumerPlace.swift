package import Geofencing
import SQLite

/// How far somebody has read the log: a named consumer, the journal, or a user's events socket.
package struct ConsumerPlace: Sendable, Hashable {
  /// The name under which it is kept.
  package let name: String

  /// Who has named the consumer; nil for those of the program itself.
  package let owner: UInt32?

  /// Which events it reads.
  package let filter: EventReader.Filter

  /// The last event that it has done with.
  package let cursor: Int64

  /// What was removed from the log before it had read that.
  package var lagged: Lagged?

  /// The place of a named consumer.
  package init(key: ConsumerKey, filter: EventReader.Filter, cursor: Int64, lagged: Lagged? = nil) {
    name = key.storedName
    owner = key.owner
    self.filter = filter
    self.cursor = cursor
    self.lagged = lagged
  }

  /// The consumer, where it is one that a user has named.
  package var key: ConsumerKey? {
    owner.map { owner in
      ConsumerKey(
        owner: owner, monitor: filter.monitor,
        name: name.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)
          ?? "")
    }
  }

  /// The columns from which a place is read.
  static let columns = """
    name, owner, user, monitor, cursor, missed_first, missed_last, missed_count
    """

  /// Reads those columns.
  init(_ row: borrowing Row) throws {
    name = try row.text(0)
    owner = row[1].integer.flatMap { UInt32(exactly: $0) }
    filter = EventReader.Filter(
      user: row[2].integer.flatMap { UInt32(exactly: $0) }, monitor: row[3].text)
    // Where that is damaged, events come again.
    cursor = row[4].integer ?? 0
    lagged = Lagged(row, 5)
  }

  /// The assignments that forget what was missed up to a new cursor, which is an SQL expression.
  static func forgetting(_ cursor: String) -> String {
    """
    missed_first = CASE WHEN missed_last > \(cursor) THEN max(missed_first, \(cursor) + 1) END,
    missed_last = CASE WHEN missed_last > \(cursor) THEN missed_last END,
    missed_count = CASE WHEN missed_first > \(cursor) THEN missed_count ELSE 0 END
    """
  }
}

extension Lagged {
  /// Reads what was missed from three columns: the first number, the last, and how many, where 0 is
  /// a number that isn't known.
  init?(_ row: borrowing Row, _ column: Int) {
    guard let first = row[column].integer, let last = row[column + 1].integer else { return nil }
    let count = row[column + 2].integer.flatMap { Int(exactly: $0) } ?? 0
    self.init(first: first, last: last, events: count > 0 ? count : nil)
  }
}
