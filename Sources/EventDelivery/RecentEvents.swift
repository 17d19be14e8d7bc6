package import Geofencing
import Synchronization

/// The newest events of the log, in memory, so that readers who are up to date needn't read the log.
///
/// Only durable events may be added.
package final class RecentEvents: Sendable {
  /// The most events that are kept, and the most bytes of them.
  ///
  /// Above either limit half of the events are dropped at once: dropping them one by one would move all the others for
  /// each new event.
  static let limit = 512
  static let maximumBytes = 1 << 18

  private struct State {
    /// The events, numbered without gaps.
    var events: [LoggedEvent] = []
    var bytes = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Adds events; if there is a gap between their numbers and those before, the events before are dropped.
  package func append(_ events: [LoggedEvent]) {
    guard let first = events.first else { return }
    state.withLock { state in
      if let last = state.events.last, last.event.sequence + 1 != first.event.sequence {
        state = State()
      }
      state.events += events
      state.bytes += events.reduce(0) { $0 + $1.body.utf8.count }
      guard state.events.count > Self.limit || state.bytes > Self.maximumBytes else { return }
      var surplus = 0
      while state.events.count - surplus > Self.limit / 2 || state.bytes > Self.maximumBytes / 2 {
        state.bytes -= state.events[surplus].body.utf8.count
        surplus += 1
      }
      state.events.removeFirst(surplus)
    }
  }

  /// Drops all events, because some were removed from the log.
  package func removeAll() {
    state.withLock { $0 = State() }
  }

  /// A user's events after a sequence number, oldest first, at most `limit` of them; nil user for all users.
  ///
  /// - Returns: Nil if not all events after that number are kept here.
  package func events(
    after sequence: Int64, of user: UInt32?, limit: Int
  ) -> [LoggedEvent]? {
    state.withLock { state in
      guard let first = state.events.first?.event.sequence, sequence >= first - 1 else {
        return nil
      }
      let known = Int(min(sequence - first + 1, Int64(state.events.count)))
      var events: [LoggedEvent] = []
      for event in state.events[known...] {
        if events.count == limit { break }
        if user == nil || event.event.transition.key.monitor.user == user { events.append(event) }
      }
      return events
    }
  }
}
