import Synchronization

/// A number that only grows, and wakes whoever waits for it to pass one they know.
package final class SequenceSignal: Sendable {
  private struct State {
    var latest: Int64
    var nextID: UInt64 = 0
    var waiting: [UInt64: (after: Int64, continuation: CheckedContinuation<Bool, Never>)] = [:]
    var cancelled: Set<UInt64> = []
  }

  private let state: Mutex<State>

  /// A signal that starts at a number: that of a log's newest event, for one.
  package init(latest: Int64) {
    state = Mutex(State(latest: latest))
  }

  /// The number at present.
  package var latest: Int64 { state.withLock { $0.latest } }

  /// Raises the number; a smaller one changes nothing.
  package func announce(_ sequence: Int64) { raise { _ in sequence } }

  /// Raises the number by one: what it counts has happened once more.
  package func advance() { raise { $0 + 1 } }

  private func raise(_ next: (Int64) -> Int64) {
    let ready = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      let sequence = next(state.latest)
      // All that wait do so for a number after the present one.
      guard sequence > state.latest else { return [] }
      state.latest = sequence
      if state.waiting.isEmpty { return [] }
      var ids: [UInt64] = []
      for (id, waiting) in state.waiting where waiting.after < sequence { ids.append(id) }
      return ids.compactMap { state.waiting.removeValue(forKey: $0)?.continuation }
    }
    for continuation in ready { continuation.resume(returning: true) }
  }

  /// Waits until the number is greater than this.
  ///
  /// - Parameter isolation: The caller's. A closure that is passed to the standard library has it only if it
  ///   uses it: otherwise the wait would begin and end on another thread.
  package func wait(
    after sequence: Int64, isolation: isolated (any Actor)? = #isolation
  ) async throws(CancellationError) {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    let isNewer = await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.cancelled.remove(id) != nil { return false }
          if state.latest > sequence { return true }
          state.waiting[id] = (sequence, continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        if let waiting = state.waiting.removeValue(forKey: id) { return waiting.continuation }
        state.cancelled.insert(id)
        return nil
      }
      waiting?.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    if !isNewer { throw CancellationError() }
  }

  /// Waits until something is true, which is asked anew with each number.
  ///
  /// If it is true already, this returns at once, even in a cancelled task.
  package func wait(
    until isFulfilled: () -> Bool, isolation: isolated (any Actor)? = #isolation
  ) async throws(CancellationError) {
    while true {
      let seen = latest
      if isFulfilled() { return }
      try await wait(after: seen, isolation: isolation)
    }
  }
}
