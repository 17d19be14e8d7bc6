package import Geofencing

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

  /// Why nothing is heard of a receiver; nil while something is.
  package var trouble: String? { disconnection ?? silence }

  /// What helps where gpsd has no receiver: it may not try again to open one that it couldn't.
  package static let help =
    "'systemctl status gpsd' says why, and 'systemctl restart gpsd.socket' tries again"

  /// What is told of the silence of receivers.
  package static func silence(of devices: [String]) -> String {
    devices.isEmpty
      ? "gpsd has no receiver: is it plugged in? \(help)"
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

  /// What is refused at present because it contradicts the last fix; nil where nothing is.
  package var doubt: PositionDoubt?

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
    doubt = nil
  }
}
