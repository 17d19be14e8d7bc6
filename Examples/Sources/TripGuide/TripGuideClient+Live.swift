import GeofenceClient

extension TripGuideClient {
  /// The client that asks the daemon, or what stands for it in a test.
  package static func live(service: GeofenceService = .system) -> TripGuideClient {
    TripGuideClient { trip in
      // What can go wrong goes wrong before there is a stream, and is thrown.
      let monitor = try await Monitor("trip-guide", service: service)
      let regions = Regions(of: trip)
      for identifier in try await monitor.identifiers where regions[identifier] == nil {
        // Left over from another trip.
        try await monitor.remove(identifier)
      }
      for (identifier, condition) in regions.conditions {
        try await monitor.add(condition, identifier: identifier)
      }
      return AsyncStream { continuation in
        let (stopped, stop) = AsyncStream<Never>.makeStream()
        continuation.onTermination = { _ in stop.finish() }
        // The stream owns this task: it ends with the loop over the stream, and is never cancelled
        // itself, so that it can take away what is still watched.
        Task {
          await withTaskGroup { group in
            group.addTask { await follow(monitor, regions, continuation) }
            group.addTask { for await _ in stopped {} }
            await group.next()
            group.cancelAll()
          }
          for (identifier, _) in regions.conditions { try? await monitor.remove(identifier) }
          continuation.finish()
        }
      }
    }
  }

  /// Tells of each region that is entered, once, until all were.
  private static func follow(
    _ monitor: Monitor, _ regions: Regions, _ continuation: AsyncStream<Event>.Continuation
  ) async {
    var awaited = Set(regions.conditions.map(\.identifier))
    do {
      for try await event in await monitor.events where event.state == .satisfied {
        guard awaited.remove(event.identifier) != nil, let news = regions[event.identifier] else {
          continue
        }
        continuation.yield(news)
        try await monitor.remove(event.identifier)
        if awaited.isEmpty { return }
      }
    } catch {
      // Cancelled, or the daemon won't have us any more: either way the trip is over.
    }
  }
}

/// The conditions of a trip, and what entering each of them means.
private struct Regions {
  let conditions: [(identifier: String, condition: CircularGeographicCondition)]
  private let news: [String: TripGuideClient.Event]

  init(of trip: Trip) {
    let frame = CircularGeographicCondition(center: trip.center, radius: Trip.frameRadius)
    conditions =
      [("frame", frame)]
      + trip.landmarks.map { landmark in
        (
          "badge.\(landmark.id)",
          CircularGeographicCondition(center: landmark.coordinate, radius: Landmark.radius)
        )
      }
    news = Dictionary(
      [("frame", .didEnterFrame)]
        + trip.landmarks.map { ("badge.\($0.id)", .didEnterBadge($0.id)) },
      uniquingKeysWith: { first, _ in first })
  }

  subscript(identifier: String) -> TripGuideClient.Event? { news[identifier] }
}
