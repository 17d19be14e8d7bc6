package import Geofencing

/// Asks how the settings of conditions could be better; a reply tells of some of them.
package enum Advise: ControlMethod {
  package static let name = "Advise"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, but all users if root gives no identifier.
    package var user: UInt32?

    /// Nil is all monitors, or with an identifier ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// The only condition that is asked about; nil is all.
    package var identifier: String?

    /// The last condition of the previous reply, after which to go on; nil begins with the first.
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

    /// The condition as it is watched now.
    package var condition: Condition

    /// What its newest events tell about its settings.
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
    /// Sorted by owner, monitor and identifier; empty if there are no more.
    package var items: [Item]

    package init(items: [Item]) {
      self.items = items
    }
  }
}
