package import Geofencing
import JSONCoding
import LinuxSystem
import SQLite

/// Reads the event log, on a connection and a thread of its own: readers never hold up the writer.
package actor EventReader {
  /// Which events are asked for; nil is all.
  package struct Filter: Sendable, Hashable {
    package var user: UInt32?
    package var monitor: String?
    package var identifier: String?

    package init(user: UInt32? = nil, monitor: String? = nil, identifier: String? = nil) {
      self.user = user
      self.monitor = monitor
      self.identifier = identifier
    }

    /// The condition on a row, and the values of its parameters.
    fileprivate static let sql = """
      (? IS NULL OR user = ?) AND (? IS NULL OR monitor = ?) AND (? IS NULL OR identifier = ?)
      """

    fileprivate var values: [SQLiteValue] {
      let user = user.map(Int64.init)
      return [
        .integer(user), .integer(user), .text(monitor), .text(monitor), .text(identifier),
        .text(identifier),
      ]
    }
  }

  private let executor = SerialQueueExecutor(label: "geofenced.event-reader")
  private let path: String
  private var connection: Connection?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// A reader of the database at a path, which is opened when it is first read.
  package init(path: String) {
    self.path = path
  }

  /// The events after a sequence number, oldest first and at most so many.
  package func events(
    after sequence: Int64, matching filter: Filter = Filter(), limit: Int
  ) throws -> [Event] {
    try open().query(
      """
      SELECT body FROM event WHERE sequence > ? AND \(Filter.sql) ORDER BY sequence LIMIT ?
      """, [.integer(sequence)] + filter.values + [.integer(Int64(limit))]
    ) { row in try CanonicalJSON.decode(Event.self, from: row.text(0).utf8) }
  }

  /// The newest event of those asked for.
  package func newest(matching filter: Filter = Filter()) throws -> Event? {
    try open().query(
      "SELECT body FROM event WHERE \(Filter.sql) ORDER BY sequence DESC LIMIT 1", filter.values
    ) { row in try CanonicalJSON.decode(Event.self, from: row.text(0).utf8) }.first
  }

  private func open() throws -> Connection {
    if let connection { return connection }
    let opened = try MonitorDatabase.openReader(path: path)
    connection = opened
    return opened
  }
}
