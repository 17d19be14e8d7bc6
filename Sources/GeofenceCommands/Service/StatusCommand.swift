import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem
import Positioning
import Varlink

/// The command `geofenced ctl status`.
enum StatusCommand: Subcommand {
  static let definition = Command(
    "status", abstract: "Show how the daemon is doing: what to look at when nothing happens.",
    discussion: """
      Rejected fixes are counted by the codes that Protocol.md lists; 'geofenced ctl explain' says \
      why in words, for single fixes.

      With --check it says only what somebody has to attend to, and then fails: gpsd can't be \
      reached or the receiver is silent, unless nothing needs it or it rests; its positions have \
      been refused for a minute longer than JumpSec=, because they contradict each other too; its \
      clock is off by a day or more; the journal, the disk or a unit fails; events were lost, or a \
      consumer has missed some; a damaged log was set aside. Only root is shown failures of the \
      journal and of other users' units.
      """,
    examples: [
      Example("geofenced ctl status", "Receiver, conditions, consumers, storage."),
      Example(
        "geofenced ctl status --check --fix-within 10min",
        "For monitoring: fails when something is wrong, and says what."),
      Example(
        "geofenced ctl status --check --waiting-at-most 1000 --conditions-at-least 1",
        "The same, and also fails when too many events wait, or nothing is watched."),
    ],
    options: [
      Option("check", help: "Say only what is wrong; the exit status is then 1."),
      Option(
        "fix-within", takes: .duration("TIME"),
        help: """
          With --check: also report a receiver that has been in use for this long without a fix.
          """),
      Option(
        "waiting-at-most", takes: .integer("NUMBER"),
        help: """
          With --check: also report if more events than this wait for the journal or a named \
          consumer. Remove one that nobody needs any more with 'geofenced ctl consumer remove'. \
          Readers of the events socket don't count, as they can't be removed.
          """),
      Option(
        "conditions-at-least", takes: .integer("NUMBER"),
        help: """
          With --check: also report if fewer conditions than this are watched; for root, those of \
          all users.
          """),
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let isCheck = arguments.flag("check")
    for option in ["fix-within", "waiting-at-most", "conditions-at-least"]
    where arguments.isGiven(option) {
      guard isCheck else { throw arguments.usageError("--\(option) needs --check") }
      if let number = arguments.integer(option), number < 0 {
        throw arguments.usageError("--\(option) wants a whole number from 0, got \(number)")
      }
    }
    let reply = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
    func monitors() async throws -> [MonitorSummary] {
      let everybodys = Monitors.Parameters(user: nil)
      return try await ControlClient.call(Monitors.self, everybodys, arguments).monitors
    }
    guard isCheck else {
      // Without the monitors the rest is still shown.
      let monitors = arguments.flag("json") ? [] : (try? await monitors()) ?? []
      return try ControlClient.show(reply, arguments, text: text(reply, monitors, in: .local))
    }
    let demands = StatusCheck.Demands(
      fixWithin: arguments.duration("fix-within"),
      waitingAtMost: arguments.integer("waiting-at-most"),
      conditionsAtLeast: arguments.integer("conditions-at-least"))
    let check = StatusCheck(reply, try await monitors(), demands)
    try ControlClient.show(check, arguments, text: check.text)
    guard check.problems.isEmpty else {
      throw CommandFailure(
        description: Quantity.count(check.problems.count, "problem", "problems") + " to see to")
    }
  }

  /// The status as text.
  static func text(
    _ reply: Status.Reply, _ monitors: [MonitorSummary] = [], in zone: TimeZone
  ) -> String {
    let receiver = reply.receiver
    var table = Table("", "")
    table.add("Receiver:", reachability(receiver))
    if !receiver.devices.isEmpty {
      let followed = receiver.devices.count > 1 ? receiver.lastFix?.device : nil
      table.add(
        "Devices:",
        receiver.devices.joined(separator: ", ")
          + (followed.map { ", of which \($0) is followed" } ?? ""))
    }
    if receiver.watched { table.add("Rest:", rest(receiver, zone)) }
    table.add("Fix:", fix(receiver))
    if let location = receiver.lastFix {
      let age = receiver.lastFixAge.map { "\($0.rounded(toPlaces: 1)) s ago" } ?? "-"
      let accuracy = location.horizontalAccuracy.map { Quantity.accuracy($0) }
      table.add("Last fix:", "\(age), accuracy \(accuracy ?? "not given by the receiver")")
    } else {
      table.add("Last fix:", "none since the daemon started")
    }
    if let doubt = receiver.doubtText { table.add("Doubt:", doubt) }
    if let clock = receiver.clockText { table.add("Clock:", clock) }
    let rejected = receiver.rejected.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    table.add("Fixes accepted:", "\(receiver.accepted)")
    table.add("Fixes rejected:", rejected.isEmpty ? "0" : rejected.joined(separator: ", "))
    if receiver.failedConnections > 0 {
      table.add("Connections:", "\(receiver.connections), failed \(receiver.failedConnections)")
    }
    if max(receiver.undecodableLines, receiver.tooLongLines) > 0 {
      table.add(
        "Bad lines:", "\(receiver.undecodableLines) undecodable, \(receiver.tooLongLines) too long")
    }
    table.add("Motion sensor:", receiver.motionSensor ?? "none")
    table.add("Conditions:", conditions(reply))
    let areEventsKept = reply.storage.first <= reply.lastSequence
    table.add(
      "Last event:",
      reply.lastEvent.map { event in
        String(EventText.line(event, to: ProcessUser.effective, in: zone).dropLast())
      } ?? (areEventsKept ? "none that you may see" : "none in the log"))
    for consumer in reply.consumers { table.add("Consumer:", text(consumer)) }
    for monitor in monitors {
      guard let failure = monitor.launchFailure else { continue }
      table.add("Unit:", "of monitor \(monitor.monitor) of user \(monitor.user): \(failure)")
    }
    table.add("Storage:", storage(reply, zone))
    table.add("Version:", reply.version)
    return table.render(withTitles: false)
  }

  /// The name of a consumer, with its monitor or user.
  static func reader(_ consumer: Status.Consumer) -> String {
    guard let user = consumer.user else { return consumer.name }
    return "\(consumer.name) of user \(user), "
      + (consumer.monitor.map { "monitor \($0)" } ?? "all monitors")
  }

  /// How far a consumer has read, and whether it is connected.
  static func progress(_ consumer: Status.Consumer) -> String {
    var text =
      consumer.waiting == 0
      ? "up to date" : "\(Quantity.count(consumer.waiting, "event", "events")) behind"
    if consumer.disabled == true { text += ", turned off" }
    if let connected = consumer.connected { text += connected ? ", connected" : ", away" }
    return text
  }

  private static func text(_ consumer: Status.Consumer) -> String {
    var text = "\(reader(consumer)), \(progress(consumer))"
    if let lagged = consumer.lagged { text += "; missed \(LaggedText.text(lagged))" }
    if let failure = consumer.failure { text += "; failing: \(failure)" }
    return text
  }

  private static func rest(_ receiver: Status.Receiver, _ zone: TimeZone) -> String {
    let reason = receiver.awake.map { "; in use: \($0)" } ?? ""
    guard let since = receiver.pausedSince else {
      return (receiver.stationary ? "stationary" : "not known to be stationary") + reason
    }
    var text = "stationary, paused since \(since.text(in: zone))"
    if receiver.released {
      text += ", "
      text +=
        receiver.nextProbe.map { "next look in \(Quantity.fixed($0, places: 0)) s" } ?? "looking"
    }
    return text + reason
  }

  /// Whether the receiver is reached, and by which way.
  static func reachability(_ receiver: Status.Receiver) -> String {
    guard receiver.watched else {
      return "not watched: no condition or client needs it; gpsd at \(receiver.address)"
    }
    if let reason = receiver.disconnection {
      return reason.contains(receiver.address)
        ? "not reached: \(reason)" : "not reached at \(receiver.address): \(reason)"
    }
    if receiver.released, receiver.source == nil {
      return "released while nothing moves, gpsd at \(receiver.address)"
    }
    guard let source = receiver.source else { return "connecting to gpsd at \(receiver.address)" }
    let text = "\(source) at \(receiver.address)"
    guard receiver.silent else { return text }
    return text
      + (receiver.devices.isEmpty
        ? ", without a receiver: is it plugged in, and in DEVICES= of /etc/default/gpsd? "
          + ReceiverStatus.help
        : ", but the receiver is silent")
  }

  /// The kind of fix, and the number of satellites.
  static func fix(_ receiver: Status.Receiver) -> String {
    let mode = receiver.mode >= 2 ? "\(receiver.mode)D" : "none"
    guard let used = receiver.satellitesUsed else { return mode }
    return "\(mode), \(used) of \(receiver.satellitesSeen ?? used) satellites used"
  }

  private static func conditions(_ reply: Status.Reply) -> String {
    var text = "\(reply.conditions), \(reply.satisfied) satisfied"
    if reply.accuracyLimited > 0 {
      text += ", \(reply.accuracyLimited) too small for the present accuracy or MinimumSigma="
    }
    return text
  }

  /// What fails, and how many events wait to be stored.
  static func fails(_ storage: Status.Storage, _ failure: String) -> String {
    let pending = Quantity.count(storage.pending, "event waits", "events wait")
    return "FAILS: \(failure)" + (storage.pending > 0 ? "; \(pending) in memory" : "")
  }

  private static func storage(_ reply: Status.Reply, _ zone: TimeZone) -> String {
    let storage = reply.storage
    var lost = storage.lost > 0 ? ", \(storage.lost) lost since the start" : ""
    if let damaged = storage.setAside {
      lost += "; " + StatusCheck.setAside(damaged)
    }
    var events = Quantity.count(reply.lastSequence, "event", "events") + " so far"
    guard let failure = storage.failure else {
      if storage.first > 1 {
        let oldest = storage.oldest.map {
          ", kept from #\(storage.first) on, of \($0.text(in: zone))"
        }
        events += oldest ?? ", none kept"
      }
      return "\(storage.path), \(events)\(lost)"
    }
    return "\(storage.path) \(fails(storage, failure))\(lost)"
  }
}
