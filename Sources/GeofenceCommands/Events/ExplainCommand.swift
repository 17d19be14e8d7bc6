import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl explain`.
enum ExplainCommand: Subcommand {
  static let definition = Command(
    "explain", abstract: "Say why an event came about, or why nothing happens.",
    discussion: """
      With EVENT, a number that 'geofenced ctl events' prints, it shows what was known when the \
      event was decided: the fixes that were judged, how far each was from the edge and how sure \
      that is, which fixes were left out and why, and what confirmed the change.

      With --condition it shows the same for the present, says why nothing happens, and shows what \
      the condition's last event other than 'crossed' rested on.

      ACCURACY is what the receiver reported: the radius that holds the position in 68 of 100 \
      cases. SIGMA is the standard deviation that the fix was judged with, and P(INSIDE) the \
      resulting probability of being inside.
      """,
    examples: [
      Example("geofenced ctl explain 12", "Why there was event #12."),
      Example("geofenced ctl explain --condition home", "Why nothing is heard of 'home'."),
      Example("geofenced ctl explain 12 --json", "The same for a program."),
    ],
    arguments: [
      Argument(
        "event", takes: .text("EVENT"), isRequired: false,
        help: "The number of an event: 12, or '#12' in quotation marks.")
    ],
    options: [
      Option(
        "condition", takes: .name(of: .condition), help: "Explain this condition's state."),
      ControlClient.monitor, ControlClient.user,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let reply = try await ControlClient.call(Explain.self, parameters(arguments), arguments)
    try ControlClient.show(
      reply, arguments, text: text(of: reply, to: ControlClient.viewer(arguments), in: .local))
  }

  private static func parameters(_ arguments: ParsedArguments) throws -> Explain.Parameters {
    switch (arguments.string("event"), arguments.string("condition")) {
    case (let event?, nil):
      guard let sequence = EventNumber.read(event), sequence > 0 else {
        throw arguments.usageError(
          "EVENT wants the number of an event, got \(quoted(event)); --condition takes a condition")
      }
      if arguments.isGiven("monitor") {
        throw arguments.usageError("--monitor goes with --condition, not with an event")
      }
      var parameters = Explain.Parameters(sequence: sequence)
      parameters.user = try ControlClient.user(arguments)
      return parameters
    case (nil, let identifier?):
      return Explain.Parameters(try ControlClient.conditionName(identifier, arguments))
    case (_?, _?):
      throw arguments.usageError("either EVENT or --condition, not both")
    case (nil, nil):
      throw arguments.usageError("missing EVENT or --condition")
    }
  }

  /// The answer for a person.
  ///
  /// - Parameter viewer: The user whose conditions are shown without an owner; nil for all users.
  static func text(
    of reply: Explain.Reply, to viewer: UInt32? = nil, in zone: TimeZone
  ) -> String {
    guard let record = reply.record, reply.present != nil || reply.event == nil else {
      return reply.event.map {
        text(of: $0, reply.explanation, to: viewer, in: zone) + advice(on: $0, reply.record, viewer)
      } ?? ""
    }
    var lines = [
      OwnerText.name(record.identifier, in: record.monitor, of: record.user, to: viewer) + " is "
        + "\(record.state.rawValue) (\(record.condition.shapeText))", "",
    ]
    if let present = reply.present {
      if let reason = reply.disconnection {
        lines.append(indented("Nothing is heard from the receiver: \(reason)"))
      }
      lines += ExplanationText(present, of: record.condition, minimumSigma: reply.minimumSigma)
        .linesOfPresent(
          lastFixAge: reply.lastFixAge, nextProbe: reply.nextProbe, in: zone
        ).map(indented)
      if reply.event == nil, record.state != .unknown,
        !present.evidence.contains(where: { $0.verdict != nil })
      {
        lines.append(
          indented("Its state may only have been assumed: nothing that is kept shows it."))
      }
      if let failure = reply.storageFailure {
        lines.append(indented("An event of it waits to be stored: \(failure)"))
      }
      lines += EvidenceText.lines(present, in: zone).map(indented)
    }
    lines.append("")
    if let event = reply.event {
      lines.append("Its last event:")
      lines.append(String(EventText.line(event, to: viewer, in: zone).dropLast()))
      lines += ExplanationText.lines(of: event, reply.explanation, in: zone).map(indented)
      if reply.explanation != nil {
        lines.append(indented("'geofenced ctl explain \(event.sequence)' shows the fixes."))
      }
    } else {
      lines.append("There has been no event of it yet.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What to do if an event was wrong, after an empty line; empty if there is nothing to do.
  private static func advice(
    on event: Event, _ record: MonitorRecord?, _ viewer: UInt32?
  ) -> String {
    guard let record, [.entered, .exited].contains(event.transition.kind) else { return "" }
    let name = OwnerText.name(
      record.identifier, in: record.monitor, of: record.user, to: viewer)
    return "\n  If that wasn't so, 'geofenced ctl advise \(name)' may tell what would have "
      + "spared it.\n"
  }

  /// An event with the reasons for it, for a person.
  static func text(
    of event: Event, _ explanation: Explanation?, to viewer: UInt32? = nil, in zone: TimeZone
  ) -> String {
    let lines =
      ExplanationText.lines(of: event, explanation, in: zone)
      + (explanation.map { EvidenceText.lines($0, in: zone) } ?? [])
    return EventText.line(event, to: viewer, in: zone) + "\n"
      + lines.map { indented($0) + "\n" }.joined()
  }

  static func indented(_ line: String) -> String { line.isEmpty ? "" : "  \(line)" }
}
