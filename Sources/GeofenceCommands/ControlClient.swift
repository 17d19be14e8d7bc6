import CommandLineParsing
import ControlInterface
import GeofenceReport
import Geofencing
import JSONCoding
import LinuxSystem
import Varlink

/// The options that the `ctl` commands share, and how they talk to the daemon.
enum ControlClient {
  static let socket = Option(
    "socket", takes: .file("PATH"), defaultValue: GeofencedInterface.defaultSocketPath,
    help: "The daemon's control socket; the variable GEOFENCED_SOCKET sets it too.")
  static let json = Option("json", help: "Print JSON, one object a line, for programs.")
  /// The option of commands that need a monitor.
  static let monitor = Option(
    "monitor", short: "m", takes: .name(of: .monitor), help: "The monitor; without it, 'default'.")
  /// The argument of commands about one condition.
  static let condition = Argument(
    "identifier", takes: .name(of: .condition),
    help: "The condition, also as [UID:]MONITOR/IDENTIFIER.")
  /// The option of commands that look at all monitors unless one is named.
  static let anyMonitor = Option(
    "monitor", short: "m", takes: .name(of: .monitor),
    help: "Only this monitor; without it, all of them.")
  static let user = owner(of: "monitor")

  /// The same for commands that look at all monitors.
  static let anyUser = Option(
    "user", takes: .text("USER"),
    help: "Only this user's, by name or uid; without it, root sees everybody's.")

  /// The option `--user`, for things of this kind.
  static func owner(of kind: String) -> Option {
    Option(
      "user", takes: .text("USER"),
      help: "The owner of the \(kind), by name or uid; only root may name another.")
  }

  /// Calls a method and waits for its answer.
  static func call<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, _ arguments: ParsedArguments
  ) async throws -> Method.Reply {
    try await connected(arguments) { try await $0.call(Method.self, parameters) }
  }

  /// Calls a method as one of many calls in a row; see ``patiently(_:)``.
  static func callPatiently<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, _ arguments: ParsedArguments
  ) async throws -> Method.Reply {
    try await patiently { try await call(method, parameters, arguments) }
  }

  /// Calls a method with `more` and hands over its answers as they come.
  ///
  /// - Parameter prompt: Which answers come at once: if the daemon doesn't send one of these, it is given up as in
  ///   ``call(_:_:_:)``.
  static func stream<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, _ arguments: ParsedArguments,
    prompt: VarlinkPromptReplies, _ body: (Method.Reply) async throws -> Void
  ) async throws {
    try await connected(arguments) { connection in
      let replies = connection.stream(Method.self, parameters, prompt: prompt)
      for try await reply in replies { try await body(reply) }
    }
  }

  /// Reads all events that the parameters ask for, page by page.
  static func eachPage(
    of parameters: Events.Parameters, _ arguments: ParsedArguments,
    _ body: (Events.Reply) throws -> Void
  ) async throws {
    var next = parameters
    while true {
      let reply = try await callPatiently(Events.self, next, arguments)
      let read = [reply.lagged?.last, reply.events.last?.sequence].compactMap(\.self)
      guard let last = read.max() else { return }
      try body(reply)
      (next.since, next.last) = (last, nil)
    }
  }

  /// Connects to the daemon, and makes errors of the connection say what a person can do about them.
  ///
  /// - Parameter patience: How long each call waits for its reply.
  static func connected<Result>(
    _ arguments: ParsedArguments, patience: Duration = VarlinkConnection.usualReplyTimeout,
    _ body: (VarlinkConnection) async throws -> Result
  ) async throws -> Result {
    let isGiven = arguments.isGiven("socket")
    let path = try (isGiven ? nil : Environment.socket) ?? arguments.requiredString("socket")
    if let mistake = GeofencedInterface.mistake(inControlSocket: path) {
      throw CommandFailure(description: mistake, exitCode: .unreachable)
    }
    do {
      return try await body(VarlinkConnection.connect(toPath: path, replyTimeout: patience))
    } catch VarlinkConnectionError.permissionDenied(let path) {
      throw CommandFailure(
        description: GeofencedInterface.refusal(ofSocket: path), exitCode: .unreachable)
    } catch let error as VarlinkConnectionError {
      let question =
        switch error {
        case .noSuchSocket, .nobodyListens: "; is the daemon running?"
        case .noSocket: "; the daemon's is called \(GeofencedInterface.socketName)"
        // systemd keeps listening for a daemon that fails and is started again and again.
        case .timedOut: "; 'systemctl status geofenced' says whether it runs"
        default: ""
        }
      throw CommandFailure(description: error.description + question, exitCode: .unreachable)
    } catch let error as VarlinkError
      where [.methodNotFound, .interfaceNotFound].contains(error.standard)
    {
      throw CommandFailure(
        description: "the daemon doesn't know that yet: is it older than this program? "
          + "'systemctl restart geofenced' starts the current one")
    }
  }

  /// Says that the monitor of `--monitor`, or the user of `--user`, has nothing of what was asked for: either may be
  /// mistyped.
  ///
  /// Without both options it is said only on a terminal.
  static func tellNothing(_ what: String, _ arguments: ParsedArguments) {
    let user = arguments.string("user").map { "user \($0)" }
    let monitor = arguments.string("monitor").map {
      "the monitor '\($0)'" + (user.map { " of \($0)" } ?? "")
    }
    guard let owner = monitor ?? user else {
      guard Console.isTerminal else { return }
      let own = "you have no \(what); only root sees those of other users, including root's"
      return Console.tell(
        ProcessUser.effective == 0 ? "there are no \(what)" : own, by: arguments)
    }
    Console.tell(
      "\(owner) has no \(what); 'geofenced ctl monitor list' shows the monitors", by: arguments)
  }

  /// Says that a monitor doesn't exist yet of which events are followed: its name may be mistyped.
  ///
  /// - Parameter user: the monitor's owner; nil for the caller, or for all users if that is root.
  static func tellIfUnknown(
    _ monitor: String?, of user: UInt32?, _ arguments: ParsedArguments
  ) async {
    guard let monitor, monitor != GeofencedInterface.defaultMonitor else { return }
    let owner = OwnerParameters(user: user)
    // If this fails, there is just no note.
    guard let monitors = try? await call(Monitors.self, owner, arguments).monitors,
      !monitors.contains(where: { $0.monitor == monitor })
    else { return }
    Console.tell(
      "note: there is no monitor '\(monitor)' yet; 'geofenced ctl monitor list' shows those there are",
      by: arguments)
  }

  /// Makes one of many calls in a row, and tries again for about half a minute when there were too many in a second:
  /// other programs of the user may make calls all the time.
  static func patiently<Reply>(_ call: () async throws -> Reply) async throws -> Reply {
    var refusal: VarlinkError?
    var backoff = Backoff(from: .milliseconds(200), upTo: .seconds(2))
    while true {
      do {
        return try await call()
      } catch let error as VarlinkError
        where VarlinkFault(of: error) == .tooManyRequests
      {
        guard backoff.failures < 18 else { throw error }
        refusal = error
        try await PollerClock().sleep(for: backoff.next())
      } catch let error as VarlinkConnectionError {
        // Some refusals end the connection.
        throw refusal ?? error
      }
    }
  }

  /// The user of `--user`; nil if it isn't given.
  static func user(_ arguments: ParsedArguments) throws -> UInt32? {
    guard let text = arguments.string("user") else { return nil }
    guard let number = Int(strict: text) else {
      guard let user = ProcessUser.uid(ofUser: text) else {
        throw arguments.usageError("--user: there is no user \(quoted(text))")
      }
      return user
    }
    // The last number is no user: in C it is -1, which means "don't change".
    guard let user = UInt32(exactly: number), user != .max else {
      throw arguments.usageError("--user wants a name or a uid, got \(number)")
    }
    return user
  }

  /// The user of `--user`, which for root is root by default: the daemon would take no user for all of them.
  static func ownUser(_ arguments: ParsedArguments) throws -> UInt32? {
    try user(arguments) ?? (ProcessUser.effective == 0 ? 0 : nil)
  }

  /// The user whose things are shown without an owner: the one of `--user`, or the caller.
  static func viewer(_ arguments: ParsedArguments) throws -> UInt32 {
    try user(arguments) ?? ProcessUser.effective
  }

  /// The condition of `--user`, `--monitor` and the argument `identifier`.
  static func conditionName(_ arguments: ParsedArguments) throws -> ConditionName {
    try conditionName(arguments.requiredString("identifier"), arguments)
  }

  /// The condition of an identifier or `[UID:]MONITOR/IDENTIFIER`, with `--user` and `--monitor`.
  static func conditionName(
    _ text: String, _ arguments: ParsedArguments
  ) throws -> ConditionName {
    var (user, monitor) = (try self.user(arguments), arguments.string("monitor"))
    let (owner, name) = OwnerText.split(text)
    if let owner {
      guard user == nil || user == owner else {
        throw arguments.usageError("'\(text)' belongs to another user: leave --user out")
      }
      user = owner
    }
    let parts = name.split(separator: "/").map(String.init)
    if parts.count > 1 {
      if let monitor, monitor != parts[0] {
        throw arguments.usageError(
          "'\(text)' isn't in the monitor '\(monitor)': leave --monitor out")
      }
      monitor = parts[0]
    }
    return ConditionName(user: user, monitor: monitor, identifier: parts.last ?? name)
  }

  /// Prints a result: for a program, or as a text for a person.
  static func show(
    _ value: some Encodable, _ arguments: ParsedArguments, text: @autoclosure () throws -> String
  ) throws {
    try Console.write(arguments.flag("json") ? line(value) : text().shown)
  }

  /// Prints results for a program, each on a line.
  static func showEach(_ values: [some Encodable]) throws {
    for value in values { try Console.write(line(value)) }
  }

  /// One JSON object on a line.
  static func line(_ value: some Encodable) throws -> String {
    try CanonicalJSON.text(value) + "\n"
  }
}
