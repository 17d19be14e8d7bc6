import GeofenceClient

extension TripGuideClient {
  /// The client that asks the daemon, or what stands for it in a test.
  package static func live(service: GeofenceService = .system) -> TripGuideClient {
    TripGuideClient { trip in
      let monitor = try await Monitor("trip-guide", service: service)
      let regions = Regions(of: trip)
      // What is left over from another trip goes; one that can't begin changes nothing.
      try await monitor.replaceAll(with: regions.conditions)
      return AsyncThrowingStream { continuation in
        let (stopped, stop) = AsyncStream<Never>.makeStream()
        continuation.onTermination = { _ in stop.finish() }
        // The stream owns this task: it ends with the loop over the stream, and is never cancelled
        // itself, so that it can take away what is still watched.
        Task {
          var failure: (any Error)?
          do {
            try await withThrowingTaskGroup { group in
              group.addTask { try await follow(monitor, regions, continuation) }
              group.addTask { for await _ in stopped {} }
              defer { group.cancelAll() }
              try await group.next()
            }
          } catch {
            failure = error
          }
          _ = try? await monitor.replaceAll(with: [:])
          continuation.finish(throwing: failure)
        }
      }
    }
  }

  /// Tells of each region that is entered, once, until all were.
  ///
  /// - Throws: what ends the trip before that: the daemon won't have us any more.
  private static func follow(
    _ monitor: Monitor, _ regions: Regions, _ continuation: Continuation
  ) async throws {
    var awaited = Set(regions.conditions.keys)
    for try await event in await monitor.events where event.state == .satisfied {
      guard awaited.remove(event.identifier) != nil, let news = regions[event.identifier] else {
        continue
      }
      // The loop may end with this event: another trip mustn't be told of it. Where a call fails, because
      // the daemon is being restarted, the trip goes on: the next event acknowledges this one, and what is
      // still watched is taken away at the end.
      try? await monitor.acknowledge(event)
      continuation.yield(news)
      try? await monitor.remove(event.identifier)
      if awaited.isEmpty { return }
    }
  }
}

/// The conditions of a trip, and what entering each of them means.
///
/// The trip's name is in their identifiers: what happened on another trip, and nobody has read, isn't taken
/// for news of this one.
private struct Regions {
  let conditions: [String: CircularGeographicCondition]
  private let news: [String: TripGuideClient.Event]

  init(of trip: Trip) {
    let name = trip.name.forPrograms
    let frame = CircularGeographicCondition(center: trip.center, radius: Trip.frameRadius)
    var conditions = ["frame.\(name)": frame]
    var news = ["frame.\(name)": TripGuideClient.Event.didEnterFrame]
    for landmark in trip.landmarks {
      let identifier = "badge.\(name).\(landmark.id.forPrograms)"
      conditions[identifier] = CircularGeographicCondition(
        center: landmark.coordinate, radius: Landmark.radius)
      news[identifier] = .didEnterBadge(landmark.id)
    }
    (self.conditions, self.news) = (conditions, news)
  }

  subscript(identifier: String) -> TripGuideClient.Event? { news[identifier] }
}

extension String {
  /// It in letters and digits of ASCII, with all else as numbers, so that it can be part of an identifier.
  fileprivate var forPrograms: String {
    unicodeScalars.map { scalar in
      let character = Character(scalar)
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      return isPlain ? "\(character)" : "_\(String(scalar.value, radix: 16))_"
    }.joined()
  }
}
