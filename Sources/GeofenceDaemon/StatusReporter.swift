import ControlInterface
import EventDelivery
import Geofencing
import LinuxSystem
import MonitorStorage
import Positioning

/// Collects what `ctl status` and the service manager show.
struct StatusReporter: Sendable {
  let monitoring: Monitoring
  let reader: EventReader
  let receiver: ReceiverDiagnostics
  let motion: MotionHints
  let connected: ConnectedConsumers

  /// Whether a user is connected to the events socket.
  let isListening: @Sendable (UInt32) -> Bool
  let configuration: @Sendable () -> Configuration
  let clock: DaemonClock
  private let journal = WatchedState(JournalState())

  /// The state of the journal, the only consumer of the program's own that reports it.
  private struct JournalState {
    var failure: String?
    /// Since when it hasn't taken what it was given, as uptime.
    var waitsSince: Duration?
  }

  /// How long it may take for one event before that is a failure.
  private static let patience = Duration.seconds(5)

  /// Notes that the journal fails, or works again.
  func noteJournal(failure: (any Error)?) {
    journal.update { $0.failure = failure.map { "\($0)" } }
  }

  /// Notes that the journal was given something, or that it has taken it.
  func noteJournal(isWaiting: Bool) {
    journal.update { $0.waitsSince = isWaiting ? clock.uptime() : nil }
  }

  /// Why the journal fails; nil while it doesn't.
  private var journalFailure: String? {
    let state = journal.current.value
    if let since = state.waitsSince, case let wait = clock.uptime() - since, wait >= Self.patience {
      return "it has taken nothing for \(Int(wait.inSeconds)) s"
    }
    return state.failure
  }

  /// The status as a user may see it: without what concerns only other users.
  func reply(toUser user: UInt32) async -> Status.Reply {
    let visible = user == 0 ? nil : user
    let summary = await monitoring.summary(ofUser: visible)
    var storage = Status.Storage(path: summary.path)
    storage.failure = summary.storageFailure
    storage.pending = summary.pending
    storage.lost = summary.lost
    storage.first = summary.lastSequence + 1
    storage.setAside = await reader.setAside()
    var reply = Status.Reply(
      receiver: receiverStatus(summary), storage: storage)
    reply.receiver.motionSensor = await motion.description
    reply.version = Daemon.version
    reply.log = summary.logID
    reply.conditions = summary.conditions
    reply.satisfied = summary.satisfied
    var limited = ConditionEngine.LimitedCount()
    while !limited.isComplete {
      limited = await monitoring.countingLimited(limited, ofUser: visible)
    }
    reply.accuracyLimited = limited.limited
    reply.lastSequence = summary.lastSequence
    do {
      if let oldest = try await reader.oldest() {
        reply.storage.first = oldest.sequence
        reply.storage.oldest = oldest.recorded
      }
      reply.lastEvent = try await reader.newest(matching: EventReader.Filter(user: visible))
      reply.consumers = try await consumers(visibleTo: visible)
    } catch {
      // Said, because otherwise the log would seem to be empty.
      reply.storage.failure = reply.storage.failure ?? "the log can't be read: \(error)"
    }
    return reply
  }

  /// The consumers of events that a user may know of.
  private func consumers(visibleTo user: UInt32?) async throws -> [Status.Consumer] {
    var consumers: [Status.Consumer] = []
    let places = try await monitoring.places(visibleTo: user)
    let waiting = try await reader.waiting(for: places)
    for place in places {
      var consumer = Status.Consumer(
        name: place.key?.name ?? place.name, cursor: place.cursor,
        waiting: waiting[place.name] ?? 0)
      consumer.user = place.owner
      consumer.monitor = place.filter.monitor
      consumer.connected = place.key.map(connected.isConnected) ?? isListening(to: place.name)
      consumer.lagged = place.lagged
      consumers.append(consumer)
    }
    guard user == nil else { return consumers }
    let (failure, isDisabled) = (journalFailure, !configuration().journal.isEnabled)
    var place = consumers.firstIndex { $0.user == nil && $0.name == JournalSink.consumer }
    // A journal that has always failed, or was never turned on, may have no place yet.
    if place == nil, isDisabled || failure != nil {
      place = consumers.endIndex
      consumers.append(
        Status.Consumer(
          name: JournalSink.consumer, cursor: 0, waiting: try await reader.count(after: 0)))
    }
    if let place {
      consumers[place].disabled = isDisabled ? true : nil
      consumers[place].failure = failure
    }
    return consumers
  }

  /// Whether the user of an events socket's consumer is connected; nil if the consumer is another one.
  private func isListening(to consumer: String) -> Bool? {
    EventsSocket<Monitoring>.user(ofConsumer: consumer).map(isListening)
  }

  /// What was rejected since the last update of the location.
  var untoldRejections: [RejectedFix] { receiver.status.untoldRejections.fixes }

  /// Why the receiver can't be reached or is silent; nil while it is heard, or isn't needed.
  var trouble: String? { receiver.rest.isWatched ? receiver.status.trouble : nil }

  /// In how many seconds a released receiver is looked at; nil during a look, and if it isn't released.
  var nextProbe: Double? {
    receiver.rest.nextLook.map { max(0, ($0 - clock.uptime()).inSeconds) }
  }

  /// One line for `systemctl status`.
  func line() async -> String {
    let summary = await monitoring.summary(ofUser: nil)
    let status = receiver.status
    var parts: [String] = []
    if let rest = restLine() {
      parts.append(rest)
    } else if let reason = status.disconnection {
      parts.append("No receiver: \(reason)")
    } else if status.source == nil {
      parts.append("Connecting to gpsd")
    } else if let silence = status.silence {
      parts.append("No receiver: \(silence)")
    } else {
      let satellites = status.satellitesUsed.map { ", \($0) satellites" } ?? ""
      parts.append(status.mode >= 2 ? "\(status.mode)D fix\(satellites)" : "No fix\(satellites)")
    }
    parts.append("\(summary.conditions) conditions, \(summary.satisfied) satisfied")
    parts.append("\(summary.lastSequence) events")
    if let failure = summary.storageFailure { parts.append("storage fails: \(failure)") }
    return parts.joined(separator: "; ")
  }

  /// Why nothing is heard of the receiver on purpose; nil while it is in use.
  ///
  /// It tells times of day and no durations, so that the line stays the same as long as nothing happens.
  private func restLine() -> String? {
    let rest = receiver.rest
    guard rest.isWatched else { return "Receiver not watched: no condition or client needs it" }
    guard let since = rest.pausedSince else { return nil }
    var line = "Stationary, paused since \(time(ofUptime: since))"
    if rest.isReleased {
      line += ", "
      line += rest.nextLook.map { "next look at \(time(ofUptime: $0))" } ?? "looking"
    }
    if let reason = receiver.status.trouble {
      line += "; no receiver: \(reason)"
    }
    return line
  }

  private func date(ofUptime uptime: Duration) -> Timestamp {
    clock.now() + (uptime - clock.uptime())
  }

  private func time(ofUptime uptime: Duration) -> String {
    date(ofUptime: uptime).text(in: TimeZone { LocalTime.offset(at: $0) })
  }

  /// - Parameter summary: has the last fix that was judged since the start, and how long ago it came.
  private func receiverStatus(_ summary: Monitoring.Summary) -> Status.Receiver {
    let status = receiver.status
    let settings = configuration().receiver.gpsd
    var shown = Status.Receiver(address: settings.address)
    shown.source = status.source
    shown.disconnection = status.disconnection
    shown.silent = status.isSilent
    shown.devices = status.devices
    shown.mode = status.mode
    shown.satellitesUsed = status.satellitesUsed
    shown.satellitesSeen = status.satellitesSeen
    (shown.accepted, shown.rejected) = status.tally(without: summary.refusals)
    if let doubt = status.doubt {
      shown.doubt = Status.Doubt(
        reason: doubt.reason.rawValue, positions: doubt.count, seconds: doubt.time.inSeconds,
        distance: doubt.distance, believedAfter: doubt.believedAfter.inSeconds)
    }
    let rest = receiver.rest
    // As the filter's doubt, that of the engine isn't shown for a receiver that isn't heard.
    let isHeard = !rest.isReleased && status.disconnection == nil && !status.isSilent
    if isHeard, let doubt = summary.doubt, doubt.positions > shown.doubt?.positions ?? 0 {
      shown.doubt = doubt
    }
    shown.watched = rest.isWatched
    shown.usedFor = rest.usedSince.map { (clock.uptime() - $0).inSeconds }
    // Not known of a receiver that should be heard but isn't.
    if rest.isReleased || isHeard {
      shown.stationary = rest.isStationary
      if !rest.isReleased, let obstacle = receiver.obstacle {
        let age = summary.lastFix?.age ?? .zero
        let isOld = obstacle.isOfFixes && age > configuration().stationary.window / 3
        shown.awake = isOld ? "no fix for \(Int(age.inSeconds)) s" : obstacle.text
      }
      shown.pausedSince = rest.pausedSince.map(date(ofUptime:))
    }
    shown.released = rest.isReleased
    shown.nextProbe = nextProbe
    let gpsd = receiver.gpsd.statistics
    shown.connections = gpsd.connections
    shown.failedConnections = gpsd.failures
    shown.undecodableLines = gpsd.undecodableLines
    shown.tooLongLines = gpsd.tooLongLines
    if let (fix, age) = summary.lastFix {
      shown.lastFix = ControlLocation(fix)
      shown.lastFixAge = age.inSeconds
      shown.clockOffset = (fix.timestamp + age - clock.now()).inSeconds
    }
    return shown
  }
}
