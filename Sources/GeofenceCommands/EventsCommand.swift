import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl events`.
enum EventsCommand: Subcommand {
  static let definition = Command(
    "events", abstract: "Show what happened, and follow what happens.",
    discussion: """
      Prints the events of the log, the oldest first. With --follow it goes on with the new ones \
      until it is interrupted, and begins with them unless --since says otherwise.
      """,
    examples: [
      Example("geofenced ctl events --follow", "Tell of every event as it happens."),
      Example("geofenced ctl events --since 41 --json", "All after number 41, for a program."),
    ],
    options: [
      Option("follow", short: "f", help: "Go on with new events."),
      Option(
        "since", takes: .integer("NUMBER"),
        help: "Begin after the event of this number; 0 is the beginning."),
      ControlClient.monitor,
      Option("id", takes: .text("IDENTIFIER"), help: "Only this condition's events."),
      ControlClient.user,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let since = arguments.integer("since").map(Int64.init)
    if let since, since < 0 {
      throw arguments.usageError("--since wants a number from 0, got \(since)")
    }
    var parameters = Events.Parameters(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"),
      identifier: arguments.string("id"), since: since)
    let isJSON = arguments.flag("json")
    func show(_ events: [Event]) throws {
      for event in events {
        try Console.write(isJSON ? ControlClient.line(event) : EventText.line(event))
        parameters.since = event.sequence
      }
    }
    if arguments.flag("follow") {
      if since == nil {
        parameters.since = try await ControlClient.call(
          Status.self, Status.Parameters(), arguments
        ).lastSequence
      }
      while true {
        do {
          try await ControlClient.stream(Events.self, parameters, arguments) { try show($0.events) }
        } catch let failure as CommandFailure where failure.exitCode == .unreachable {
          // The daemon restarts: what it logs meanwhile comes when it is back.
          try await waitForDaemon(arguments, orThrow: failure)
        }
      }
    }
    while true {
      let events = try await ControlClient.call(Events.self, parameters, arguments).events
      guard !events.isEmpty else { return }
      try show(events)
    }
  }

  /// How often a daemon that is gone is asked for, at the most.
  private static let attempts = 60

  /// Waits until the daemon answers again, up to half a minute.
  private static func waitForDaemon(
    _ arguments: ParsedArguments, orThrow failure: CommandFailure
  ) async throws {
    for _ in 0..<attempts {
      try await ContinuousClock().sleep(for: .milliseconds(500))
      do {
        _ = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
        return
      } catch let again as CommandFailure where again.exitCode == .unreachable {
        continue
      }
    }
    throw failure
  }
}
