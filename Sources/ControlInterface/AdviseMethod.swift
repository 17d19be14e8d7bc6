package import Geofencing

/// Asks what could be set differently for conditions, some at a time.
package enum Advise: ControlMethod {
  package static let name = "Advise"

  package struct Parameters: Codable, Sendable {
    package var user: UInt32?
    package var monitor: String?
    package var identifier: String?
    package var after: List.Place?

    package init(user: UInt32?, monitor: String?, identifier: String?) {
      self.user = user
      self.monitor = monitor
      self.identifier = identifier
    }
  }

  /// The advice about one condition.
  package struct Item: Codable, Sendable, Hashable {
    package var user: UInt32
    package var monitor: String
    package var identifier: String
    package var condition: Condition
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
    package var items: [Item]

    package init(items: [Item]) {
      self.items = items
    }
  }
}
