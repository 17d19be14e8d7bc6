import SQLite

/// What a consumer has whatever happens to the power, which may be less than it was given.
package struct SyncedPlace: Sendable, Hashable {
  /// The last event that it has for sure.
  package let sequence: Int64

  /// In which run of the machine it was given what came after.
  package let boot: String

  package init(sequence: Int64, boot: String) {
    (self.sequence, self.boot) = (sequence, boot)
  }
}

extension EventLog {
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
