import Synchronization

/// Limits how often each user may ask: each user has a bucket that holds the requests of one second.
///
/// Requests are counted over all connections of a user, since many callers open a connection for each call.
final class RequestRates: Sendable {
  private struct Bucket {
    var available: Double
    var last: ContinuousClock.Instant
  }

  private let perSecond: Int
  private let maximumUsers: Int
  private let buckets = Mutex<[UInt32: Bucket]>([:])

  /// - Parameter maximumUsers: The largest number of users that are remembered.
  init(perSecond: Int, maximumUsers: Int = 1_024) {
    self.perSecond = perSecond
    self.maximumUsers = maximumUsers
  }

  /// The number of users that are remembered.
  var users: Int { buckets.withLock { $0.count } }

  /// Takes a request from a user's bucket; false if the bucket is empty.
  func allowsRequest(ofUser user: UInt32, at now: ContinuousClock.Instant) -> Bool {
    buckets.withLock { buckets in
      if buckets[user] == nil, buckets.count >= maximumUsers { forget(&buckets, at: now) }
      var bucket = buckets[user] ?? Bucket(available: Double(perSecond), last: now)
      bucket.available = available(in: bucket, at: now)
      bucket.last = now
      let isAllowed = bucket.available >= 1
      if isAllowed { bucket.available -= 1 }
      buckets[user] = bucket
      return isAllowed
    }
  }

  private func available(in bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
    let refill = Double(perSecond) * (bucket.last.duration(to: now) / .seconds(1))
    return min(Double(perSecond), bucket.available + refill)
  }

  /// Makes room for another user.
  ///
  /// Full buckets are dropped: a new bucket is the same. If none is full, the fullest is dropped, whose user has asked
  /// least.
  private func forget(_ buckets: inout [UInt32: Bucket], at now: ContinuousClock.Instant) {
    buckets = buckets.filter { available(in: $0.value, at: now) < Double(perSecond) }
    guard buckets.count >= maximumUsers,
      let fullest = buckets.max(by: {
        available(in: $0.value, at: now) < available(in: $1.value, at: now)
      })
    else { return }
    buckets[fullest.key] = nil
  }
}
