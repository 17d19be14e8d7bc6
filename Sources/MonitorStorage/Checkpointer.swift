import LinuxSystem
import SQLite

/// Moves what was committed from the write-ahead log into the database, on a connection and a thread of its own.
///
/// Otherwise the commit that makes the log long would do that, and its events would be told a millisecond
/// later, or much later on a slow disk.
package actor Checkpointer {
  private let executor = SerialQueueExecutor(label: "geofenced.checkpointer")
  private let path: String
  private var connection: Connection?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// - Parameter path: The path of a database that is open already.
  package init(path: String) {
    self.path = path
  }

  /// Moves as much as isn't being read or written now.
  ///
  /// - Throws: ``SQLiteError``; then the log stays as long as it is, and no event is lost.
  package func run() throws {
    let connection = try connection ?? Connection(path: path, mode: .readWrite)
    self.connection = connection
    try connection.checkpoint()
  }
}
