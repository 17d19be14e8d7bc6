import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem
import Varlink

/// The command `geofenced ctl names`, which the completion of shells calls.
enum NamesCommand: Subcommand {
  /// The kinds of names.
  enum Kind: String, CaseIterable {
    case condition

    /// The conditions of all monitors, unless one is named.
    case anyCondition
    case monitor
    case consumer
    case session
    case recording
  }

  /// The words of the command.
  static let path = ["ctl", "names"]

  static let definition = Command(
    "names", abstract: "Print the names there are, for completion.",
    examples: [Example("geofenced ctl names monitor tr", "Monitors that begin with 'tr'.")],
    arguments: [
      Argument(
        "kind", takes: .choice("KIND", Kind.allCases.map(\.rawValue)), help: "Of what."),
      Argument(
        "prefix", takes: .text("PREFIX", TextRule("a text") { _ in true }), isRequired: false,
        help: "What they begin with."),
    ],
    options: [ControlClient.monitor, ControlClient.user], isHidden: true)

  /// How many names are printed at most: more than anybody reads.
  ///
  /// If there are more, none is printed: the shell would complete what the printed ones have in common, although the
  /// others may begin differently.
  private static let limit = 1_000

  /// How long a completion may take: one answer, and all of them.
  private static let patience = Duration.seconds(2)

  static func run(_ arguments: ParsedArguments) async throws {
    var prefix = arguments.string("prefix") ?? ""
    let user = try ControlClient.ownUser(arguments)
    var monitor = arguments.string("monitor")
    guard let kind = Kind(rawValue: try arguments.requiredString("kind")) else { return }
    // A condition may be typed with its monitor in front of it.
    var start = ""
    if [.condition, .anyCondition].contains(kind), let slash = prefix.firstIndex(of: "/") {
      start = String(prefix[...slash])
      monitor = String(prefix[..<slash])
      prefix = String(prefix[prefix.index(after: slash)...])
    }
    let all = try await ControlClient.connected(arguments, patience: patience) {
      [monitor, prefix] connection in
      try await names(
        of: kind, monitor, user, from: prefix, until: .now + patience, over: connection)
    }
    // Names that begin with a hyphen would be taken for options, except negative numbers.
    let matching = all.filter { name in
      name.hasPrefix(prefix)
        && (!name.hasPrefix("-") || name.dropFirst().first.map { $0 == "." || $0.isNumber } == true)
    }
    guard matching.count <= limit else { return }
    try Console.write(matching.map { "\(start)\($0)\n" }.joined())
  }

  /// The names of a kind.
  ///
  /// - Parameter prefix: the beginning of conditions. Of other kinds there are few, so all are returned.
  private static func names(
    of kind: Kind, _ monitor: String?, _ user: UInt32?, from prefix: String,
    until end: ContinuousClock.Instant, over connection: VarlinkConnection
  ) async throws -> [String] {
    func owned<Method: ControlMethod>(_ method: Method.Type) async throws -> Method.Reply
    where Method.Parameters == OwnerParameters {
      try await connection.call(Method.self, OwnerParameters(user: user))
    }
    switch kind {
    case .condition:
      let monitor = monitor ?? GeofencedInterface.defaultMonitor
      return try await conditions(of: monitor, user, from: prefix, until: end, over: connection)
    case .anyCondition:
      let monitors =
        if let monitor { [monitor] } else { try await owned(Monitors.self).monitors.map(\.monitor) }
      var names: Set<String> = []
      for monitor in monitors where names.count <= limit {
        names.formUnion(
          try await conditions(of: monitor, user, from: prefix, until: end, over: connection))
      }
      return names.sorted()
    case .monitor: return try await owned(Monitors.self).monitors.map(\.monitor)
    case .consumer:
      return try await owned(Consumers.self).consumers.filter { $0.monitor == monitor }
        .map(\.consumer)
    case .session: return try await owned(Sessions.self).sessions.map(\.name)
    case .recording: return try await owned(Recordings.self).recordings.map(\.name)
    }
  }

  /// The identifiers with a prefix, in order: a monitor may have a million others.
  private static func conditions(
    of monitor: String, _ user: UInt32?, from prefix: String, until end: ContinuousClock.Instant,
    over connection: VarlinkConnection
  ) async throws -> [String] {
    var parameters = List.Parameters(user: user, monitor: monitor)
    if let before = predecessor(of: prefix) {
      let monitor = MonitorKey(user: user ?? ProcessUser.effective, name: monitor)
      parameters.after = List.Place(ConditionKey(monitor: monitor, identifier: before))
    }
    var names: [String] = []
    while names.count <= limit {
      // Only some of the names would mislead; see the limit.
      guard .now < end else { throw VarlinkConnectionError.timedOut }
      let records: [MonitorRecord] = try await connection.call(List.self, parameters).records
      names += records.map(\.identifier)
      guard let last = records.last, last.identifier.hasPrefix(prefix) else { break }
      parameters.after = List.Place(last.key)
    }
    return names.filter { $0.hasPrefix(prefix) }
  }

  /// A text that comes right before all identifiers with a prefix; nil if there is none, or no such identifier.
  private static func predecessor(of prefix: String) -> String? {
    guard Identifier.isValid(prefix), let last = prefix.utf8.last else { return nil }
    // A tilde comes after all characters that names may have.
    return String(prefix.dropLast()) + String(UnicodeScalar(last - 1)) + "~"
  }
}
