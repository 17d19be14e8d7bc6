package import Geofencing
package import LinuxSystem

/// Who reads the log for others: under which name its place is kept, and whose events it reads.
package struct EventConsumer: Sendable, Hashable {
  package let name: String

  /// The user; nil for everybody's events.
  package let user: UInt32?

  /// How long a power cut may take away again what it was given; nil where it can't.
  package let syncDelay: Duration?

  package init(name: String, user: UInt32? = nil, syncDelay: Duration? = nil) {
    self.name = name
    self.user = user
    self.syncDelay = syncDelay
  }
}

/// Where deliveries read events and keep how far they got: the durable log.
package protocol EventSource: Sendable {
  /// Tells when there are newer events.
  var signal: SequenceSignal { get }

  /// A consumer's events after a sequence number, oldest first and at most so many, and what it has
  /// missed after that number because the log hasn't got it any more.
  func events(
    after sequence: Int64, for consumer: EventConsumer, limit: Int
  ) async throws -> (events: [LoggedEvent], lagged: Lagged?)

  /// Has a consumer known from now on, and says how far it got; 0 when it is new, and after a power cut what it
  /// surely kept.
  func register(_ consumer: EventConsumer) async throws -> Int64

  /// Keeps how far a consumer got; a power cut may take that, and the same events come again.
  func setCursor(of consumer: EventConsumer, to sequence: Int64) async throws
}
