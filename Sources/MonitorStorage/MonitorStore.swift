package import Geofencing
import JSONCoding
package import SQLite

/// The records of all monitors; used by the one owner of the connection.
package struct MonitorStore {
  let connection: Connection

  package init(_ connection: Connection) {
    self.connection = connection
  }

  /// The columns of a whole record.
  private static let recordColumns = """
    \(StoredCondition.columns), added, coalesce(
      (SELECT body FROM event WHERE event.sequence = condition.last_event),
      (SELECT body FROM last_event WHERE last_event.sequence = condition.last_event))
    """

  /// The record of one condition.
  ///
  /// - Parameter known: the condition, where it is known: that of a shape with very many corners takes long to read.
  package func record(for key: ConditionKey, as known: Condition? = nil) throws -> StoredRecord? {
    try connection.query(
      """
      SELECT \(Self.recordColumns) FROM condition
      WHERE user = ? AND monitor = ? AND identifier = ?
      """, StoredCondition.values(of: key)
    ) { row in try record(row, as: known) }.first
  }

  /// The records of a user, or of all, after an identifier, in order and at most so many.
  ///
  /// - Parameters:
  ///   - maximumBytes: About how many bytes of coordinates end the page; one record always comes.
  ///   - known: a condition, where it is known.
  /// - Returns: the records, and whether these are the last ones.
  package func records(
    user: UInt32?, monitor: String?, after: ConditionKey?, limit: Int, maximumBytes: Int,
    known: (ConditionKey) -> Condition? = { _ in nil }
  ) throws -> (records: [StoredRecord], isLast: Bool) {
    var records: [StoredRecord] = []
    var bytes = 0
    guard let (range, bounds) = Self.range(user, monitor, after) else { return ([], true) }
    let isLast = try connection.forEach(
      """
      SELECT \(Self.recordColumns) FROM condition WHERE \(range)
      ORDER BY user, monitor, identifier LIMIT ?
      """, bounds + [.integer(limit == .max ? .max : Int64(limit) + 1)]
    ) { row in
      guard records.count < limit, bytes < maximumBytes else { return false }
      let record = try record(row, as: known(StoredCondition.key(row)))
      bytes += 100 + 40 * record.condition.vertexCount
      records.append(record)
      return true
    }
    return (records, isLast)
  }

  /// The SQL for the rows after a key, and the values of its parameters; nil when there can be no such rows.
  ///
  /// They are those of a user or of all, and of a monitor or of all. They stand next to each other, so that nobody
  /// passes over the conditions of others.
  package static func range(
    _ user: UInt32?, _ monitor: String?, _ after: ConditionKey?
  ) -> (String, [SQLiteValue])? {
    guard let user else {
      return (
        // Without the plus SQLite would sort all rows that are left, for each page.
        "(user, monitor, identifier) > (?, ?, ?)" + (monitor == nil ? "" : " AND +monitor = ?"),
        [
          .integer(after.map { Int64($0.monitor.user) } ?? .min), .text(after?.monitor.name ?? ""),
          .text(after?.identifier ?? ""),
        ] + (monitor.map { [.text($0)] } ?? [])
      )
    }
    let owner = SQLiteValue.integer(Int64(user))
    var start = after
    if let after, after.monitor.user != user {
      guard after.monitor.user < user else { return nil }
      start = nil
    }
    guard let monitor else {
      return (
        "user = ? AND (monitor, identifier) > (?, ?)",
        [owner, .text(start?.monitor.name ?? ""), .text(start?.identifier ?? "")]
      )
    }
    if let name = start?.monitor.name, name != monitor {
      guard name < monitor else { return nil }
      start = nil
    }
    return (
      "user = ? AND monitor = ? AND identifier > ?",
      [owner, .text(monitor), .text(start?.identifier ?? "")]
    )
  }

  /// A condition, with the text of its coordinates.
  ///
  /// Making that takes time, and can be done long before the condition is written.
  package struct StoredForm: Sendable {
    package let condition: Condition
    fileprivate let coordinates: String?

    package init(of condition: Condition) {
      self.condition = condition
      coordinates = ShapeCoordinates.text(of: condition.shape)
    }
  }

  /// Adds or replaces the conditions that a closure returns, until it returns none; their last events
  /// begin anew.
  package func put(
    added: Timestamp, next: () -> (StoredForm, ConditionKey, ConditionStatus)?
  ) throws {
    try connection.run(StoredCondition.put) {
      guard let (form, key, status) = next() else { return nil }
      try put(form.coordinates, of: key)
      var values: [SQLiteValue] = []
      values.reserveCapacity(StoredCondition.columnsEnd + 1)
      StoredCondition.append(key, to: &values)
      StoredCondition.append(status, of: key.identifier, to: &values)
      StoredCondition.append(form.condition, to: &values)
      StoredCondition.append(progressOf: status, to: &values)
      values.append(.integer(added.nanoseconds))
      return values
    }
  }

  /// Keeps what is known of a condition.
  ///
  /// - Parameter lastEvent: the number of its last event; nil leaves that as it is.
  package func update(
    _ status: ConditionStatus, of key: ConditionKey, lastEvent: Int64? = nil
  ) throws {
    var values: [SQLiteValue] = []
    values.reserveCapacity(12)
    StoredCondition.append(status, of: key.identifier, to: &values)
    StoredCondition.append(progressOf: status, to: &values)
    StoredCondition.append(key, to: &values)
    values.append(.integer(lastEvent))
    try connection.run(StoredCondition.update, values)
  }

  /// Keeps another condition of a record, of which all else stays.
  package func update(_ form: StoredForm, of key: ConditionKey) throws {
    try put(form.coordinates, of: key)
    var values: [SQLiteValue] = []
    StoredCondition.append(form.condition, to: &values)
    StoredCondition.append(key, to: &values)
    try connection.run(StoredCondition.adjust, values)
  }

  /// Keeps the coordinates of a condition that has some; those of another go with its row.
  func put(_ coordinates: String?, of key: ConditionKey) throws {
    guard let coordinates else { return }
    try connection.run(
      "INSERT OR REPLACE INTO shape (user, monitor, identifier, coordinates) VALUES (?, ?, ?, ?)",
      StoredCondition.values(of: key) + [.text(coordinates)])
  }

  /// Keeps the number of the last event of a condition.
  package func update(lastEvent sequence: Int64, of key: ConditionKey) throws {
    try connection.run(
      "UPDATE condition SET last_event = ? WHERE user = ? AND monitor = ? AND identifier = ?",
      [.integer(sequence)] + StoredCondition.values(of: key))
  }

  /// Removes a condition with its record.
  package func remove(_ key: ConditionKey) throws {
    try connection.run(
      "DELETE FROM condition WHERE user = ? AND monitor = ? AND identifier = ?",
      StoredCondition.values(of: key))
  }

  /// The last fix that was judged before the program ended; nil also when it can't be read.
  package func lastFix() throws -> Location? {
    try lastFix("location") { value in
      if let words = value.words { return Location(words: words) }
      // An older program wrote it as JSON.
      return value.text.flatMap { try? CanonicalJSON.decode(Location.self, from: $0.utf8) }
    }
  }

  /// What was learned of the motion by the last fix; nil also when it can't be read.
  package func learnedMotion() throws -> LearnedMotion? {
    try lastFix("motion") { $0.words.flatMap { LearnedMotion(words: $0) } }
  }

  /// The fixes that were judged last; nil also when they can't be read.
  package func consideredFixes() throws -> ConsideredFixes? {
    try lastFix("considered") { $0.words.flatMap { ConsideredFixes(words: $0) } }
  }

  /// Whether no fix was judged after the last one that is kept.
  package func isLastFixFinal() throws -> Bool {
    try connection.query("SELECT is_final FROM last_fix").first?.first == .integer(1)
  }

  /// Notes that other fixes may be judged after the last one that is kept.
  package func setLastFixNotFinal() throws {
    guard try isLastFixFinal() else { return }
    try connection.runDurably("UPDATE last_fix SET is_final = 0")
  }

  /// Notes that no fix is judged any more after the last one, and keeps all that is remembered of those before.
  package func setLastFixFinal(considered: ConsideredFixes) throws {
    guard try !isLastFixFinal() else { return }
    try connection.runDurably(
      "UPDATE last_fix SET is_final = 1, considered = ?",
      [.blob(words: considered.words(isWhole: true))])
  }

  /// What a column of the last fix holds; nil also when there is none.
  private func lastFix<Value>(_ column: String, as value: (SQLiteValue) -> Value?) throws -> Value?
  {
    try connection.query("SELECT \(column) FROM last_fix") { value($0[0]) }.first.flatMap { $0 }
  }

  /// Keeps the last fix that was judged, with what was learned by then, and the ones that were judged last.
  package func update(
    lastFix: Location, motion: LearnedMotion? = nil, considered: ConsideredFixes? = nil
  ) throws {
    try connection.run(
      "INSERT OR REPLACE INTO last_fix (id, location, motion, considered) VALUES (0, ?, ?, ?)",
      [
        .blob(words: lastFix.words), motion.map { .blob(words: $0.words) } ?? .null,
        considered.map { .blob(words: $0.words(isWhole: false)) } ?? .null,
      ])
  }

  /// Lets no condition be watched since a later time than this: the receiver's clock was set back to it.
  package func lowerWatchedSince(to time: Timestamp) throws {
    try connection.run(
      "UPDATE condition SET watched_since = ?1 WHERE watched_since > ?1",
      [.integer(time.nanoseconds)])
  }

  /// Writes something that changes nothing, to see whether anything can be written.
  package func probe() throws {
    try connection.run("UPDATE log SET id = id")
  }

  private func record(
    _ row: borrowing Row, as known: Condition?
  ) throws -> StoredRecord {
    let key = try StoredCondition.key(row)
    let (condition, status) =
      try known.map { ($0, try StoredCondition.status(row, of: key.identifier)) }
      ?? watched(row, as: key)
    let column = StoredCondition.columnsEnd
    // An event that can't be read is left out everywhere: the condition is watched all the same.
    return StoredRecord(
      key: key, condition: condition, status: status,
      // A damaged date becomes 1970, so that the other records can be read.
      added: Timestamp(nanoseconds: row[column].integer ?? 0),
      lastEvent: LoggedEvent(row, column + 1)?.event)
  }
}
