/// How much a server lets its callers do.
package struct VarlinkLimits: Sendable, Hashable {
  /// The longest message that is read.
  package var maximumMessageBytes = 1 << 20

  /// How many connections are served at a time.
  package var maximumConnections = 256

  /// How many connections of one user other than root are served at a time.
  package var maximumConnectionsPerUser = 64

  /// How many requests a connection may make in a second, and at once.
  package var maximumRequestsPerSecond = 1000

  /// How long a message that has begun may take to be complete.
  package var partialMessageTimeout: Duration = .seconds(10)

  /// How long a caller may leave a reply unread.
  package var writeTimeout: Duration = .seconds(10)

  /// How long the server rests when the system refuses a connection (no descriptors left).
  package var restAfterFailedAccept: Duration = .milliseconds(100)

  package init() {}
}

/// How often a connection may ask: a bucket that holds a second's worth of requests.
struct RequestRate {
  private let perSecond: Int
  private var available: Double
  private var last: ContinuousClock.Instant

  init(perSecond: Int, now: ContinuousClock.Instant) {
    self.perSecond = perSecond
    available = Double(perSecond)
    last = now
  }

  /// Takes a request from the bucket; false when it is empty.
  mutating func allowsRequest(at now: ContinuousClock.Instant) -> Bool {
    let refill = Double(perSecond) * (last.duration(to: now) / .seconds(1))
    available = min(Double(perSecond), available + refill)
    last = now
    guard available >= 1 else { return false }
    available -= 1
    return true
  }
}
