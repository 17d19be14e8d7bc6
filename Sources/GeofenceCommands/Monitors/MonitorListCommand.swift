import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl monitor list`.
enum MonitorListCommand: Subcommand {
  static let definition = Command(
    "list", abstract: "Show the monitors, who reads them, and what is started for them.",
    discussion: """
      A monitor is shown when it has conditions, consumers or a unit. A unit in brackets comes \
      from the configuration. Lines below the table say why a unit couldn't be started.
      """,
    examples: [Example("geofenced ctl monitor list", "Whose events wait, and for whom.")],
    options: [ControlClient.anyUser])

  static func run(_ arguments: ParsedArguments) async throws {
    let monitors = try await ControlClient.call(
      Monitors.self, Monitors.Parameters(user: ControlClient.user(arguments)), arguments
    ).monitors
    if arguments.flag("json") { return try ControlClient.showEach(monitors) }
    var table = Table(
      "MONITOR", "USER", "CONDITIONS", "CONSUMERS", "STATE", "WAITING", "UNIT", "STARTED")
    for monitor in monitors {
      table.add(
        monitor.monitor, "\(monitor.user)", "\(monitor.conditions)", "\(monitor.consumers)",
        monitor.connected ? "connected" : "away", "\(monitor.waiting)", unit(monitor),
        monitor.launched?.text(in: .local) ?? "-")
    }
    try Console.write(table.render(withTitles: Console.isTerminal))
    for monitor in monitors {
      guard let failure = monitor.launchFailure else { continue }
      try Console.write("\(monitor.monitor) of user \(monitor.user): \(failure)\n")
    }
  }

  private static func unit(_ monitor: MonitorSummary) -> String {
    guard let unit = monitor.launchUnit else { return "-" }
    return monitor.configured ? "[\(unit)]" : unit
  }
}
