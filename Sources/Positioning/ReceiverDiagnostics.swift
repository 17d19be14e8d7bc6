package import LinuxSystem
import Synchronization

/// The present ``ReceiverStatus``, written by the one loop over the updates and read by anybody.
package final class ReceiverDiagnostics: Sendable {
  private let state = Mutex(ReceiverStatus())
  private let restState = WatchedState(RestStatus())
  private let restObstacle = Mutex<RestObstacle?>(nil)

  /// Counts what goes wrong between gpsd and here, whichever source reads it.
  package let gpsd = GPSDCounters()

  package init() {}

  /// The status at this moment.
  package var status: ReceiverStatus { state.withLock { $0 } }

  /// Whether the receiver is in use.
  package var rest: RestStatus { restState.current.value }

  /// Why a receiver that is in use isn't let go, as the last fix says; nil where that isn't known.
  package var obstacle: RestObstacle? { restObstacle.withLock { $0 } }

  /// Grows with each change of ``rest``.
  package var restChanges: SequenceSignal { restState.changes }

  /// Says whether anything needs positions, and when, by the uptime; nothing is paused then.
  package func setWatched(_ isWatched: Bool, at uptime: Duration = .zero) {
    restState.change { rest in
      // With another configuration it is in use as before.
      let since = rest.usedSince ?? uptime
      rest = RestStatus()
      rest.isWatched = isWatched
      rest.usedSince = isWatched ? since : nil
    }
    // What is watched from now on may be another one.
    state.withLock { $0.release() }
    note(nil)
  }

  func note(_ obstacle: RestObstacle?) { restObstacle.withLock { $0 = obstacle } }

  func updateRest(_ change: (inout RestStatus) -> Void) { restState.changeIfDifferent(change) }

  func publish(_ status: ReceiverStatus) {
    state.withLock { $0 = status }
  }
}
