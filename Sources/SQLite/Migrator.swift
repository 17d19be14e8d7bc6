/// One step that brings a database's tables from one version to the next.
package struct Migration: Sendable {
  /// What the step does, for the message if it fails.
  package let name: String

  /// One or more statements, run in one transaction.
  fileprivate let sql: String

  package init(name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}

/// Brings a database to the version that this program knows.
///
/// The version of a database is the number of migrations it has been through, kept in its `user_version`.
/// A migration that has been released must not be changed: add another one after it.
package struct Migrator: Sendable {
  private let migrations: [Migration]

  /// Makes a migrator with all migrations there have ever been, the oldest first.
  package init(_ migrations: [Migration]) { self.migrations = migrations }

  /// The version that ``migrate(_:)`` leads to.
  package var latestVersion: Int { migrations.count }

  /// The version that a database has; 0 for a new one.
  package func version(of database: Connection) throws(SQLiteError) -> Int {
    Int(try database.query("PRAGMA user_version").first?.first?.integer ?? 0)
  }

  /// Runs the migrations that the database hasn't been through, each in its own transaction.
  ///
  /// If one fails, those before it stay done, and the version says so; it can be tried again.
  ///
  /// - Throws: ``SQLiteError/newerDatabase`` if a newer program has written the database, which is then left alone;
  ///   ``SQLiteError``.
  package func migrate(_ database: Connection) throws {
    try refuseNewer(database)
    let first = try version(of: database)
    for (index, migration) in migrations.enumerated().dropFirst(first) {
      try database.transaction {
        // Look again under the lock: another process may have migrated meanwhile.
        try refuseNewer(database)
        guard try version(of: database) == index else { return }
        do {
          try database.execute(migration.sql)
        } catch let error as SQLiteError {
          throw error.during("step \(index + 1) (\(migration.name))")
        }
        // A pragma takes no bound value; the number isn't from outside.
        try database.execute("PRAGMA user_version = \(index + 1)")
      }
    }
  }

  private func refuseNewer(_ database: Connection) throws(SQLiteError) {
    let found = try version(of: database)
    guard found > latestVersion || found < 0 else { return }
    throw SQLiteError(
      code: SQLiteError.newerDatabase,
      message: """
        the database has version \(found), but this program knows only versions up to \
        \(latestVersion): install the newer program again, or move the database away
        """)
  }
}
