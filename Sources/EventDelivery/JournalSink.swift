package import Geofencing
import LinuxSystem
import Systemd

/// Writes one journal entry an event: a sentence for people, fields for programs.
package actor JournalSink: EventSink {
  /// What the journal is called among the consumers.
  package static let consumer = "journal"
  package nonisolated let name = JournalSink.consumer

  /// What journald has read it syncs after five minutes (SyncIntervalSec= in journald.conf(5)), at once only
  /// what is critical; reading and syncing take some time too.
  package nonisolated let syncDelay: Duration? = .seconds(360)

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  // Writing to the journal waits while its queue is full.
  private let executor = SerialQueueExecutor(label: "geofenced.journal")
  private let showsCoordinates: @Sendable () -> Bool
  private let isWaiting: @Sendable (Bool) -> Void

  /// A sink for the machine's journal.
  ///
  /// - Parameters:
  ///   - showsCoordinates: whether positions, which are personal data, may be written; asked for each event.
  ///   - isWaiting: told when an entry is given to the journal, and when that has taken it.
  package init(
    showsCoordinates: @escaping @Sendable () -> Bool,
    isWaiting: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.showsCoordinates = showsCoordinates
    self.isWaiting = isWaiting
  }

  /// Writes the entries.
  ///
  /// - Throws: ``JournalMissing`` where the machine has none, or what the journal refused with.
  package func deliver(_ events: [Event]) throws {
    for event in events {
      try send(JournalEntry.fields(of: event, withCoordinates: showsCoordinates()))
    }
  }

  /// Writes one entry about what isn't there any more.
  ///
  /// - Throws: as ``deliver(_:)-([Event])``.
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
