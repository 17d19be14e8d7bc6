package import Geofencing
package import LinuxSystem

/// A reader of the log: the name under which its place is kept, and the user whose events it reads.
package struct EventConsumer: Sendable, Hashable {
  package let name: String

  /// The user whose events it reads; nil for all users.
  package let user: UInt32?

  /// For how long a power failure may take away what the consumer was given; nil if it can't.
  package let syncDelay: Duration?

  package init(name: String, user: UInt32? = nil, syncDelay: Duration? = nil) {
    self.name = name
    self.user = user
    self.syncDelay = syncDelay
  }
}

/// The durable log, from which deliveries read events, and which keeps how far they are.
package protocol EventSource: Sendable {
  /// Announces new events.
  var signal: SequenceSignal { get }

  /// The events of a consumer after a sequence number, oldest first, at most `limit` of them.
  ///
  /// - Returns: Also the events after that number that the consumer has missed, because the log has lost them.
  func events(
    after sequence: Int64, for consumer: EventConsumer, limit: Int
  ) async throws -> (events: [LoggedEvent], lagged: Lagged?)

  /// Registers a consumer and returns the number of its last event.
  ///
  /// That is 0 for a new consumer; after a power failure it is the last event that the consumer surely kept.
  func register(_ consumer: EventConsumer) async throws -> Int64

  /// Stores how far a consumer is; a power failure may undo that, and then the same events come again.
  func setCursor(of consumer: EventConsumer, to sequence: Int64) async throws
}
