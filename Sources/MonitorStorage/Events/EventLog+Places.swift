import SQLite

/// The places of consumers in a log.
extension EventLog {
  /// Keeps how far a consumer of the program itself has been given events.
  ///
  /// It survives the end of the program at once, and a power cut with the next event: without it, events
  /// come again, which is promised, and a place for each event would take as long as the event itself.
  ///
  /// - Parameters:
  ///   - user: whose events it reads; nil is everybody's.
  ///   - synced: what it has for sure; nil where that is all.
  package func setCursor(
    of consumer: String, reading user: UInt32? = nil, to sequence: Int64, synced: SyncedPlace? = nil
  ) throws {
    try connection.runUnsynced(
      """
      INSERT INTO consumer (name, cursor, user, synced, boot) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (name) DO UPDATE SET cursor = ?2, synced = ?4, boot = ?5,
        \(ConsumerPlace.forgetting("?2"))
      """,
      [
        .text(consumer), .integer(sequence), .integer(user.map(Int64.init)),
        .integer(synced?.sequence), .text(synced?.boot),
      ])
  }

  /// All consumers, or those that are a user's own, by name.
  package func consumers(of user: UInt32? = nil) throws -> [ConsumerPlace] {
    try connection.query(
      """
      SELECT \(ConsumerPlace.columns) FROM consumer
      WHERE ?1 IS NULL OR owner = ?1 OR (owner IS NULL AND user = ?1) ORDER BY name
      """, [.integer(user.map(Int64.init))]
    ) { row in try ConsumerPlace(row) }
  }

  /// The place of a consumer; nil when it is new.
  package func place(of consumer: String) throws -> ConsumerPlace? {
    try connection.query(
      "SELECT \(ConsumerPlace.columns) FROM consumer WHERE name = ?", [.text(consumer)]
    ) { row in try ConsumerPlace(row) }.first
  }

  /// What a consumer has for sure; nil where that is all that it was given.
  package func syncedPlace(of consumer: String) throws -> SyncedPlace? {
    try connection.query(
      "SELECT synced, boot FROM consumer WHERE name = ?", [.text(consumer)]
    ) { row -> SyncedPlace? in
      guard let sequence = row[0].integer, let boot = row[1].text else { return nil }
      return SyncedPlace(sequence: sequence, boot: boot)
    }.first.flatMap { $0 }
  }
}
