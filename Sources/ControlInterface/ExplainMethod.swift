package import Geofencing

/// Asks why an event came about, or why a condition is in its state.
package enum Explain: ControlMethod {
  package static let name = "Explain"

  /// Either the number of an event or the name of a condition.
  package struct Parameters: Codable, Sendable {
    /// The number of the event; nil where a condition is asked for.
    package var sequence: Int64?

    /// Whose it is, by uid; nil is the caller, and anybody where root asks for an event.
    package var user: UInt32?

    /// The condition's; nil is ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// Which condition of the monitor; nil where an event is asked for.
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
    /// The event that was asked for, or the condition's last one that isn't `crossed`; nil before the first.
    package var event: Event?

    /// What was kept with the event; nil for one that nothing was judged for, or that was logged
    /// before explanations were kept.
    package var explanation: Explanation?

    /// The condition as it is now; nil when it isn't watched any more.
    package var record: MonitorRecord?

    /// Why the condition is in its state now; nil where an event was asked for.
    package var present: Explanation?

    /// How many seconds ago the last usable fix came; nil where an event was asked for, and when none has come
    /// since the daemon started.
    package var lastFixAge: Double?

    /// `MinimumSigma=`, in metres, where not the receiver but this makes the condition too small, else nil:
    /// without it, a position in its middle could be believed to be inside.
    package var minimumSigma: Double?

    /// In how many seconds a receiver that is released is looked at; nil where an event was asked for, and
    /// while the receiver isn't released or is being looked at.
    package var nextProbe: Double?

    /// Why the receiver can't be reached or is silent; nil where an event was asked for, while it is heard, and
    /// where nothing needs it.
    package var disconnection: String?

    /// Why events of the condition wait to be stored, and nobody is told of them; nil where none does, and where
    /// an event was asked for.
    package var storageFailure: String?

    package init() {}
  }
}
