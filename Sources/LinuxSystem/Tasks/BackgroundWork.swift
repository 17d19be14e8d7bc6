import Dispatch
import Synchronization

/// Work that may wait for others, done one thing after the other on a thread of its own: nobody waits for it.
package final class BackgroundWork: Sendable {
  private let queue: DispatchQueue
  private let limit: Int
  private let waiting = Mutex(0)

  /// - Parameters:
  ///   - label: what its thread is called.
  ///   - limit: how many things may wait.
  package init(label: String, limit: Int) {
    queue = DispatchQueue(label: label)
    self.limit = limit
  }

  /// Has something done; false where too much waits already, and it is left out.
  ///
  /// - Parameter always: whether it is done however much waits.
  @discardableResult
  package func add(always: Bool = false, _ body: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = waiting.withLock { count in
      guard always || count < limit else { return false }
      count += 1
      return true
    }
    guard isTaken else { return false }
    queue.async { [self] in
      body()
      waiting.withLock { $0 -= 1 }
    }
    return true
  }

  /// Waits on this thread until all that was added is done, but no longer than that.
  package func finish(within longest: Duration) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + .milliseconds(Int(longest / .milliseconds(1))))
  }
}
