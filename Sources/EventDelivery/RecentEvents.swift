package import Geofencing
import Synchronization

/// The newest events of the log, kept in memory so that who is up to date needn't read them from it.
///
/// Only what is durable may be put here.
package final class RecentEvents: Sendable {
  /// How many events are kept at most, and how many bytes of them.
  ///
  /// When either is passed, half is dropped at once: one by one, all the others would be moved with each
  /// event.
  static let limit = 512
  static let maximumBytes = 1 << 18

  private struct State {
    /// Numbered without gaps.
    var events: [LoggedEvent] = []
    var bytes = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Adds events that follow those before.
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

  /// Forgets everything, because events have left the log.
  package func removeAll() {
    state.withLock { $0 = State() }
  }

  /// A user's events after a sequence number, oldest first and at most so many; nil user for all.
  ///
  /// - Returns: nil when not all events after that number are kept here.
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
