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
  private let journal = Journal()
  private let showsCoordinates: @Sendable () -> Bool

  /// A sink for the machine's journal.
  ///
  /// - Parameter showsCoordinates: whether positions, which are personal data, may be written;
  ///   asked for each event.
  package init(showsCoordinates: @escaping @Sendable () -> Bool) {
    self.showsCoordinates = showsCoordinates
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
    guard journal.isAvailable else { throw JournalMissing() }
    try journal.send(fields)
  }
}

/// The machine has no journal that takes entries.
package struct JournalMissing: Error, CustomStringConvertible {
  package let description = "there is no systemd journal on this machine"
}
