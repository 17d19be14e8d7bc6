import CommandLineParsing
import ControlInterface
import Geofencing
import Glibc
import Varlink

/// The command `geofenced ctl names`, which completion asks.
enum NamesCommand: Subcommand {
  /// What has names.
  enum Kind: String, CaseIterable {
    case condition

    /// Those of all monitors, unless one is named.
    case anyCondition
    case monitor
    case consumer
    case session
    case recording
  }

  /// The words that lead to it.
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

  /// As many as anybody looks at.
  ///
  /// Where there are more nothing is printed: what some of them have in common
  /// would be taken for what all begin with.
  private static let limit = 1_000

  /// How long a person waits for a completion: for one answer, and for all of them.
  private static let patience = Duration.seconds(2)

  static func run(_ arguments: ParsedArguments) async throws {
    let prefix = arguments.string("prefix") ?? ""
    // Root, who names no user, would be told everybody's.
    let user = try ControlClient.user(arguments) ?? (geteuid() == 0 ? 0 : nil)
    let monitor = arguments.string("monitor")
    let kind = Kind(rawValue: try arguments.requiredString("kind"))
    let names = try await ControlClient.connected(arguments, patience: patience) { connection in
      func call<Method: ControlMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters
      ) async throws -> Method.Reply {
        try await connection.call(Method.qualifiedName, parameters)
      }
      let owner = OwnerParameters(user: user)
      switch kind {
      case .condition:
        let monitor = monitor ?? GeofencedInterface.defaultMonitor
        return try await conditions(of: monitor, user, from: prefix, over: connection)
      case .anyCondition:
        let all = try await call(Monitors.self, owner).monitors.map(\.monitor)
        var names: Set<String> = []
        for monitor in monitor.map({ [$0] }) ?? all where names.count <= limit {
          names.formUnion(
            try await conditions(of: monitor, user, from: prefix, over: connection))
        }
        return names.sorted()
      case .monitor: return try await call(Monitors.self, owner).monitors.map(\.monitor)
      case .consumer:
        return try await call(Consumers.self, owner).consumers
          .filter { $0.monitor == monitor }.map(\.consumer)
      case .session: return try await call(Sessions.self, owner).sessions.map(\.name)
      case .recording: return try await call(Recordings.self, owner).recordings.map(\.name)
      case nil: return []
      }
    }
    // Those that begin with a hyphen would be taken for options.
    let matching = names.filter { $0.hasPrefix(prefix) && !$0.hasPrefix("-") }
    guard matching.count <= limit else { return }
    try Console.write(matching.map { "\($0)\n" }.joined())
  }

  /// The identifiers from a prefix on, in order: a monitor may have a million others.
  private static func conditions(
    of monitor: String, _ user: UInt32?, from prefix: String, over connection: VarlinkConnection
  ) async throws -> [String] {
    var parameters = List.Parameters(user: user, monitor: monitor)
    if let before = predecessor(of: prefix) {
      parameters.after = List.Place(
        user: user ?? geteuid(), monitor: monitor, identifier: before)
    }
    var names: [String] = []
    let end = ContinuousClock.now + patience
    while names.count <= limit {
      guard ContinuousClock.now < end else { return [] }
      let records: [MonitorRecord] = try await connection.call(
        List.qualifiedName, parameters, returning: List.Reply.self
      ).records
      names += records.map(\.identifier)
      guard let last = records.last, last.identifier.hasPrefix(prefix) else { break }
      parameters.after = List.Place(
        user: last.user, monitor: last.monitor, identifier: last.identifier)
    }
    return names.filter { $0.hasPrefix(prefix) }
  }

  /// What comes right before all that begin with a prefix; nil where nothing does, or nothing can begin so.
  private static func predecessor(of prefix: String) -> String? {
    guard Identifier.isValid(prefix), let last = prefix.utf8.last else { return nil }
    // A tilde comes after all characters of names.
    return String(prefix.dropLast()) + String(UnicodeScalar(last - 1)) + "~"
  }
}
