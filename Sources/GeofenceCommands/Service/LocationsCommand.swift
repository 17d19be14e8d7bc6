import CommandLineParsing
import ControlInterface
import Geofencing
import Positioning
import Varlink

/// The command `geofenced ctl locations`.
enum LocationsCommand: Subcommand {
  static let definition = Command(
    "locations", abstract: "Show where the receiver is.",
    discussion: """
      Without --follow it shows the current location. If there is none, standard error says why, \
      and the exit status is 1. With --follow the daemon has to be running at the start; if it \
      goes away later, the command waits for it, however long.
      """,
    examples: [
      Example("geofenced ctl locations", "The current location."),
      Example("geofenced ctl locations --follow --json", "Each fix as it comes, for a program."),
      Example(
        "geofenced ctl locations --follow --configuration fitness",
        "Each fix, with pauses that fit somebody on foot."),
    ],
    options: [
      Option("follow", short: "f", help: "Go on with new locations until it is interrupted."),
      Option(
        "configuration", takes: .choice("NAME", LiveConfiguration.allCases.map(\.rawValue)),
        help: """
          What the receiver moves with, for this command's pauses only; without it, they are the \
          daemon's. See LIVE CONFIGURATIONS in geofenced.conf(5). Needs --follow.
          """),
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    func show(_ reply: Locations.Reply) throws {
      try ControlClient.show(reply, arguments, text: text(reply, in: .local) + "\n")
    }
    let parameters = Locations.Parameters(configuration: arguments.string("configuration"))
    if arguments.isGiven("configuration"), !arguments.flag("follow") {
      throw arguments.usageError("--configuration says when locations pause, so it needs --follow")
    }
    if arguments.flag("follow") {
      return try await Console.whileRead(by: arguments) {
        try await ControlClient.reconnecting(arguments) { state in
          // A location may take long to come. This call, which is answered at once, shows whether the daemon hangs.
          _ = try await ControlClient.call(Status.self, Status.Parameters(), arguments)
          state.wasAnswered = true
          try await ControlClient.stream(
            Locations.self, parameters, arguments, prompt: .none
          ) { reply in
            state.succeed()
            try show(reply)
          }
        }
      }
    }
    let reply = try await ControlClient.call(Locations.self, parameters, arguments)
    if reply.location != nil || arguments.flag("json") { try show(reply) }
    _ = try location(in: reply)
  }

  /// The location of the receiver, also as a line of text.
  typealias Present = (location: ControlLocation, text: String)

  /// The present location.
  ///
  /// If nothing else needs the receiver, it may take as long as the daemon waits for a fix.
  ///
  /// - Throws: why there is no location.
  static func present(_ arguments: ParsedArguments) async throws -> Present {
    let reply = try await ControlClient.call(Locations.self, Locations.Parameters(), arguments)
    // Asked after the location: fixes that contradict it came later than it.
    let doubt = await LikelyMistakes.status(arguments)?.receiver.doubt
    return (try location(in: reply, but: doubt), text(reply, in: .local))
  }

  /// The location of a reply.
  ///
  /// - Throws: why there is none, or that later fixes contradict it.
  static func location(
    in reply: Locations.Reply, but doubt: Status.Doubt? = nil
  ) throws -> ControlLocation {
    guard let location = reply.location else {
      throw CommandFailure(description: "no location: " + reasonForNone(reply))
    }
    if let doubt, doubt.isOfPlace {
      throw CommandFailure(description: "no location: " + doubt.reasonForNoLocation)
    }
    return location
  }

  /// A location, or why there is none, as one line for a person.
  static func text(_ reply: Locations.Reply, in zone: TimeZone) -> String {
    let line = location(reply, zone)
    return reply.dropped > 0 ? line + "  (\(reply.dropped) missed before)" : line
  }

  private static func location(_ reply: Locations.Reply, _ zone: TimeZone) -> String {
    guard let location = reply.location else { return "No location: " + reasonForNone(reply) }
    var line =
      "\(location.timestamp.text(in: zone))  \(location.latitude.plain) \(location.longitude.plain)"
    func add(_ value: Double?, _ unit: String) {
      if let value { line += "  \(value.rounded(toPlaces: 1))\(unit)" }
    }
    if let accuracy = location.horizontalAccuracy { line += "  \(Quantity.accuracy(accuracy))" }
    add(location.speed, " m/s")
    add(location.course, "°")
    add(location.altitude, " m high")
    if reply.stationary { line += "  stationary" }
    if reply.paused { line += ", paused until it moves" }
    return line + (location.simulated ? "  (simulated)" : "")
  }

  private static func reasonForNone(_ reply: Locations.Reply) -> String {
    if let reason = reply.disconnection { return reason }
    if reply.receiverDisconnected {
      return "the receiver can't be reached; 'geofenced ctl status' says why"
    }
    if reply.accuracyLimited {
      return "the receiver's fixes are too inaccurate, see MaximumAccuracy= in geofenced.conf(5)"
    }
    return "the receiver has no usable fix; 'geofenced ctl status' says more"
  }
}
