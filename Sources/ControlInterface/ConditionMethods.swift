package import Geofencing

/// A condition with what is known of it, as callers see it.
package struct MonitorRecord: Codable, Sendable, Hashable {
  package var user: UInt32
  package var monitor: String
  package var identifier: String
  package var condition: Condition
  package var state: ConditionState
  package var accuracyLimited: Bool
  package var added: Timestamp
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

/// What became of a condition that was asked for, and the condition as it is now.
package struct OutcomeReply<Outcome>: Codable, Sendable
where Outcome: RawRepresentable<String> & Codable & Sendable {
  package var outcome: Outcome
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
    package var user: UInt32?
    package var monitor: String?
    package var identifier: String?
    package var condition: Condition
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

  /// What adding did.
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
    package var user: UInt32?
    package var monitor: String?
    package var identifier: String
    package var adjustment: ConditionAdjustment
    package var assuming: ConditionState?

    package init(
      _ name: ConditionName, _ adjustment: ConditionAdjustment, assuming: ConditionState? = nil
    ) {
      (user, monitor, identifier) = (name.user, name.monitor, name.identifier)
      self.adjustment = adjustment
      self.assuming = assuming
    }
  }

  /// What changing did.
  package enum Outcome: String, Codable, Sendable {
    case adjusted
    case replaced
    case unchanged
  }

  package typealias Reply = OutcomeReply<Outcome>
}

/// Names one condition.
package struct ConditionName: Codable, Hashable, Sendable {
  package var user: UInt32?
  package var monitor: String?
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
    package var user: UInt32
    package var monitor: String
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
    package var user: UInt32?
    package var monitor: String?
    package var state: ConditionState?
    package var after: Place?

    package init(user: UInt32? = nil, monitor: String? = nil, state: ConditionState? = nil) {
      self.user = user
      self.monitor = monitor
      self.state = state
    }
  }

  package struct Reply: Codable, Sendable {
    package var records: [MonitorRecord]

    /// Another number after each change of the conditions that are asked for.
    package var revision: Int64

    package init(records: [MonitorRecord], revision: Int64) {
      self.records = records
      self.revision = revision
    }
  }
}
