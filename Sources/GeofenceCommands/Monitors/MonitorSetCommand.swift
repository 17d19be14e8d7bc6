import CommandLineParsing
import ControlInterface

/// The command `geofenced ctl monitor set`.
enum MonitorSetCommand: Subcommand {
  static let definition = Command(
    "set", abstract: "Say which unit is started when events of a monitor wait.",
    discussion: """
      The unit is started when an event waits and no named consumer of the monitor is connected. \
      For root's monitors it is a unit of the system; for others, one of the user's own service \
      manager, which runs while the user is logged in or lingers. Consumers of all monitors count \
      only if none reads this one alone.

      The unit's program opens the monitor as a consumer and gets the event. If it has never done \
      so yet, and there is no consumer, the unit is started once for an event, whatever becomes of \
      it: see its own status. It is started for events of every kind; its program reads them and \
      picks those that it wants, as in the last example.

      What is set here overrides LaunchUnit= in geofenced.conf(5); with --no-launch, LaunchUnit= \
      holds again.
      """,
    examples: [
      Example(
        "geofenced ctl monitor set default --launch greeter.service",
        "Start greeter.service when events of the monitor 'default' wait."),
      Example("geofenced ctl monitor set default --no-launch", "Start nothing any more."),
      Example(
        """
        geofenced ctl events --as greeter --monitor default --json |
          jq -r 'select(.kind == "entered") | .identifier' |
          while read -r place; do logger "Welcome to $place"; done
        """,
        "In the program of a unit with Type=oneshot: do something when a place was entered."),
    ],
    arguments: [Argument("monitor", takes: .name(of: .monitor), help: "The monitor.")],
    options: [
      Option(
        "launch", takes: .text("UNIT", .unit),
        help: """
          The unit, with its suffix: .service, .target, .socket, .timer or .path. One user may have \
          one for as many monitors as MaximumMonitorsPerUser= says.
          """),
      Option("no-launch", help: "Undo what was set."),
      ControlClient.user,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let unit = arguments.string("launch")
    guard (unit != nil) != arguments.flag("no-launch") else {
      throw arguments.usageError("give --launch UNIT or --no-launch")
    }
    let name = try arguments.requiredString("monitor")
    // With a mistyped name, nothing would ever be started.
    if unit != nil {
      await ControlClient.tellIfUnknown(
        name, of: try ControlClient.ownUser(arguments), arguments)
    }
    let reply = try await ControlClient.call(
      SetMonitor.self,
      SetMonitor.Parameters(
        user: ControlClient.user(arguments), monitor: name, launchUnit: unit), arguments)
    let monitor = reply.monitor
    let origin = monitor.configured ? ", as the configuration says" : ""
    let started = monitor.launchUnit.map { $0 + origin } ?? "nothing"
    try ControlClient.show(reply, arguments, text: "\(monitor.monitor) starts \(started)\n")
  }
}
