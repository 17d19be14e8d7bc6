import ControlInterface
import Geofencing
import MonitorStorage
import Systemd

/// The units that are started when events of a monitor wait.
extension Monitoring {
  /// Sets the unit of a monitor, or takes back what was set.
  ///
  /// - Throws: ``ControlError`` when a quota is reached or nothing can be stored.
  func setLaunchUnit(_ unit: UnitName?, of monitor: MonitorKey) throws {
    do {
      let all = try store.launches()
      let old = all[monitor]
      if old?.unit == unit?.description { return }
      if unit != nil {
        let own = all.count { $0.key.user == monitor.user && $0.value.unit != nil }
        guard old?.unit != nil || own < settings.limits.maximumMonitorsPerUser else {
          throw ControlError(
            .quotaExceeded,
            "user \(monitor.user) has \(own) monitors with a unit, the most that "
              + "MaximumMonitorsPerUser= allows")
        }
      }
      // Events from before the wish are no reason to start it.
      try store.put(
        StoredLaunch(unit: unit?.description, since: log.lastSequence), of: monitor)
      launchesSeen[monitor] = nil
    } catch let error as ControlError {
      throw error
    } catch {
      storageFailure = "\(error)"
      throw ControlError(.persistenceUnavailable, "nothing was set, storing failed: \(error)")
    }
  }

  /// The units that hold: those that were set, and those that a configuration has for other monitors.
  ///
  /// From when on one of the configuration holds is kept, so that a restart forgets no event.
  func launchSettings(
    configured: [MonitorKey: UnitName]
  ) throws -> [MonitorKey: MonitorLaunches.Setting] {
    let stored = try store.launches()
    var settings: [MonitorKey: MonitorLaunches.Setting] = [:]
    for (key, launch) in stored {
      if let unit = launch.unit.flatMap({ UnitName($0) }) {
        settings[key] = MonitorLaunches.Setting(
          unit: unit, isConfigured: false, since: launch.since)
      } else if configured[key] == nil {
        // On a full disk it is removed another time.
        try? store.removeLaunch(of: key)
      }
    }
    launchesSeen = launchesSeen.filter { configured[$0.key] != nil }
    for (key, unit) in configured where settings[key] == nil {
      let since: Int64
      if let known = stored[key] {
        since = known.since
      } else {
        since = launchesSeen[key] ?? log.lastSequence
        do {
          try store.put(StoredLaunch(unit: nil, since: since), of: key)
          launchesSeen[key] = nil
        } catch {
          // It holds all the same, and is written when something can be.
          launchesSeen[key] = since
          storageFailure = "\(error)"
        }
      }
      settings[key] = MonitorLaunches.Setting(unit: unit, isConfigured: true, since: since)
    }
    return settings
  }

  /// Keeps that the unit of a monitor was started for its events up to one, or that they were read.
  func noteLaunch(of monitor: MonitorKey, through sequence: Int64) throws {
    guard let stored = try store.launches()[monitor], stored.since < sequence else { return }
    try store.put(StoredLaunch(unit: stored.unit, since: sequence), of: monitor)
  }
}
