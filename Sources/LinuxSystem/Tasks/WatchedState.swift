import Synchronization

/// A value that tasks change and wait for.
package final class WatchedState<Value: Sendable>: Sendable {
  /// Grows with every change.
  package let changes = SequenceSignal(latest: 0)

  private let value: Mutex<Value>

  package init(_ value: Value) {
    self.value = Mutex(value)
  }

  /// The present value, and the number of a change that it surely has.
  package var current: (value: Value, version: Int64) {
    // In this order: a change in between makes somebody look once more, and isn't missed.
    let version = changes.latest
    return (value.withLock { $0 }, version)
  }

  /// Changes the value and wakes those who wait.
  @discardableResult
  package func change<Result: Sendable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = try update(body)
    changes.advance()
    return result
  }

  /// Changes the value, and wakes those who wait where it is another one then.
  package func changeIfDifferent(_ body: (inout Value) -> Void) where Value: Equatable {
    let isOther = update { value in
      let before = value
      body(&value)
      return value != before
    }
    if isOther { changes.advance() }
  }

  /// Changes something in the value that nobody waits for.
  package func update<Result: Sendable, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try value.withLock { value throws(Failure) in try body(&value) }
  }
}
