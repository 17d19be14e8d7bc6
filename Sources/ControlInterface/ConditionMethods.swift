package import Geofencing

/// A condition with its state, as callers get it.
package struct MonitorRecord: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// The name of the owner's monitor.
  package var monitor: String

  /// Unique in the monitor; see ``Identifier/rule``.
  package var identifier: String

  /// The condition as it was added, with all adjustments since.
  package var condition: Condition

  /// Never `unmonitored`: a condition that isn't watched any more has no record.
  package var state: ConditionState

  /// Whether the present accuracy is too poor for ever believing a position to be inside.
  package var accuracyLimited: Bool

  /// The time since which it is watched in this shape, by the system's clock.
  package var added: Timestamp

  /// The last event that isn't `crossed`; nil if there is none.
  package var lastEvent: Event?

  /// The monitor and the identifier as a key.
  package var key: ConditionKey {
    ConditionKey(monitor: MonitorKey(user: user, name: monitor), identifier: identifier)
  }

  package init(
    key: ConditionKey, condition: Condition, status: ConditionStatus, added: Timestamp,
    lastEvent: Event?
  ) {
    user = key.monitor.user
    monitor = key.monitor.name
    identifier = key.identifier
    self.condition = condition
    state = status.state
    accuracyLimited = status.isAccuracyLimited
    self.added = added
    self.lastEvent = lastEvent
  }
}

/// The reply to a call that adds or adjusts one condition.
package struct OutcomeReply<Outcome>: Codable, Sendable
where Outcome: RawRepresentable<String> & Codable & Sendable {
  /// What the call did to the condition.
  package var outcome: Outcome

  /// The condition as it is now.
  package var record: MonitorRecord

  package init(outcome: Outcome, record: MonitorRecord) {
    self.outcome = outcome
    self.record = record
  }
}

/// Adds a condition.
package enum Add: ControlMethod {
  package static let name = "Add"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Nil is ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// Unique in the monitor; nil makes a readable one from the shape.
    package var identifier: String?

    /// The condition to watch from now on.
    package var condition: Condition

    /// The state in which it begins; nil is `unknown`, and `unmonitored` is refused.
    package var assuming: ConditionState?

    package init(
      user: UInt32? = nil, monitor: String? = nil, identifier: String? = nil,
      condition: Condition, assuming: ConditionState? = nil
    ) {
      self.user = user
      self.monitor = monitor
      self.identifier = identifier
      self.condition = condition
      self.assuming = assuming
    }
  }

  /// What adding did: another condition with the same identifier is replaced, an equal one stays unchanged.
  package enum Outcome: String, Codable, Sendable {
    case added
    case replaced
    case unchanged
  }

  package typealias Reply = OutcomeReply<Outcome>
}

/// Changes some members of a condition, and keeps the others.
package enum Adjust: ControlMethod {
  package static let name = "Adjust"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Nil is ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// The identifier of the condition in its monitor.
    package var identifier: String

    /// The members to change.
    package var adjustment: ConditionAdjustment

    /// The state in which it begins anew if its shape or altitudes change; nil is `unknown`.
    ///
    /// A value is refused if only other members change.
    package var assuming: ConditionState?

    package init(
      _ name: ConditionName, _ adjustment: ConditionAdjustment, assuming: ConditionState? = nil
    ) {
      (user, monitor, identifier) = (name.user, name.monitor, name.identifier)
      self.adjustment = adjustment
      self.assuming = assuming
    }
  }

  /// What adjusting did: adjusted goes on in its state, replaced begins anew, unchanged was equal already.
  package enum Outcome: String, Codable, Sendable {
    case adjusted
    case replaced
    case unchanged
  }

  package typealias Reply = OutcomeReply<Outcome>
}

/// The owner, monitor and identifier of a condition.
package struct ConditionName: Codable, Hashable, Sendable {
  /// The owner's uid; nil is the caller, and only root may name another.
  package var user: UInt32?

  /// Nil is ``GeofencedInterface/defaultMonitor``.
  package var monitor: String?

  /// Unique in the monitor; see ``Identifier/rule``.
  package var identifier: String

  package init(user: UInt32? = nil, monitor: String? = nil, identifier: String) {
    self.user = user
    self.monitor = monitor
    self.identifier = identifier
  }
}

/// Removes a condition.
package enum Remove: ControlMethod {
  package static let name = "Remove"
  package typealias Parameters = ConditionName

  package struct Reply: Codable, Sendable {
    /// The event of kind `unmonitored` that ends the watch; the daemon always gives it.
    package var event: Event?

    package init(event: Event?) {
      self.event = event
    }
  }
}

/// Asks for the record of one condition.
package enum Record: ControlMethod {
  package static let name = "Record"
  package typealias Parameters = ConditionName

  package struct Reply: Codable, Sendable {
    /// The condition with its present state.
    package var record: MonitorRecord

    package init(record: MonitorRecord) {
      self.record = record
    }
  }
}

/// Asks for the records of a user; a reply has some of them.
package enum List: ControlMethod {
  package static let name = "List"

  /// The record after which the list goes on.
  package struct Place: Codable, Sendable {
    /// The uid of the owner.
    package var user: UInt32

    /// The name of the owner's monitor.
    package var monitor: String

    /// Unique in the monitor; see ``Identifier/rule``.
    package var identifier: String

    package init(_ key: ConditionKey) {
      (user, monitor, identifier) = (key.monitor.user, key.monitor.name, key.identifier)
    }

    /// The monitor and the identifier as a key.
    package var key: ConditionKey {
      ConditionKey(monitor: MonitorKey(user: user, name: monitor), identifier: identifier)
    }
  }

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, but all users for root.
    package var user: UInt32?

    /// Nil is all monitors.
    package var monitor: String?

    /// Only conditions in this state, which needs a call with `more`; nil is all, and `unmonitored` is refused.
    package var state: ConditionState?

    /// The last record of the previous reply, after which to go on; nil begins with the first.
    package var after: Place?

    package init(user: UInt32? = nil, monitor: String? = nil, state: ConditionState? = nil) {
      self.user = user
      self.monitor = monitor
      self.state = state
    }
  }

  package struct Reply: Codable, Sendable {
    /// Sorted by owner, monitor and identifier; empty if there are no more, or none of these are in the state.
    package var records: [MonitorRecord]

    /// A number that differs after each change of these conditions; it begins with 0 at each start of the daemon.
    package var revision: Int64

    package init(records: [MonitorRecord], revision: Int64) {
      self.records = records
      self.revision = revision
    }
  }
}
