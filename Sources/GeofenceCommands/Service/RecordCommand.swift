import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem
import Varlink

/// The command `geofenced ctl record`.
enum RecordCommand: Subcommand {
  /// The actions of the command.
  private enum Action: String, CaseIterable {
    case start
    case stop
    case status
    case list
    case get
    case delete
  }

  static let definition = Command(
    "record", abstract: "Record the receiver, to replay it later.",
    discussion: """
      The daemon keeps what gpsd says in a file of its own, as 'gpspipe -w' would write it. So a \
      false alarm can be caught, and a change tried against it with 'geofenced replay'. About \
      satellites it keeps what a replay needs: how many there were at each position. The receiver \
      stays in use meanwhile, whatever PauseMode= says.

      ACTION is start (NAME is optional), stop, status, list, get or delete; get prints the \
      recording. There is one recording at a time. It ends by itself after --for, at --max-size, \
      when the disk has only 16 MiB left (which are for events), and with the daemon. 'status' \
      says why until the next one begins, it is deleted or the daemon is restarted; if there was \
      none, its --json is {"underWay":false}. Whoever begins a recording owns it: only root may \
      see or delete another user's.
      """,
    examples: [
      Example("geofenced ctl record start night --for 8h", "Record the coming night."),
      Example("geofenced ctl record get night >night.json", "Fetch it in the morning."),
      Example("geofenced ctl record delete night", "Make room for another."),
      Example(
        "geofenced ctl record start --replace --max-size 20000000",
        "For a unit to run at each start: the latest ones are kept."),
    ],
    arguments: [
      Argument(
        "action", takes: .choice("ACTION", Action.allCases.map(\.rawValue)), help: "What to do."),
      Argument("name", takes: .name(of: .recording), isRequired: false, help: "The recording."),
    ],
    options: [
      Option(
        "for", takes: .duration("TIME"),
        help: "When to end: from 1s to MaximumRecordingSec=, which is the default."),
      Option(
        "max-size", takes: .integer("BYTES"),
        help: "At what size to end: from 4096 to MaximumRecordingBytes=, which is the default."),
      Option(
        "replace",
        help: """
          With 'start': if there are as many recordings as MaximumRecordings= allows, delete your \
          oldest.
          """),
      ControlClient.owner(of: "recording"),
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let action = Action(rawValue: try arguments.requiredString("action")) ?? .status
    let name = try name(for: action, arguments)
    for option in ["for", "max-size", "replace"]
    where action != .start && arguments.isGiven(option) {
      throw arguments.usageError("--\(option) is for 'start', not for '\(action.rawValue)'")
    }
    if let text = arguments.string("for"), Double(strict: text) != nil {
      // Nobody means a number of seconds.
      throw arguments.usageError("--for wants a time with its unit such as 8h, got \(text)")
    }
    if action == .get, arguments.flag("json") {
      throw arguments.usageError("no '--json' here: 'get' prints the recording as it is")
    }
    let user = try ControlClient.user(arguments)
    switch action {
    case .start:
      let parameters = StartRecording.Parameters(
        user: user, name: name, seconds: arguments.duration("for")?.inSeconds,
        bytes: arguments.integer("max-size"), replacing: arguments.flag("replace") ? true : nil)
      try show(
        await ControlClient.call(StartRecording.self, parameters, arguments).recording, arguments)
    case .stop:
      if arguments.isGiven("user") {
        throw arguments.usageError(
          "'stop' ends the recording under way, which is your own unless root asks: leave --user out"
        )
      }
      let reply = try await ControlClient.call(
        StopRecording.self, StopRecording.Parameters(), arguments)
      try show(reply.recording, arguments)
    case .status, .list:
      let reply = try await ControlClient.call(
        Recordings.self, Recordings.Parameters(user: user), arguments)
      let shown = action == .list ? reply.recordings : [reply.newest].compactMap(\.self)
      for recording in shown { try show(recording, arguments) }
      if action == .status, shown.isEmpty {
        try ControlClient.show(
          ["underWay": false], arguments, text: "Nothing is being recorded that you may see.\n")
      }
    case .get:
      let parameters = ReadRecording.Parameters(user: user, name: name ?? "")
      try await ControlClient.stream(ReadRecording.self, parameters, arguments, prompt: .all) {
        reply in
        try Console.write(reply.text)
      }
    case .delete:
      let parameters = RecordingName(user: user, name: name ?? "")
      let reply = try await ControlClient.call(DeleteRecording.self, parameters, arguments)
      try ControlClient.show(
        reply.recording, arguments, text: "\(reply.recording.name) deleted\n")
    }
  }

  /// The name of a recording, for actions that need one.
  private static func name(
    for action: Action, _ arguments: ParsedArguments
  ) throws -> String? {
    switch (action, arguments.string("name")) {
    case (.get, nil), (.delete, nil):
      throw arguments.usageError("'\(action.rawValue)' wants the NAME of a recording")
    case (.stop, let name?), (.status, let name?), (.list, let name?):
      throw arguments.usageError("unexpected argument \(quoted(name)) (see --help)")
    case (_, let name): return name
    }
  }

  private static func show(_ recording: RecordingRecord, _ arguments: ParsedArguments) throws {
    try ControlClient.show(recording, arguments, text: text(recording) + "\n")
  }

  private static func text(_ recording: RecordingRecord) -> String {
    var parts = ["\(recording.bytes) bytes"]
    if let lines = recording.lines { parts.append("\(lines) lines") }
    if let dropped = recording.dropped, dropped > 0 { parts.append("\(dropped) lines lost") }
    if recording.underWay {
      var text = "under way"
      if let until = recording.until { text += " until \(until.text(in: .local))" }
      if let bytes = recording.maximumBytes { text += " or \(bytes) bytes" }
      parts.append(text)
    } else {
      parts.append(
        "ended \(recording.modified.text(in: .local))" + (recording.ended.map { ": \($0)" } ?? ""))
    }
    // Root also sees recordings of others.
    let owner = recording.user == ProcessUser.effective ? "" : " (uid \(recording.user))"
    return "\(recording.name)\(owner)  \(parts.joined(separator: ", "))"
  }
}
