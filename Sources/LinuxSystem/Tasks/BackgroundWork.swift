import Dispatch
import Synchronization

/// A queue for work that may block: it is done on a thread of its own, and whoever adds it doesn't wait.
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

  /// Adds some work; false where too much waits already, and this isn't done.
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

  /// Blocks until all that was added is done, but no longer than this.
  package func finish(within longest: Duration) {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + .milliseconds(Int(longest / .milliseconds(1))))
  }
}
