internal import LinuxSystem
internal import Synchronization

/// Lets so many at a time do something, in the order in which they came.
final class Turns: Sendable {
  private struct State {
    /// The number of who came last.
    var last: Int64 = 0

    /// Up to which number all have been let in.
    var admitted: Int64

    /// Who left before being let in.
    var gone: Set<Int64> = []

    /// Lets in the next one who is still there, or who is to come.
    mutating func admitNext() -> Int64 {
      repeat { admitted += 1 } while gone.remove(admitted) != nil
      return admitted
    }
  }

  private let state: Mutex<State>
  private let admitted: SequenceSignal

  init(atOnce limit: Int64) {
    state = Mutex(State(admitted: limit))
    admitted = SequenceSignal(latest: limit)
  }

  /// Does something when its turn comes.
  ///
  /// - Throws: what the body throws, or `CancellationError` at once when the task is cancelled before.
  func inTurn<Result>(_ body: () async throws -> Result) async throws -> Result {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    do {
      try await admitted.wait(after: number - 1)
    } catch {
      leave(number)
      throw error
    }
    defer { leave(number) }
    return try await body()
  }

  private func leave(_ number: Int64) {
    let next = state.withLock { state -> Int64? in
      if number <= state.admitted { return state.admitNext() }
      state.gone.insert(number)
      return nil
    }
    if let next { admitted.announce(next) }
  }
}
