package import Geofencing

/// Asks for the conditions nearest to the present position; with `more`, replies follow as the position changes.
package enum Nearest: ControlMethod {
  package static let name = "Nearest"

  /// The numbers of conditions that may be asked for.
  package static let limits = 1...50

  /// The number of conditions in a reply if the caller doesn't give one.
  package static let defaultLimit = 20

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, but all users for root.
    package var user: UInt32?

    /// Nil is all monitors.
    package var monitor: String?

    /// The largest number of conditions in a reply, within ``Nearest/limits``; nil is ``Nearest/defaultLimit``.
    package var limit: Int?

    package init(user: UInt32? = nil, monitor: String? = nil, limit: Int? = nil) {
      self.user = user
      self.monitor = monitor
      self.limit = limit
    }
  }

  package struct Reply: Codable, Sendable, Hashable {
    /// The last fix that was judged, even before a restart; nil if there is none.
    package var location: ControlLocation?

    /// How many seconds ago the fix came; nil if none has come since the daemon started.
    package var lastFixAge: Double?

    /// The conditions with the smallest signed distances, sorted by distance.
    package var conditions: [Nearby]

    /// The number of all conditions of which these are the nearest.
    package var total: Int

    package init(
      location: ControlLocation? = nil, lastFixAge: Double? = nil, conditions: [Nearby],
      total: Int
    ) {
      self.location = location
      self.lastFixAge = lastFixAge
      self.conditions = conditions
      self.total = total
    }
  }

  /// The relation of a condition to the position, as callers get it.
  package struct Nearby: Codable, Sendable, Hashable {
    /// The uid of the owner.
    package var user: UInt32

    /// The name of the owner's monitor.
    package var monitor: String

    /// Unique in the monitor; see ``Identifier/rule``.
    package var identifier: String

    /// The confirmed state.
    package var state: ConditionState

    /// Metres from the position to the edge, negative inside; nil before the first fix.
    package var distance: Double?

    /// The probability of being inside, 0 to 1; nil before the first fix.
    ///
    /// It is also nil if the condition's band asks for an altitude that is missing, unless the position is surely
    /// outside.
    package var probability: Double?

    /// Whether the present accuracy is too poor for ever believing a position to be inside.
    package var accuracyLimited: Bool

    /// The state that is being confirmed; nil if none is, and then the next four are nil, too.
    package var candidate: ConditionState?

    /// The number of fixes that agree with the new state.
    package var fixes: Int?

    /// The number of fixes that have to agree.
    package var fixesNeeded: Int?

    /// The seconds over which these fixes came.
    package var seconds: Double?

    /// The seconds over which they have to come.
    package var secondsNeeded: Double?

    package init(_ nearby: NearbyCondition) {
      user = nearby.key.monitor.user
      monitor = nearby.key.monitor.name
      identifier = nearby.key.identifier
      state = nearby.state
      distance = nearby.distance
      probability = nearby.probability
      accuracyLimited = nearby.isAccuracyLimited
      guard let confirmation = nearby.confirmation else { return }
      candidate = confirmation.state
      fixes = confirmation.fixes
      fixesNeeded = confirmation.fixesNeeded
      seconds = confirmation.span.inSeconds
      secondsNeeded = confirmation.spanNeeded.inSeconds
    }
  }
}
