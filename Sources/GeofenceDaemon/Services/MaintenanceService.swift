import Geofencing
import LinuxSystem
import MonitorStorage
import Positioning
import Systemd

/// Does what time brings, and tells the operator what fails or works again.
struct MaintenanceService: Service {
  let name = "maintenance"
  let monitoring: Monitoring
  let status: StatusReporter
  let diagnostics: ReceiverDiagnostics
  let log: OperatorLog
  let notifier: ServiceNotifier
  let changes: OpenChanges
  let listeners: [ListeningSocket]
  let clock: DaemonClock

  /// How often it looks.
  static let interval = Duration.seconds(5)

  /// How often it looks while the receiver is released or not needed and nothing changes: as often as the service
  /// manager's watchdog has to be answered anyway.
  static let quietInterval = Duration.seconds(15)

  func run() async throws {
    // On that thread most of its questions are answered without a switch to another one.
    try await monitoring.loop.run { try await look() }
  }

  /// What the operator was told last.
  private struct Told {
    var line = ""
    var trouble: String?
    var isDisconnected = false
    var storageFailure: String?
    var retentionFailure: String?
    var refusals: [Errno?]
  }

  private func look() async throws {
    var told = Told(refusals: listeners.map { _ in nil })
    var isSettled = false
    while true {
      await doWhatIsDue()
      await tellWhatChanged(since: &told)
      try await pause(mayBeLong: isSettled)
      // The start is over, and about half of the memory was needed only for it.
      if !isSettled { ProcessMemory.release() }
      isSettled = true
    }
  }

  private func doWhatIsDue() async {
    await monitoring.tick(after: status.untoldRejections)
    while !Task.isCancelled, await monitoring.hasOldEvents {
      // Lets fixes be judged in between, and whatever else waits.
      await Task.yield()
      await monitoring.dropOldEvents()
    }
    changes.expire(at: clock.uptime())
  }

  private func tellWhatChanged(since told: inout Told) async {
    await tell(beginningToLag: monitoring.takeBeginningToLag())
    let line = await status.line()
    if line != told.line { notifier.status(line) }
    told.line = line
    let receiver = diagnostics.status
    let trouble = receiver.trouble
    if trouble != told.trouble {
      tell(trouble: trouble, of: receiver, wasDisconnected: told.isDisconnected)
      told.trouble = trouble
      told.isDisconnected = receiver.disconnection != nil
    }
    let failure = await monitoring.storageFailure
    // The message has the room that is left, which changes all the time: that alone is no news.
    if failure?.filter({ !$0.isNumber }) != told.storageFailure?.filter({ !$0.isNumber }) {
      tell(
        failure, "Events can't be stored and wait in memory", id: .storageFailing,
        over: "Events can be stored again")
      told.storageFailure = failure
    }
    if failure == nil, case let lost = await monitoring.takeUntoldLost(), lost > 0 {
      log.say(
        .error, "\(lost) events were lost meanwhile: more waited than are kept in memory",
        id: .storageFailing)
    }
    let hindrance = await monitoring.retentionFailure
    if hindrance != told.retentionFailure {
      tell(hindrance, "Old events can't be removed", over: "Old events are removed again")
      told.retentionFailure = hindrance
    }
    for (number, listener) in listeners.enumerated() {
      let refusal = listener.failure
      guard refusal != told.refusals[number] else { continue }
      tell(
        refusal?.description, "Nobody can connect to \(listener.path)", as: .warning,
        over: "Connections to \(listener.path) are accepted again")
      told.refusals[number] = refusal
    }
  }

  /// Waits until it is time to look again.
  ///
  /// - Throws: `CancellationError`.
  private func pause(mayBeLong: Bool) async throws {
    let interval = min(Self.interval, await monitoring.settings.storage.checkpoint)
    let began = clock.uptime()
    let (revision, change) = (monitoring.revisions.latest, diagnostics.restChanges.latest)
    if mayBeLong, !diagnostics.rest.isInUse, await monitoring.isQuiet(for: Self.quietInterval) {
      await waitForFirst(
        { try? await monitoring.revisions.wait(after: revision) },
        { try? await diagnostics.restChanges.wait(after: change) },
        { try? await clock.sleeping.sleep(for: Self.quietInterval) })
      try Task.checkCancellation()
    }
    let left = interval - (clock.uptime() - began)
    if left > .zero { try await clock.sleeping.sleep(for: left) }
  }

  private func tell(
    trouble: String?, of receiver: ReceiverStatus, wasDisconnected: Bool
  ) {
    if let trouble {
      log.say(
        .warning, "No receiver, trying again: \(trouble)", id: .receiverUnreachable)
    } else if !wasDisconnected {
      log.say(.notice, "The receiver is heard again, or no longer needed")
    } else if let source = receiver.source {
      log.say(.notice, "Connected to \(source)")
    } else {
      // A look has reached gpsd, and the receiver is released again by now: so its source isn't known.
      log.say(.notice, "gpsd was reached again")
    }
  }

  /// How many consumers are named at a time.
  private static let namedConsumers = 10

  private func tell(beginningToLag consumers: [ConsumerPlace]) {
    for consumer in consumers.prefix(Self.namedConsumers) {
      guard let key = consumer.key, let lagged = consumer.lagged else { continue }
      let monitor = key.monitor.map { " of monitor '\($0)'" } ?? ""
      log.say(
        .warning,
        "Consumer '\(key.name)'\(monitor) of user \(key.owner) has missed events #\(lagged.first) to "
          + "#\(lagged.last), which it had not acknowledged when they became too many or too old",
        id: .eventsUnread,
        [
          ("GEOFENCE_CONSUMER", key.name), ("GEOFENCE_USER", String(key.owner)),
          ("GEOFENCE_MONITOR", key.monitor ?? ""),
          ("GEOFENCE_MISSED_FIRST", String(lagged.first)),
          ("GEOFENCE_MISSED_LAST", String(lagged.last)),
        ])
    }
    let others = consumers.count - Self.namedConsumers
    if others > 0 {
      log.say(.warning, "\(others) more consumers have missed events")
    }
  }

  /// Reports a failure, or that it is over.
  private func tell(
    _ failure: String?, _ failing: String, as priority: OperatorLog.Priority = .error,
    id: OperatorLog.MessageID? = nil, over: String
  ) {
    if let failure {
      log.say(priority, "\(failing): \(failure)", id: id)
    } else {
      log.say(.notice, over)
    }
  }
}
