import CommandLineParsing
import ControlInterface
import LinuxSystem

/// The command `geofenced ctl watch`.
enum WatchCommand: Subcommand {
  static let definition = Command(
    "watch", abstract: "Watch position, conditions and events on a full screen.",
    discussion: """
      Shows where the receiver is and how sure that is; the nearest conditions, with the signed \
      distance to their edge and the probability of being inside; what is being confirmed; and the \
      last events. It goes on when the daemon is restarted. It only looks: unlike 'ctl locations \
      --follow' it keeps no receiver in use. The key q quits, and so does Ctrl-C, with exit status \
      0; ? shows the other keys. Colours follow TERM, COLORTERM and NO_COLOR.
      """,
    examples: [
      Example("geofenced ctl watch", "All that you may see."),
      Example("geofenced ctl watch --monitor work --interval 5s", "One monitor, over a slow line."),
    ],
    options: [
      ControlClient.anyMonitor, ControlClient.anyUser,
      Option(
        "interval", takes: .duration("TIME"), defaultValue: "1s",
        help: "How often to ask for the receiver's state, 100ms to 1min."),
    ],
    declined: [
      "json": """
      watch is for people; use 'nearest --follow --json', 'locations --follow --json' or \
      'events --follow --json'
      """
    ])

  private static let intervals = Duration.milliseconds(100)...Duration.seconds(60)

  static func run(_ arguments: ParsedArguments) async throws {
    let interval = try arguments.required("interval", arguments.duration("interval"))
    guard intervals.contains(interval) else {
      throw arguments.usageError(
        "--interval wants a time from 100ms to 1min, got "
          + quoted(arguments.string("interval") ?? ""))
    }
    let user = try ControlClient.user(arguments)
    guard Console.isTerminal else {
      throw CommandFailure(
        description: "standard output is no terminal: use 'geofenced ctl locations --follow' or "
          + "'geofenced ctl events --follow'")
    }
    let abilities = TerminalAbilities(Environment.value)
    guard abilities.movesCursor else {
      throw CommandFailure(
        description: "the terminal can't move its cursor, says TERM: use 'geofenced ctl locations "
          + "--follow' or 'geofenced ctl events --follow'")
    }
    let scope = Nearest.Parameters(
      user: user, monitor: arguments.string("monitor"), limit: Nearest.limits.upperBound)
    // A failure at the beginning ends the command with a message, instead of a screen that goes away.
    _ = try await ControlClient.call(Nearest.self, scope, arguments)
    let terminal: Terminal
    do {
      terminal = try Terminal()
    } catch {
      throw CommandFailure(description: "can't open the terminal: \(error)")
    }
    try await WatchSession(
      on: terminal, abilities, scope: scope, interval: interval, arguments
    ).run()
  }
}
