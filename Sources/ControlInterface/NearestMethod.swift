package import Geofencing

/// Asks for the conditions nearest to the present position; with `more`, as it moves.
package enum Nearest: ControlMethod {
  package static let name = "Nearest"

  /// How many conditions may be asked for at once.
  package static let limits = 1...50

  /// How many come when the caller doesn't say.
  package static let defaultLimit = 20

  package struct Parameters: Codable, Sendable {
    /// Whose conditions, by uid; nil is the caller, and for root everybody.
    package var user: UInt32?

    /// Nil is all monitors.
    package var monitor: String?

    /// How many come at most, within ``Nearest/limits``; nil is ``Nearest/defaultLimit``.
    package var limit: Int?

    package init(user: UInt32? = nil, monitor: String? = nil, limit: Int? = nil) {
      self.user = user
      self.monitor = monitor
      self.limit = limit
    }
  }

  package struct Reply: Codable, Sendable, Hashable {
    /// The fix that was judged last, also before a restart; nil before the first.
    package var location: ControlLocation?

    /// How many seconds ago it came; nil where none has come since the daemon started.
    package var lastFixAge: Double?

    /// Those with the smallest signed distance, in that order.
    package var conditions: [Nearby]

    /// How many conditions there are of which these are the nearest.
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

  /// How a condition stands to the position, as callers see it.
  package struct Nearby: Codable, Sendable, Hashable {
    /// The uid of the owner.
    package var user: UInt32

    /// The name of the owner's monitor.
    package var monitor: String

    /// Unique in the monitor; see ``Identifier/rule``.
    package var identifier: String

    /// What is believed until another state is confirmed.
    package var state: ConditionState

    /// Metres from the position to the edge, negative inside; nil before the first fix.
    package var distance: Double?

    /// The probability of being inside, 0 to 1; nil before the first fix, and where an altitude is missing that the
    /// condition's band asks for, unless it is surely outside.
    package var probability: Double?

    /// Whether the accuracy at hand is too poor to ever believe a position inside.
    package var accuracyLimited: Bool

    /// The state that is being confirmed; nil where none is, as are the four that follow.
    package var candidate: ConditionState?

    /// How many fixes have spoken for it.
    package var fixes: Int?

    /// How many have to.
    package var fixesNeeded: Int?

    /// How many seconds those fixes span.
    package var seconds: Double?

    /// How many seconds they have to.
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
