/// What the trip guide wants of the world, as a value: a test brings its own.
package struct TripGuideClient: Sendable {
  /// What happens on a trip.
  package enum Event: Sendable, Hashable {
    /// The traveller has arrived.
    case didEnterFrame

    /// The traveller has come to a landmark.
    case didEnterBadge(Landmark.ID)
  }

  /// Watches for the frame and the landmarks of a trip, each until it is entered.
  ///
  /// The stream ends when all were entered. Leaving the loop over it stops the watch.
  package var startMonitoring: @Sendable (Trip) async throws -> AsyncStream<Event>

  package init(startMonitoring: @escaping @Sendable (Trip) async throws -> AsyncStream<Event>) {
    self.startMonitoring = startMonitoring
  }
}
