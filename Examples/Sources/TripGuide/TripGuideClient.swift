/// What the trip guide wants of the world, as a value: a test brings its own.
package struct TripGuideClient: Sendable {
  /// What happens on a trip.
  package enum Event: Sendable, Hashable {
    /// The traveller has arrived.
    case didEnterFrame

    /// The traveller has come to a landmark.
    case didEnterBadge(Landmark.ID)
  }

  /// What happens on a trip, in order.
  package typealias Events = AsyncThrowingStream<Event, any Error>

  typealias Continuation = Events.Continuation

  /// Watches for the frame and the landmarks of a trip, each until it is entered.
  ///
  /// The stream ends when all were entered, or with the error that ended the trip before that. Leaving the
  /// loop over it stops the watch.
  package var startMonitoring: @Sendable (Trip) async throws -> Events

  package init(startMonitoring: @escaping @Sendable (Trip) async throws -> Events) {
    self.startMonitoring = startMonitoring
  }
}
