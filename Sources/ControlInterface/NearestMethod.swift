package import Geofencing

/// Asks for the conditions nearest to the present position; with `more`, as it moves.
package enum Nearest: ControlMethod {
  package static let name = "Nearest"

  /// How many conditions may be asked for at once.
  package static let limits = 1...50

  /// How many come when the caller doesn't say.
  package static let defaultLimit = 20

  package struct Parameters: Codable, Sendable {
    package var user: UInt32?
    package var monitor: String?
    package var limit: Int?

    package init(user: UInt32? = nil, monitor: String? = nil, limit: Int? = nil) {
      self.user = user
      self.monitor = monitor
      self.limit = limit
    }
  }

  package struct Reply: Codable, Sendable, Hashable {
    /// The fix that was judged last; nil before the first.
    package var location: ControlLocation?

    /// How many seconds ago it came.
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
    package var user: UInt32
    package var monitor: String
    package var identifier: String
    package var state: ConditionState
    package var distance: Double?
    package var probability: Double?
    package var accuracyLimited: Bool

    /// The state that is being confirmed; the four that follow are there with it.
    package var candidate: ConditionState?
    package var fixes: Int?
    package var fixesNeeded: Int?
    package var seconds: Double?
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
