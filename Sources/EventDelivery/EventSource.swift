package import Geofencing

/// Where deliveries read events and keep how far they got: the durable log.
package protocol EventSource: Sendable {
  /// Tells when there are newer events.
  var signal: SequenceSignal { get }

  /// The events after a sequence number, oldest first and at most so many; a user's own, or all.
  func events(after sequence: Int64, user: UInt32?, limit: Int) async throws -> [Event]

  /// How far a consumer got; 0 when it is new.
  func cursor(of consumer: String) async throws -> Int64

  /// Keeps, durably, how far a consumer got.
  func setCursor(of consumer: String, to sequence: Int64) async throws
}
