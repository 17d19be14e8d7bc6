package import Geofencing
package import LinuxSystem
import Synchronization

/// What is known about the receiver at present, for people who wonder why nothing happens.
package struct ReceiverStatus: Sendable, Hashable {
  /// What answers (`gpsd 3.22`); nil while nothing is reached.
  package var source: String?

  /// Why nothing is reached.
  package var disconnection: String?

  /// Whether the source is reached but has sent nothing of a receiver for too long, and nothing since.
  package var isSilent = false

  /// What is told of a source that is reached and silent; nil while it isn't.
  package var silence: String? { isSilent ? Self.silence(of: devices) : nil }

  /// What is told of the silence of receivers.
  static func silence(of devices: [String]) -> String {
    devices.isEmpty
      ? "gpsd has no receiver: is it plugged in?"
      : "the receiver is silent: \(devices.joined(separator: ", "))"
  }

  /// The receivers that the source has.
  package var devices: [String] = []

  /// The mode of the last epoch: 0 unknown, 1 no fix, 2 position, 3 altitude too.
  package var mode = 0

  package var satellitesUsed: Int?
  package var satellitesSeen: Int?

  /// The last fix.
  package var lastFix: Location?

  /// How many fixes were accepted.
  package var accepted = 0

  /// How many epochs were rejected, by reason.
  package var rejected: [RejectionReason: Int] = [:]

  /// What was rejected since the last update, whose successor will bring it.
  package var untoldRejections = RejectedFixes()

  package init() {}

  /// How many fixes were used, and how many were rejected for which reason.
  ///
  /// - Parameter refusals: how many of the accepted ones were refused when they were judged.
  package func tally(
    without refusals: Int
  ) -> (used: Int, rejected: [String: Int]) {
    var reasons = Dictionary(
      uniqueKeysWithValues: rejected.map { reason, count in (reason.rawValue, count) })
    if refusals > 0 { reasons[RejectedFix.contradictsMotion] = refusals }
    return (accepted - refusals, reasons)
  }

  /// Takes over what is counted since the program started.
  mutating func countOn(from earlier: ReceiverStatus) {
    accepted = earlier.accepted
    rejected = earlier.rejected
  }

  /// Forgets what holds only while the receiver is in use; why it wasn't reached is kept.
  mutating func release() {
    source = nil
    devices = []
    isSilent = false
    forgetReception()
  }

  /// Forgets what the last reports said of the reception, because none come.
  mutating func forgetReception() {
    satellitesUsed = nil
    satellitesSeen = nil
    mode = 0
  }
}

/// Whether the receiver is in use at present, and why not.
package struct RestStatus: Sendable, Hashable {
  /// Whether anything needs positions.
  package var isWatched = false

  /// Whether the receiver is at rest.
  package var isStationary = false

  /// When the pause began, by ``PausePolicy/uptime``; nil while there is none.
  package var pausedSince: Duration?

  /// Whether the receiver is released, so that nothing is heard of it on purpose.
  package var isReleased = false

  /// When it is looked at next, by ``PausePolicy/uptime``; nil while it is in use.
  package var nextLook: Duration?

  /// Whether it is listened to, for good or for a look.
  package var isInUse: Bool { isWatched && nextLook == nil }

  package init() {}
}

/// The present ``ReceiverStatus``, written by the one loop over the updates and read by anybody.
package final class ReceiverDiagnostics: Sendable {
  private let state = Mutex(ReceiverStatus())
  private let restState = WatchedState(RestStatus())

  /// Counts what goes wrong between gpsd and here, whichever source reads it.
  package let gpsd = GPSDCounters()

  package init() {}

  /// The status at this moment.
  package var status: ReceiverStatus { state.withLock { $0 } }

  /// Whether the receiver is in use.
  package var rest: RestStatus { restState.current.value }

  /// Grows with each change of ``rest``.
  package var restChanges: SequenceSignal { restState.changes }

  /// Says whether anything needs positions; nothing is paused then.
  package func setWatched(_ isWatched: Bool) {
    restState.change { rest in
      rest = RestStatus()
      rest.isWatched = isWatched
    }
    // What is watched from now on may be another one.
    state.withLock { $0.release() }
  }

  func updateRest(_ change: (inout RestStatus) -> Void) { restState.changeIfDifferent(change) }

  func publish(_ status: ReceiverStatus) {
    state.withLock { $0 = status }
  }
}
