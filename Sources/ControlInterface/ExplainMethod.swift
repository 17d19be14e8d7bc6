package import Geofencing

/// Asks why an event happened, or why a condition is in its state.
package enum Explain: ControlMethod {
  package static let name = "Explain"

  /// Either the number of an event or the name of a condition.
  package struct Parameters: Codable, Sendable {
    /// The number of the event; nil if a condition is asked about.
    package var sequence: Int64?

    /// The owner's uid; nil is the caller, but for an event that root asks about any user.
    package var user: UInt32?

    /// The monitor of the condition; nil is ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// The identifier of the condition; nil if an event is asked about.
    package var identifier: String?

    package init(sequence: Int64) {
      self.sequence = sequence
    }

    package init(_ condition: ConditionName) {
      user = condition.user
      monitor = condition.monitor
      identifier = condition.identifier
    }
  }

  package struct Reply: Codable, Sendable {
    /// The event asked about, or the condition's last event that isn't `crossed`; nil if there is none.
    package var event: Event?

    /// The explanation kept with the event; nil if no position was judged for it, or if it was logged before
    /// explanations were kept.
    package var explanation: Explanation?

    /// The condition as it is now; nil if it isn't watched any more.
    package var record: MonitorRecord?

    /// Why the condition is in its state now; nil if an event is asked about.
    package var present: Explanation?

    /// How many seconds ago the last usable fix came; nil if an event is asked about, or if no fix has come since the
    /// daemon started.
    package var lastFixAge: Double?

    /// `MinimumSigma=`, in metres, if only this setting makes the condition too small; else nil.
    ///
    /// Without it, a position in the middle of the condition could be believed to be inside.
    package var minimumSigma: Double?

    /// The seconds until a released receiver is looked at; nil if an event is asked about, and while the receiver
    /// isn't released or is being looked at.
    package var nextProbe: Double?

    /// Why the receiver can't be reached or is silent; nil if an event is asked about, while the receiver is heard, and
    /// if nothing needs it.
    package var disconnection: String?

    /// Why events of the condition can't be stored yet, so that nobody is told of them; nil if none wait, and if an
    /// event is asked about.
    package var storageFailure: String?

    package init() {}
  }
}
