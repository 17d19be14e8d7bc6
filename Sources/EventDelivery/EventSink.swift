package import Geofencing

/// A receiver of events, such as the journal.
package protocol EventSink: Sendable {
  /// The name under which the log keeps how far the sink was told.
  var name: String { get }

  /// For how long a power failure may take away what the sink has accepted; nil if it can't.
  var syncDelay: Duration? { get }

  /// Delivers some events, in order; their numbers may have all digits, or only those of their JSON.
  ///
  /// When this returns, the events are delivered; if it throws, they come again.
  func deliver(_ events: [Event]) async throws

  /// Delivers the news that events were removed from the log before this sink got them; may throw in the same way.
  func deliver(_ lagged: Lagged) async throws
}
