package import Geofencing

/// A monitor as a whole, as callers see it.
package struct MonitorSummary: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// Unique among the owner's; see ``Identifier/rule``.
  package var monitor: String

  /// How many conditions it has.
  package var conditions = 0

  /// How many named consumers read this monitor alone.
  package var consumers = 0

  /// Whether somebody reads its events now as a named consumer.
  package var connected = false

  /// How many events wait for the slowest of its consumers, or for the unit where there is none; else 0.
  package var waiting = 0

  /// The unit that is started when events wait and nobody is connected; nil is none.
  package var launchUnit: String?

  /// Whether the configuration names that unit, and not the monitor's owner.
  package var configured = false

  /// When the unit was started last, by the system's clock; nil where it wasn't since the daemon started.
  package var launched: Timestamp?

  /// Why it couldn't be started, or why that did no good; nil where there is no reason to tell.
  package var launchFailure: String?

  package init(_ monitor: MonitorKey) {
    user = monitor.user
    self.monitor = monitor.name
  }
}

/// Says which unit is started when events of a monitor wait.
package enum SetMonitor: ControlMethod {
  package static let name = "SetMonitor"

  package struct Parameters: Codable, Sendable {
    /// Whose monitor, by uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Which of them; it needn't have conditions.
    package var monitor: String

    /// The unit; nil takes back what was set.
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
    /// Those with conditions, consumers or a unit, in the order of owners and names.
    package var monitors: [MonitorSummary]

    package init(monitors: [MonitorSummary]) {
      self.monitors = monitors
    }
  }
}
