import Synchronization

/// A clock that moves only when a test moves it.
///
/// With ``waitForSleepers(_:)`` a test can wait until the code under test really sleeps, so ``advance(by:)`` doesn't
/// race with it.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var offset: Duration = .zero
    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        enum Outcome {
          case cancelled
          case due
          case waiting([CheckedContinuation<Void, Never>])
        }
        let outcome = state.withLock { state -> Outcome in
          if state.cancelled.remove(id) != nil { return .cancelled }
          if deadline <= state.now { return .due }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          let count = state.sleepers.count
          let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
          state.watchers.removeAll { $0.count <= count }
          return .waiting(ready)
        }
        switch outcome {
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .due: continuation.resume()
        case .waiting(let ready): for watcher in ready { watcher.resume() }
        }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
        state.cancelled.insert(id)
        return nil
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// The times at which the sleeping tasks are woken, the earliest first.
  package var deadlines: [Instant] {
    state.withLock { $0.sleepers.values.map(\.deadline).sorted() }
  }

  /// Suspends until at least this many tasks sleep on the clock.
  package func waitForSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if ready { continuation.resume() }
    }
  }

  /// Lets a task make a number of pauses, one after the other, and advances the clock in each.
  package func pass(_ pauses: Int, each pause: Duration = .seconds(5)) async {
    for _ in 0..<pauses {
      await waitForSleepers(1)
      advance(by: pause)
    }
  }

  /// Moves time forward and wakes every sleeper whose deadline has come.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let due = state.sleepers.filter { $0.value.deadline <= now }
        .sorted { $0.value.deadline < $1.value.deadline }
      for (id, _) in due { state.sleepers[id] = nil }
      return due.map(\.value.continuation)
    }
    for continuation in due { continuation.resume() }
  }
}
