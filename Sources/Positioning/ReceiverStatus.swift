package import Geofencing
import Synchronization

/// What is known about the receiver at present, for people who wonder why nothing happens.
package struct ReceiverStatus: Sendable, Hashable {
  /// What answers (`gpsd 3.22`); nil while nothing is reached.
  package var source: String?

  /// Why nothing is reached.
  package var disconnection: String?

  /// Whether the source is reached but has sent nothing for too long.
  package var isSilent = false

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
}

/// The present ``ReceiverStatus``, written by the one loop over the updates and read by anybody.
package final class ReceiverDiagnostics: Sendable {
  private let state = Mutex(ReceiverStatus())
  private let source = Mutex<GPSDSource?>(nil)

  package init() {}

  /// The status at this moment.
  package var status: ReceiverStatus { state.withLock { $0 } }

  /// What went wrong between gpsd and here, with the source that is read at present.
  package var gpsd: GPSDStatistics { source.withLock { $0?.statistics ?? GPSDStatistics() } }

  /// Names the source that is read from now on.
  package func follow(_ source: GPSDSource) {
    self.source.withLock { $0 = source }
  }

  func publish(_ status: ReceiverStatus) {
    state.withLock { $0 = status }
  }
}
