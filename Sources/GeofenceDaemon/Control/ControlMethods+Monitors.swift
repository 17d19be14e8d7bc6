import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage
import Systemd
import Varlink

/// The methods about monitors as a whole.
extension ControlMethods {
  func setMonitor(
    _ parameters: SetMonitor.Parameters, _ call: VarlinkCall
  ) async throws -> SetMonitor.Reply {
    let key = try monitor(parameters.monitor, of: owner(parameters.user, call))
    let unit = try parameters.launchUnit.map { text in
      guard let unit = UnitName(text) else {
        throw VarlinkError.invalidParameter(
          "launchUnit", message: "this wants \(UnitName.expectation)")
      }
      return unit
    }
    try await inTurn(of: call) { try await monitoring.setLaunchUnit(unit, of: key) }
    launches.changes.advance()
    do {
      let all = try await summaries(of: key.user, only: key)
      return SetMonitor.Reply(monitor: all[key] ?? MonitorSummary(key))
    } catch {
      // The unit is set by now: an error would say that nothing was changed.
      var summary = MonitorSummary(key)
      summary.launchUnit = unit?.description
      return SetMonitor.Reply(monitor: summary)
    }
  }

  func monitors(
    _ parameters: Monitors.Parameters, _ call: VarlinkCall
  ) async throws -> Monitors.Reply {
    let all = try await summaries(of: visibleUser(parameters.user, call))
    return Monitors.Reply(monitors: all.sorted { $0.key < $1.key }.map(\.value))
  }

  /// The monitors of a user, or of all users, that have anything; a monitor that is named may have nothing.
  private func summaries(
    of user: UInt32?, only monitor: MonitorKey? = nil
  ) async throws -> [MonitorKey: MonitorSummary] {
    func isAsked(_ key: MonitorKey) -> Bool {
      monitor.map { $0 == key } ?? (user ?? key.user == key.user)
    }
    var all: [MonitorKey: MonitorSummary] = [:]
    if let monitor { all[monitor] = MonitorSummary(monitor) }
    for (key, holding) in await monitoring.monitors where isAsked(key) {
      all[key, default: MonitorSummary(key)].conditions = holding.conditions
    }
    for consumer in try await monitoring.consumers(of: user) {
      guard let owner = consumer.owner, let name = consumer.filter.monitor else { continue }
      let key = MonitorKey(user: owner, name: name)
      if isAsked(key) { all[key, default: MonitorSummary(key)].consumers += 1 }
    }
    let settings = try await monitoring.launchSettings(configured: configuredUnits())
    for (key, setting) in settings where isAsked(key) {
      all[key, default: MonitorSummary(key)].launchUnit = setting.unit.description
      all[key]?.configured = setting.isConfigured
    }
    let cursors = try await queries.consumerCursors()
    let policy = launches.current.value
    for key in all.keys {
      all[key]?.connected = connected.isConnected(
        to: key, includingAll: !cursors.hasOwn(key))
      let outcome = policy.outcome(of: key)
      all[key]?.launched = outcome.launched
      // A failure is told only as long as a unit is set that is to be started again.
      if settings[key] != nil { all[key]?.launchFailure = outcome.failure?.description }
      let since = settings[key].map { max($0.since, policy.through(of: key)) }
      guard let read = cursors[key]?.lowerBound ?? since else { continue }
      all[key]?.waiting = try await queries.count(
        after: read, matching: EventReader.Filter(user: key.user, monitor: key.name))
    }
    return all
  }
}
