package import Geofencing
import JSONCoding
package import SQLite

/// A condition as it is kept: what is watched, what is known, and the last event.
package struct StoredRecord: Sendable, Hashable {
  package let key: ConditionKey
  package let condition: Condition
  package var status: ConditionStatus

  /// When it was added, by the system's clock.
  package let added: Timestamp

  /// The last event that was logged for it, other than `crossed`.
  package let lastEvent: Event?
}

/// A record that is there and makes no sense.
package struct UnreadableRecord: Error, CustomStringConvertible {
  /// Whose record it is.
  package let key: ConditionKey

  package var description: String {
    "the condition '\(key.identifier)' of monitor '\(key.monitor.name)' can't be read: was it "
      + "stored by a newer geofenced?"
  }
}

/// The records of all monitors; used by the one owner of the connection.
package struct MonitorStore {
  let connection: Connection

  package init(_ connection: Connection) {
    self.connection = connection
  }

  /// Hands over every record, one after the other.
  package func readAll(_ body: (StoredRecord) throws -> Void) throws {
    try connection.query(
      """
      SELECT user, monitor, identifier, condition, status, added, last_event FROM condition
      ORDER BY user, monitor, identifier
      """
    ) { row in try body(Self.record(row)) }
  }

  /// The record of one condition.
  package func record(for key: ConditionKey) throws -> StoredRecord? {
    try connection.query(
      """
      SELECT user, monitor, identifier, condition, status, added, last_event FROM condition
      WHERE user = ? AND monitor = ? AND identifier = ?
      """, Self.values(of: key)
    ) { row in try Self.record(row) }.first
  }

  /// The records of a user, or of all, after an identifier, in order and at most so many.
  ///
  /// - Parameter maximumBytes: How many bytes of conditions end the page; one record always comes.
  /// - Returns: the records, and whether these are the last ones.
  package func records(
    user: UInt32?, monitor: String?, after: ConditionKey?, limit: Int, maximumBytes: Int
  ) throws -> (records: [StoredRecord], isLast: Bool) {
    var records: [StoredRecord] = []
    var bytes = 0
    let isLast = try connection.forEach(
      """
      SELECT user, monitor, identifier, condition, status, added, last_event FROM condition
      WHERE (user, monitor, identifier) > (?, ?, ?)
        AND (? IS NULL OR user = ?) AND (? IS NULL OR monitor = ?)
      ORDER BY user, monitor, identifier LIMIT ?
      """,
      [
        .integer(after.map { Int64($0.monitor.user) } ?? -1), .text(after?.monitor.name ?? ""),
        .text(after?.identifier ?? ""), .integer(user.map(Int64.init)),
        .integer(user.map(Int64.init)), .text(monitor), .text(monitor),
        .integer(limit == .max ? .max : Int64(limit) + 1),
      ]
    ) { row in
      guard records.count < limit, bytes < maximumBytes else { return false }
      records.append(try Self.record(row))
      bytes += try row.text(3).utf8.count
      return true
    }
    return (records, isLast)
  }

  /// Adds or replaces a condition; its last event begins anew.
  package func put(
    _ condition: Condition, as key: ConditionKey, status: ConditionStatus, added: Timestamp
  ) throws {
    try put(StoredForm(of: condition), as: key, status: StoredForm(of: status), added: added)
  }

  /// The bytes as which a value is kept, which may be made long before they are written.
  package struct StoredForm<Value: Encodable & Sendable>: Sendable {
    fileprivate let text: String

    package init(of value: Value) throws {
      text = try CanonicalJSON.text(value)
    }
  }

  /// Adds or replaces a condition; its last event begins anew.
  package func put(
    _ condition: StoredForm<Condition>, as key: ConditionKey, status: StoredForm<ConditionStatus>,
    added: Timestamp
  ) throws {
    try connection.run(
      """
      INSERT OR REPLACE INTO condition (user, monitor, identifier, condition, status, added)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      Self.values(of: key) + [
        .text(condition.text), .text(status.text), .integer(added.nanoseconds),
      ])
  }

  /// Keeps what is known of a condition.
  package func update(_ status: ConditionStatus, of key: ConditionKey) throws {
    try connection.run(
      "UPDATE condition SET status = ? WHERE user = ? AND monitor = ? AND identifier = ?",
      [.text(try CanonicalJSON.text(status))] + Self.values(of: key))
  }

  /// Keeps the last event of a condition.
  package func update(lastEvent json: String, of key: ConditionKey) throws {
    try connection.run(
      "UPDATE condition SET last_event = ? WHERE user = ? AND monitor = ? AND identifier = ?",
      [.text(json)] + Self.values(of: key))
  }

  /// Removes a condition with its record.
  package func remove(_ key: ConditionKey) throws {
    try connection.run(
      "DELETE FROM condition WHERE user = ? AND monitor = ? AND identifier = ?",
      Self.values(of: key))
  }

  /// The last fix that was judged before the program ended; nil also when it can't be read, as the
  /// next fix does just as well.
  package func lastFix() throws -> Location? {
    try connection.query("SELECT location FROM last_fix") { row in
      try? CanonicalJSON.decode(Location.self, from: row.text(0).utf8)
    }.first.flatMap { $0 }
  }

  /// Keeps the last fix that was judged.
  package func update(lastFix: Location) throws {
    try connection.run(
      "INSERT OR REPLACE INTO last_fix (id, location) VALUES (0, ?)",
      [.text(try CanonicalJSON.text(lastFix))])
  }

  /// Writes something that changes nothing, to see whether anything can be written.
  package func probe() throws {
    try connection.run("UPDATE log SET id = id")
  }

  private static func values(of key: ConditionKey) -> [SQLiteValue] {
    [.integer(Int64(key.monitor.user)), .text(key.monitor.name), .text(key.identifier)]
  }

  private static func record(_ row: borrowing Row) throws -> StoredRecord {
    let user = UInt32(exactly: try row.integer(0)) ?? UInt32.max
    let monitor = MonitorKey(user: user, name: try row.text(1))
    let key = ConditionKey(monitor: monitor, identifier: try row.text(2))
    do {
      return StoredRecord(
        key: key,
        condition: try CanonicalJSON.decode(
          Condition.self, from: row.text(3).utf8, userInfo: CodingUserInfoKey.shapesWereChecked),
        status: try CanonicalJSON.decode(ConditionStatus.self, from: row.text(4).utf8),
        added: Timestamp(nanoseconds: try row.integer(5)),
        lastEvent: try row[6].text.map { try CanonicalJSON.decode(Event.self, from: $0.utf8) })
    } catch let error where error is DecodingError || error is ConditionError {
      throw UnreadableRecord(key: key)
    }
  }
}
