internal import Synchronization

/// A value that tasks change and wait for.
final class WatchedState<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var version = 0
    var waiting: [AsyncStream<Never>.Continuation] = []
  }

  private let state: Mutex<State>

  init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  /// The value at present, and the number of the change that made it so.
  var current: (value: Value, version: Int) { state.withLock { ($0.value, $0.version) } }

  /// Changes the value and wakes those who wait.
  @discardableResult
  func change<Result: Sendable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, waiting) = try state.withLock { state throws(Failure) in
      let result = try body(&state.value)
      state.version += 1
      defer { state.waiting = [] }
      return (result, state.waiting)
    }
    for continuation in waiting { continuation.finish() }
    return result
  }

  /// Changes something in the value that nobody waits for.
  func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    state.withLock { body(&$0.value) }
  }

  /// Waits for a change after the one of this number.
  func wait(after version: Int) async throws(CancellationError) {
    let (changed, continuation) = AsyncStream.makeStream(of: Never.self)
    let isWaiting = state.withLock { state in
      guard state.version == version else { return false }
      state.waiting.append(continuation)
      return true
    }
    // The stream ends with the change, or with the task.
    if isWaiting { for await _ in changed {} }
    if Task.isCancelled { throw CancellationError() }
  }
}
