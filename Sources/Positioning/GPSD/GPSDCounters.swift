import Synchronization

/// The counters of a ``GPSDSource``, or of several in a row, written by their loops and read by anybody.
package final class GPSDCounters: Sendable {
  private let state = Mutex(GPSDStatistics())

  package init() {}

  package var statistics: GPSDStatistics { state.withLock { $0 } }

  func update(_ change: (inout GPSDStatistics) -> Void) {
    state.withLock { change(&$0) }
  }
}
