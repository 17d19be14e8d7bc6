import Synchronization

/// Lets a limited number of tasks do something at a time, in the order in which they came.
package final class Turns: Sendable {
  private struct State {
    /// The number of the task that came last; the first has 1.
    var last: Int64 = 0

    /// The highest number that doesn't have to wait.
    var admitted: Int64

    /// The tasks that wait, by their numbers.
    var waiting: [Int64: SequenceSignal] = [:]

    /// Lets in the next task that still waits; nil where none does, and the next that comes needn't wait.
    mutating func admitNext() -> SequenceSignal? {
      while true {
        admitted += 1
        if admitted > last { return nil }
        if let next = waiting.removeValue(forKey: admitted) { return next }
      }
    }
  }

  private let state: Mutex<State>

  package init(atOnce limit: Int64) {
    state = Mutex(State(admitted: limit))
  }

  /// Does something when its turn comes.
  ///
  /// - Throws: what the body throws, or `CancellationError` at once when the task is cancelled before.
  package func inTurn<Result>(_ body: () async throws -> Result) async throws -> Result {
    let (number, turn) = state.withLock { state -> (Int64, SequenceSignal?) in
      state.last += 1
      if state.last <= state.admitted { return (state.last, nil) }
      let turn = SequenceSignal(latest: 0)
      state.waiting[state.last] = turn
      return (state.last, turn)
    }
    defer { leave(number) }
    try await turn?.wait(after: 0)
    try Task.checkCancellation()
    return try await body()
  }

  private func leave(_ number: Int64) {
    let next = state.withLock { state in
      // A task that wasn't let in leaves no place free.
      state.waiting.removeValue(forKey: number) == nil ? state.admitNext() : nil
    }
    next?.advance()
  }
}
