import ControlInterface
import Geofencing
import MonitorStorage
import Systemd

/// The units that are started when events of a monitor wait.
extension Monitoring {
  /// Sets the unit of a monitor; nil removes it.
  ///
  /// - Throws: ``ControlError`` when a quota is reached or nothing can be stored.
  func setLaunchUnit(_ unit: UnitName?, of monitor: MonitorKey) throws {
    do {
      let old = try store.launch(of: monitor)?.unit
      if old == unit?.description { return }
      if unit != nil, old == nil {
        let own = try store.countOfLaunchUnits(of: monitor.user)
        guard own < settings.limits.maximumMonitorsPerUser else {
          throw ControlError(
            .quotaExceeded,
            "user \(monitor.user) has \(own) monitors with a unit, the most that "
              + "MaximumMonitorsPerUser= allows")
        }
      }
      // Earlier events are no reason to start it.
      try store.put(
        StoredLaunch(unit: unit?.description, since: log.lastSequence), of: monitor,
        isNew: unit != nil)
      launchesSeen[monitor] = nil
    } catch let error as ControlError {
      throw error
    } catch {
      throw storingFailed("nothing was set", error)
    }
  }

  /// The units in force: those that were set, and those of a configuration for the other monitors.
  ///
  /// - Parameter stored: what the database has about units, if it was read already.
  func launchSettings(
    configured: [MonitorKey: UnitName], stored: [MonitorKey: StoredLaunch]? = nil
  ) throws -> [MonitorKey: LaunchPolicy.Setting] {
    let stored = try stored ?? store.launches()
    var settings: [MonitorKey: LaunchPolicy.Setting] = [:]
    for (key, unit) in configured {
      let since = stored[key]?.since ?? launchesSeen[key] ?? log.lastSequence
      settings[key] = LaunchPolicy.Setting(unit: unit, isConfigured: true, since: since)
    }
    for (key, launch) in stored {
      guard let unit = launch.unit.flatMap({ UnitName($0) }) else { continue }
      settings[key] = LaunchPolicy.Setting(unit: unit, isConfigured: false, since: launch.since)
    }
    return settings
  }

  /// Takes over the units of a configuration, and returns the units in force.
  ///
  /// It stores from which event on each of them is in force, so that a restart forgets no event.
  func takeLaunchUnits(
    configured: [MonitorKey: UnitName]
  ) throws -> [MonitorKey: LaunchPolicy.Setting] {
    let stored = try store.launches()
    let settings = try launchSettings(configured: configured, stored: stored)
    for (key, launch) in stored where launch.unit == nil && configured[key] == nil {
      // If the disk is full, it is removed another time.
      try? store.removeLaunch(of: key)
    }
    launchesSeen = launchesSeen.filter { configured[$0.key] != nil }
    for (key, setting) in settings where stored[key] == nil {
      do {
        try store.put(StoredLaunch(unit: nil, since: setting.since), of: key)
        launchesSeen[key] = nil
      } catch {
        // It is in force all the same, and is stored when the disk works again.
        launchesSeen[key] = setting.since
        storageFailure = StorageError.text(error)
      }
    }
    return settings
  }

  /// Stores that the unit of a monitor was started for its events up to this one, or that they were read.
  func noteLaunch(of monitor: MonitorKey, through sequence: Int64) throws {
    guard let stored = try store.launch(of: monitor), stored.since < sequence else { return }
    try store.put(StoredLaunch(unit: stored.unit, since: sequence), of: monitor)
  }
}
