/// How long to wait before the next attempt: twice as long each time, up to a limit.
package struct Backoff: Sendable {
  private let shortest: Duration
  private let longest: Duration

  /// The wait after the next failure.
  package private(set) var delay: Duration

  /// How many attempts failed in a row.
  package private(set) var failures = 0

  /// - Parameters:
  ///   - shortest: the wait after the first failure in a row.
  ///   - longest: the wait after many, where that isn't shorter than the first.
  package init(from shortest: Duration, upTo longest: Duration) {
    self.shortest = shortest
    self.longest = max(shortest, longest)
    delay = shortest
  }

  /// The wait after another failure.
  package mutating func next() -> Duration {
    defer { delay = min(delay * 2, longest) }
    failures += 1
    return delay
  }

  /// Begins anew after a success.
  package mutating func reset() { self = Backoff(from: shortest, upTo: longest) }
}
