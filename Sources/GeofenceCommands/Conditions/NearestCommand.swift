import CommandLineParsing
import ControlInterface
import Geofencing
import Varlink

/// The command `geofenced ctl nearest`.
enum NearestCommand: Subcommand {
  static let definition = Command(
    "nearest", abstract: "Show how far the nearest conditions are.",
    discussion: """
      Conditions in which the last position is deepest come first. The distance is from the \
      most probable position to the nearest edge; P is the probability of being inside. The \
      command only looks: it keeps no receiver in use, and takes the last position of one that is \
      released. 'geofenced ctl watch' shows the same to people as it changes, and --follow to \
      programs. With --follow the daemon has to be running at the start; if it goes away later, \
      the command waits for it, however long.
      """,
    examples: [
      Example("geofenced ctl nearest", "Where you are relative to your conditions."),
      Example(
        "geofenced ctl nearest --limit 1 --follow --json",
        "The nearest one, for a program, as it moves."),
    ],
    options: [
      Option(
        "limit", short: "n", takes: .integer("NUMBER"), defaultValue: "\(Nearest.defaultLimit)",
        help: "How many, \(Nearest.limits.lowerBound) to \(Nearest.limits.upperBound)."),
      Option(
        "follow", short: "f",
        help: "Go on with each position, at most two a second; with --json."),
      ControlClient.anyMonitor, ControlClient.anyUser,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let limit = try arguments.required("limit", arguments.integer("limit"))
    guard Nearest.limits.contains(limit) else {
      throw arguments.usageError(
        "--limit wants a number from \(Nearest.limits.lowerBound) to \(Nearest.limits.upperBound), "
          + "got \(limit)")
    }
    let parameters = Nearest.Parameters(
      user: try ControlClient.user(arguments), monitor: arguments.string("monitor"), limit: limit)
    if arguments.flag("follow") {
      guard arguments.flag("json") else {
        throw arguments.usageError(
          "--follow is for programs, with --json; 'geofenced ctl watch' shows it to people")
      }
      return try await Console.whileRead(by: arguments) {
        try await ControlClient.reconnecting(arguments) { state in
          try await ControlClient.stream(
            Nearest.self, parameters, arguments, prompt: .first
          ) { reply in
            state.succeed()
            try Console.write(ControlClient.line(reply))
          }
        }
      }
    }
    let reply = try await ControlClient.call(Nearest.self, parameters, arguments)
    try ControlClient.show(
      reply, arguments,
      text: text(
        reply, to: ControlClient.viewer(arguments), withTitles: Console.isTerminal, in: .local))
    if reply.total == 0 { ControlClient.tellNothing("conditions", arguments) }
    if reply.total > 0, reply.location == nil {
      Console.tell(
        "no position is known, so no distance; 'geofenced ctl status' says why", by: arguments)
    }
  }

  /// The conditions for a person, and below them the position to which they are near.
  static func text(
    _ reply: Nearest.Reply, to viewer: UInt32, withTitles: Bool, in zone: TimeZone
  ) -> String {
    var table = Table("CONDITION", "STATE", "DISTANCE", "P", "CONFIRMING")
    for nearby in reply.conditions {
      table.add(
        OwnerText.name(nearby.identifier, in: nearby.monitor, of: nearby.user, to: viewer),
        nearby.state.rawValue, nearby.distance.map(Quantity.distance) ?? "-",
        nearby.probability.map(Quantity.probability) ?? "-",
        WatchText.note(nearby, isLong: true) ?? "")
    }
    let text = table.render(withTitles: withTitles)
    guard let location = reply.location, !reply.conditions.isEmpty else { return text }
    let accuracy = location.horizontalAccuracy.map { " " + Quantity.accuracy($0) } ?? ""
    let age = reply.lastFixAge.map { ", \(WatchText.age($0))" } ?? ", before the daemon started"
    return text + "from \(location.latitude.plain) \(location.longitude.plain)\(accuracy) at "
      + "\(location.timestamp.text(in: zone))\(age)\n"
  }
}
