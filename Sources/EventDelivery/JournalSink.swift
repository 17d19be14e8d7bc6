package import Geofencing
import LinuxSystem
import Systemd

/// Writes one journal entry per event, with a sentence for people and fields for programs.
package actor JournalSink: EventSink {
  /// The journal's name among the consumers.
  package static let consumer = "journal"
  package nonisolated let name = JournalSink.consumer

  /// journald syncs entries five minutes after it has read them, and only critical ones at once (SyncIntervalSec= in
  /// journald.conf(5)); reading and syncing also take some time.
  package nonisolated let syncDelay: Duration? = .seconds(360)

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  // Writing to the journal waits while its queue is full.
  private let executor = SerialQueueExecutor(label: "geofenced.journal")
  private let showsCoordinates: @Sendable () -> Bool
  private let isWaiting: @Sendable (Bool) -> Void

  /// Makes a sink for the machine's journal.
  ///
  /// - Parameters:
  ///   - showsCoordinates: Whether positions, which are personal data, may be written; called for each event.
  ///   - isWaiting: Called with true when an entry is given to the journal, and with false when the journal has taken
  ///     it.
  package init(
    showsCoordinates: @escaping @Sendable () -> Bool,
    isWaiting: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.showsCoordinates = showsCoordinates
    self.isWaiting = isWaiting
  }

  /// Writes an entry for each event.
  ///
  /// - Throws: ``JournalMissing`` if the machine has no journal, or the journal's error.
  package func deliver(_ events: [Event]) throws {
    for event in events {
      try send(JournalEntry.fields(of: event, withCoordinates: showsCoordinates()))
    }
  }

  /// Writes one entry about events that were removed before.
  ///
  /// - Throws: The same errors as ``deliver(_:)-([Event])``.
  package func deliver(_ lagged: Lagged) throws {
    try send(JournalEntry.fields(of: lagged))
  }

  private func send(_ fields: [Journal.Field]) throws {
    isWaiting(true)
    defer { isWaiting(false) }
    do {
      try Journal.send(fields)
    } catch .noSuchFile {
      throw JournalMissing()
    }
  }
}

/// The machine has no journal that takes entries.
package struct JournalMissing: Error, CustomStringConvertible {
  package let description =
    "there is no systemd journal on this machine; Enabled=no in [Journal] turns it off"
}
