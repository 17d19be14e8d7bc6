package import Geofencing

/// A monitor, as callers get it.
package struct MonitorSummary: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// Unique among the monitors of the owner; see ``Identifier/rule``.
  package var monitor: String

  /// The number of its conditions.
  package var conditions = 0

  /// The number of named consumers that read only this monitor.
  package var consumers = 0

  /// Whether somebody reads its events as a named consumer now.
  package var connected = false

  /// The number of events that the slowest of its consumers hasn't acknowledged.
  ///
  /// Without consumers, it is the number of events that wait for the unit; without a unit, 0.
  package var waiting = 0

  /// The unit that is started when events wait and nobody is connected; nil if there is none.
  package var launchUnit: String?

  /// Whether the unit is set by the configuration, not by the monitor's owner.
  package var configured = false

  /// The last start of the unit, by the system's clock; nil if it wasn't started since the daemon started.
  package var launched: Timestamp?

  /// Why the unit couldn't be started, or why starting it didn't help; nil if there is no such failure.
  package var launchFailure: String?

  package init(_ monitor: MonitorKey) {
    user = monitor.user
    self.monitor = monitor.name
  }
}

/// Sets the unit that is started when events of a monitor wait.
package enum SetMonitor: ControlMethod {
  package static let name = "SetMonitor"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// The name of the monitor; it needn't have conditions.
    package var monitor: String

    /// The unit; nil removes the one that was set.
    package var launchUnit: String?

    package init(user: UInt32?, monitor: String, launchUnit: String?) {
      self.user = user
      self.monitor = monitor
      self.launchUnit = launchUnit
    }
  }

  package struct Reply: Codable, Sendable, Hashable {
    /// The monitor as it is now.
    package var monitor: MonitorSummary

    package init(monitor: MonitorSummary) {
      self.monitor = monitor
    }
  }
}

/// Asks for the monitors.
package enum Monitors: ControlMethod {
  package static let name = "Monitors"
  package typealias Parameters = OwnerParameters

  package struct Reply: Codable, Sendable, Hashable {
    /// The monitors with conditions, consumers or a unit, sorted by owner and name.
    package var monitors: [MonitorSummary]

    package init(monitors: [MonitorSummary]) {
      self.monitors = monitors
    }
  }
}
