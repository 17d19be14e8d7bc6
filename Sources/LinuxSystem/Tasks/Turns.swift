import Synchronization

/// Lets so many at a time do something, in the order in which they came.
package final class Turns: Sendable {
  private struct State {
    /// The number of who came last.
    var last: Int64 = 0

    /// Up to which number nobody waits any more.
    var admitted: Int64

    /// Who waits to be let in.
    var waiting: [Int64: SequenceSignal] = [:]

    /// Lets in the next one who is still there, or who is to come.
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
      // Who hasn't been let in takes no place with him.
      state.waiting.removeValue(forKey: number) == nil ? state.admitNext() : nil
    }
    next?.advance()
  }
}
