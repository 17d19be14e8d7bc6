package import Geofencing

/// A condition with what is known of it, as callers see it.
package struct MonitorRecord: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// The name of the owner's monitor.
  package var monitor: String

  /// Unique in the monitor; see ``Identifier/rule``.
  package var identifier: String

  /// As it was added, with what was adjusted since.
  package var condition: Condition

  /// Never `unmonitored`: what is watched no more has no record.
  package var state: ConditionState

  /// Whether the accuracy at hand is too poor to ever believe a position inside.
  package var accuracyLimited: Bool

  /// Since when it is watched in this shape, by the system's clock.
  package var added: Timestamp

  /// The last one that isn't `crossed`; nil before the first.
  package var lastEvent: Event?

  /// Which condition.
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
  /// What became of the condition.
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
    /// Whose monitor, by uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Nil is ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// Unique in the monitor; nil has a readable one made from the shape.
    package var identifier: String?

    /// What is to be watched from now on.
    package var condition: Condition

    /// What it begins as; nil is `unknown`, and `unmonitored` is refused.
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

  /// What adding did: another condition of that identifier is replaced, an equal one is unchanged.
  package enum Outcome: String, Codable, Sendable {
    case added
    case replaced
    case unchanged
  }

  package typealias Reply = OutcomeReply<Outcome>
}

/// Changes some of a condition, and keeps the rest.
package enum Adjust: ControlMethod {
  package static let name = "Adjust"

  package struct Parameters: Codable, Sendable {
    /// Whose monitor, by uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Nil is ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// Which condition of the monitor.
    package var identifier: String

    /// What is to be different.
    package var adjustment: ConditionAdjustment

    /// What it begins anew as where its shape or altitudes change, and refused where only others do; nil is `unknown`.
    package var assuming: ConditionState?

    package init(
      _ name: ConditionName, _ adjustment: ConditionAdjustment, assuming: ConditionState? = nil
    ) {
      (user, monitor, identifier) = (name.user, name.monitor, name.identifier)
      self.adjustment = adjustment
      self.assuming = assuming
    }
  }

  /// What changing did: adjusted goes on as what it was, replaced begins anew, unchanged was so already.
  package enum Outcome: String, Codable, Sendable {
    case adjusted
    case replaced
    case unchanged
  }

  package typealias Reply = OutcomeReply<Outcome>
}

/// Names one condition.
package struct ConditionName: Codable, Hashable, Sendable {
  /// Whose monitor, by uid; nil is the caller, and only root may name another.
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
    /// The one of kind `unmonitored` that ends the watch; the daemon always tells it.
    package var event: Event?

    package init(event: Event?) {
      self.event = event
    }
  }
}

/// Asks for one record.
package enum Record: ControlMethod {
  package static let name = "Record"
  package typealias Parameters = ConditionName

  package struct Reply: Codable, Sendable {
    /// What is known of it now.
    package var record: MonitorRecord

    package init(record: MonitorRecord) {
      self.record = record
    }
  }
}

/// Asks for the records of a user, some at a time.
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

    /// Which condition.
    package var key: ConditionKey {
      ConditionKey(monitor: MonitorKey(user: user, name: monitor), identifier: identifier)
    }
  }

  package struct Parameters: Codable, Sendable {
    /// Whose records, by uid; nil is the caller, and for root everybody.
    package var user: UInt32?

    /// Nil is all monitors.
    package var monitor: String?

    /// Only those in this state, which wants `more`; nil is all, and `unmonitored` is refused.
    package var state: ConditionState?

    /// The last record of the reply before; nil begins with the first.
    package var after: Place?

    package init(user: UInt32? = nil, monitor: String? = nil, state: ConditionState? = nil) {
      self.user = user
      self.monitor = monitor
      self.state = state
    }
  }

  package struct Reply: Codable, Sendable {
    /// In the order of owner, monitor and identifier; empty where there are no more, or none in the state.
    package var records: [MonitorRecord]

    /// Another number after each change of the conditions that are asked for; from 0 at each start of the daemon.
    package var revision: Int64

    package init(records: [MonitorRecord], revision: Int64) {
      self.records = records
      self.revision = revision
    }
  }
}
