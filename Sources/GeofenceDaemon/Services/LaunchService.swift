import Geofencing
import LinuxSystem
import MonitorStorage
import Systemd

/// Starts the units of monitors whose events wait while nobody reads them.
struct LaunchService: Service {
  let name = "launch"
  let monitoring: Monitoring

  /// A connection of its own, so that no question delays a start; it isn't opened before there is a unit.
  let reader: EventReader
  let connected: ConnectedConsumers
  let launches: WatchedState<LaunchPolicy>
  let configuration: ConfigurationStore
  let log: OperatorLog
  let clock: DaemonClock

  /// Starts a unit of a user.
  let start: @Sendable (UnitName, UInt32) async throws(LaunchFailure) -> Void

  /// How long changes are gathered before it looks again: acknowledgements may come by the thousand.
  static let gathering = Duration.milliseconds(50)

  /// How long it waits before it reads the log again when that failed.
  static let rest = Duration.seconds(5)

  /// What was read so far.
  private struct View {
    var settings: [MonitorKey: LaunchPolicy.Setting] = [:]
    var settingsVersion: Versions.Settings?
    var newest: [MonitorKey: Int64] = [:]
    var newestSequence: Int64 = 0
  }

  /// The versions of everything that it looks at.
  private struct Versions: Sendable {
    struct Settings: Sendable, Equatable {
      let configuration: Int64
      let launches: Int64
    }

    let events: Int64
    let consumers: Int64
    let settings: Settings
  }

  private var versions: Versions {
    Versions(
      events: monitoring.signal.latest, consumers: connected.changes.latest,
      settings: Versions.Settings(
        configuration: configuration.version.latest, launches: launches.changes.latest))
  }

  func run() async throws {
    await withDiscardingTaskGroup { group in
      var view = View()
      while !Task.isCancelled {
        // Read before looking, so that a change meanwhile ends the wait below.
        let versions = versions
        var pause: Duration?
        do {
          let (starts, nextDue) = try await look(&view, versions)
          for start in starts { group.addTask { await perform(start) } }
          pause = nextDue.map { max(.zero, $0 - clock.uptime()) }
        } catch {
          // Not reported here: the writer reports that the log fails.
          pause = Self.rest
        }
        await waitForChange(since: versions, hasUnits: !view.settings.isEmpty, atMost: pause)
      }
      group.cancelAll()
    }
  }

  /// Looks at every monitor that has a unit.
  private func look(
    _ view: inout View, _ versions: Versions
  ) async throws -> (starts: [LaunchPolicy.Start], nextDue: Duration?) {
    let launch = configuration.current.launch
    if view.settingsVersion != versions.settings {
      let before = view.settings
      view.settings = try await monitoring.takeLaunchUnits(configured: launch.units)
      view.settingsVersion = versions.settings
      view.newest = view.newest.filter { view.settings[$0.key] != nil }
      // For a new monitor the newest event has to be looked for in the whole log.
      if view.settings.keys.contains(where: { before[$0] == nil }) { view.newestSequence = 0 }
    }
    guard !view.settings.isEmpty else {
      return launches.update { $0.look(at: [:], interval: launch.interval, at: clock.uptime()) }
    }
    if view.newestSequence == 0 || versions.events > view.newestSequence {
      for (key, sequence) in try await reader.newestOfMonitors(after: view.newestSequence)
      where view.settings[key] != nil {
        view.newest[key] = sequence
      }
      view.newestSequence = versions.events
    }
    // Events that have left the log don't wait any more.
    let oldest = try await reader.oldest()?.sequence ?? .max
    let cursors = try await reader.consumerCursors()
    var observations: [MonitorKey: LaunchPolicy.Observation] = [:]
    for (key, setting) in view.settings {
      observations[key] = LaunchPolicy.Observation(
        unit: setting.unit, newest: view.newest[key].flatMap { $0 < oldest ? nil : $0 },
        read: cursors[key]?.lowerBound, furthest: cursors[key]?.upperBound, since: setting.since,
        isConnected: connected.isConnected(to: key, includingAll: !cursors.hasOwn(key)))
    }
    return launches.update { policy in
      policy.look(at: observations, interval: launch.interval, at: clock.uptime())
    }
  }

  /// Starts a unit and reports how that ended.
  private func perform(_ start: LaunchPolicy.Start) async {
    var failure: LaunchFailure?
    do {
      try await self.start(start.unit, start.monitor.user)
    } catch {
      // The daemon ends: if the unit wasn't started, the next daemon does it.
      if Task.isCancelled { return }
      failure = error
    }
    if failure == nil, let through = start.through {
      // If this can't be stored, the unit is started once more after a restart, which is better than never.
      try? await monitoring.noteLaunch(of: start.monitor, through: through)
    }
    let fields = [
      ("GEOFENCE_USER", "\(start.monitor.user)"), ("GEOFENCE_MONITOR", start.monitor.name),
      ("GEOFENCE_LAUNCH_UNIT", start.unit.description),
    ]
    if failure == nil {
      log.say(
        .notice,
        "Had \(start.unit) started: events of monitor \(start.monitor.name) of user "
          + "\(start.monitor.user) wait", fields)
    }
    if let told = launches.change({ $0.finish(start, failure, on: clock.now()) }) {
      log.say(
        .warning,
        "Events of monitor \(start.monitor.name) of user \(start.monitor.user) wait and nobody "
          + "reads them, trying again: \(told)", id: .launchFailed, fields)
    }
  }

  /// Waits until something has changed, for some time at most.
  private func waitForChange(
    since versions: Versions, hasUnits: Bool, atMost pause: Duration?
  ) async {
    await withTaskGroup { group in
      group.addTask {
        try? await configuration.version.wait(after: versions.settings.configuration)
      }
      group.addTask { try? await launches.changes.wait(after: versions.settings.launches) }
      // Without a unit, neither events nor consumers matter here.
      if hasUnits {
        group.addTask { try? await monitoring.signal.wait(after: versions.events) }
        group.addTask { try? await connected.changes.wait(after: versions.consumers) }
      }
      if let pause {
        group.addTask { try? await clock.sleeping.sleep(for: pause) }
      }
      await group.next()
      group.cancelAll()
    }
    try? await clock.sleeping.sleep(for: Self.gathering)
  }
}
