package import Geofencing

/// Somewhere that events are told.
package protocol EventSink: Sendable {
  /// Under which name its cursor is kept.
  var name: String { get }

  /// How long a power cut may take away again what it took; nil where it can't.
  var syncDelay: Duration? { get }

  /// Tells some events, in order: as they were judged, or with the digits that their JSON has.
  ///
  /// When it returns they are told; when it throws they come again.
  func deliver(_ events: [Event]) async throws

  /// Tells that events were removed from the log before they could be told here; the same goes for it.
  func deliver(_ lagged: Lagged) async throws
}
