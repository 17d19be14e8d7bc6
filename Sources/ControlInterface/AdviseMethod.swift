package import Geofencing

/// Asks what could be set differently for conditions, some at a time.
package enum Advise: ControlMethod {
  package static let name = "Advise"

  package struct Parameters: Codable, Sendable {
    /// Whose conditions, by uid; nil is the caller, and for root without an identifier everybody.
    package var user: UInt32?

    /// Nil is all monitors, and with an identifier ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// The one condition that is asked about; nil is all.
    package var identifier: String?

    /// The last condition of the reply before; nil begins with the first.
    package var after: List.Place?

    package init(user: UInt32?, monitor: String?, identifier: String?) {
      self.user = user
      self.monitor = monitor
      self.identifier = identifier
    }
  }

  /// The advice about one condition.
  package struct Item: Codable, Sendable, Hashable {
    /// The uid of the owner.
    package var user: UInt32

    /// The name of the owner's monitor.
    package var monitor: String

    /// Unique in the monitor; see ``Identifier/rule``.
    package var identifier: String

    /// As it is watched now.
    package var condition: Condition

    /// What its newest events say of its settings.
    package var advice: Advice

    package init(about record: MonitorRecord, _ advice: Advice) {
      user = record.user
      monitor = record.monitor
      identifier = record.identifier
      condition = record.condition
      self.advice = advice
    }
  }

  package struct Reply: Codable, Sendable {
    /// In the order of owner, monitor and identifier; empty where there are no more.
    package var items: [Item]

    package init(items: [Item]) {
      self.items = items
    }
  }
}
