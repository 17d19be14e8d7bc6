/// Names a condition of a monitor.
package struct ConditionKey: Sendable, Hashable, Comparable {
  package let monitor: MonitorKey
  package let identifier: String

  package init(monitor: MonitorKey, identifier: String) {
    self.monitor = monitor
    self.identifier = identifier
  }

  package static func < (a: ConditionKey, b: ConditionKey) -> Bool {
    (a.monitor, a.identifier) < (b.monitor, b.identifier)
  }
}
