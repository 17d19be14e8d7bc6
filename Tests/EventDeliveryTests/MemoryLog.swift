import EventDelivery
import Geofencing
import Glibc
import JSONCoding
import LinuxSystem
import Synchronization

/// An event log in memory, which fails when a test says so.
final class MemoryLog: EventSource {
  struct Failure: Error {}

  let signal = SequenceSignal(latest: 0)

  /// Grows with each cursor that is kept, to the place that was kept.
  let kept = SequenceSignal(latest: 0)

  /// Counts how often a consumer was told its place.
  let asked = SequenceSignal(latest: 0)

  private struct State {
    var latest: Int64 = 0
    var asked: Int64 = 0
    var events: [Event] = []
    /// The events that are gone.
    var dropped: [Event] = []
    var cursors: [String: Int64] = [:]
    var cursorFailures = 0
    var syncDelay: Duration?
    var reads = 0
    var afterReading: (@Sendable () -> Void)?
    var gate: SequenceSignal?
  }

  private let state = Mutex(State())

  /// A log with so many events.
  init(_ count: Int = 0) { append(count) }

  /// Appends events and tells of them.
  func append(_ count: Int, user: UInt32 = getuid(), padding: Int = 0) {
    let latest = state.withLock { state in
      for _ in 0..<count {
        state.latest += 1
        let sequence = state.latest
        let monitor = MonitorKey(user: user, name: "m" + String(repeating: "x", count: padding))
        state.events.append(
          Event(
            sequence: sequence, log: "log", recorded: Timestamp(nanoseconds: 0),
            transition: Transition(
              key: ConditionKey(monitor: monitor, identifier: "c\(sequence)"), kind: .entered,
              state: .satisfied, previousState: .unsatisfied, date: Timestamp(nanoseconds: 0))))
      }
      return state.latest
    }
    signal.announce(latest)
  }

  /// Drops all events, as retention does; their numbers stay used.
  func dropEvents(through sequence: Int64) {
    state.withLock { state in
      state.dropped += state.events.filter { $0.sequence <= sequence }
      state.events.removeAll { $0.sequence <= sequence }
    }
  }

  func cursor(_ name: String) -> Int64? { state.withLock { $0.cursors[name] } }

  /// How long the consumer that asked last for its place may lose with the power what it took.
  var syncDelay: Duration? { state.withLock { $0.syncDelay } }

  /// How often events were read.
  var reads: Int { state.withLock { $0.reads } }

  /// How many more cursors aren't kept.
  var cursorFailures: Int { state.withLock { $0.cursorFailures } }

  func failToKeepCursors(_ count: Int) { state.withLock { $0.cursorFailures = count } }

  /// Does something once, between reading the events and handing them over.
  func afterReading(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.afterReading = body }
  }

  /// Answers questions for cursors only when the signal is announced.
  func holdCursors(until gate: SequenceSignal) { state.withLock { $0.gate = gate } }

  func events(
    after sequence: Int64, for consumer: EventConsumer, limit: Int
  ) async throws -> (events: [LoggedEvent], lagged: Lagged?) {
    let (events, lagged, hook) = state.withLock { state in
      defer { state.afterReading = nil }
      state.reads += 1
      func isWanted(_ event: Event) -> Bool {
        event.sequence > sequence
          && (consumer.user == nil || event.transition.key.monitor.user == consumer.user)
      }
      let events = state.events.filter(isWanted).prefix(limit)
      // A log remembers what it dropped for those whose place it knew.
      let missed = state.cursors[consumer.name] == nil ? [] : state.dropped.filter(isWanted)
      let lagged = missed.first.map { first in
        Lagged(
          first: first.sequence, last: missed.last?.sequence ?? first.sequence,
          events: missed.count)
      }
      return (Array(events), lagged, state.afterReading)
    }
    hook?()
    return (try events.map { LoggedEvent($0, body: try CanonicalJSON.text($0)) }, lagged)
  }

  func register(_ consumer: EventConsumer) async throws -> Int64 {
    if let gate = state.withLock({ $0.gate }) { try await gate.wait(after: 0) }
    let (place, count) = state.withLock { state in
      state.asked += 1
      state.syncDelay = consumer.syncDelay
      return (state.cursors[consumer.name] ?? 0, state.asked)
    }
    asked.announce(count)
    return place
  }

  func setCursor(of consumer: EventConsumer, to sequence: Int64) async throws {
    try state.withLock { state in
      guard state.cursorFailures == 0 else {
        state.cursorFailures -= 1
        throw Failure()
      }
      state.cursors[consumer.name] = sequence
    }
    kept.announce(sequence)
  }
}
