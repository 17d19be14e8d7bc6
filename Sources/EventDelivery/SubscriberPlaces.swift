import Synchronization

/// The number of the last event that each connected subscriber has read.
final class SubscriberPlaces: Sendable {
  private struct State {
    var nextID: UInt64 = 0
    /// The subscribers' positions; nil until they are known.
    var subscribers: [UInt64: (user: UInt32, position: Int64?)] = [:]
    var kept: [UInt32: Int64] = [:]
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.subscribers.count } }

  /// Counts a new subscriber and returns its id; nil if a limit is reached.
  ///
  /// Subscribers are counted at once, so that many who come together can't pass the limits.
  func enter(user: UInt32, limit: Int, limitPerUser: Int) -> UInt64? {
    state.withLock { state in
      let users = state.subscribers.values.map(\.user)
      // One user can't keep out all others, and nobody can keep out root.
      let isRoot = user == 0
      guard users.count(where: { ($0 == 0) == isRoot }) < limit,
        isRoot || users.count(where: { $0 == user }) < limitPerUser
      else { return nil }
      defer { state.nextID += 1 }
      state.subscribers[state.nextID] = (user, nil)
      return state.nextID
    }
  }

  func has(_ user: UInt32) -> Bool {
    state.withLock { $0.subscribers.values.contains { $0.user == user } }
  }

  func leave(_ id: UInt64) {
    state.withLock { $0.subscribers[id] = nil }
  }

  /// Notes that a user's place couldn't be stored in the log.
  func forgetPlace(of user: UInt32) {
    state.withLock { $0.kept[user] = nil }
  }

  /// Notes a subscriber's progress; returns the user's new place in the log, or nil if that hasn't changed.
  func move(_ id: UInt64, to position: Int64) -> Int64? {
    state.withLock { state in
      guard let user = state.subscribers[id]?.user else { return nil }
      state.subscribers[id]?.position = position
      let place = state.subscribers.values.filter { $0.user == user }.compactMap(\.position).min()
      guard let place, place > state.kept[user] ?? -1 else { return nil }
      state.kept[user] = place
      return place
    }
  }
}
