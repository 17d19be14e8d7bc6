/// The command that a command line names, and its values, each checked against its definition.
///
/// Asking for a name that the command doesn't define is a mistake in the program and traps.
package struct ParsedArguments: Sendable {
  /// The words from the program to the command, for example `["geofenced", "ctl", "add"]`.
  package let path: [String]
  private let known: Set<String>
  private let given: [String: [String]]
  private let defaults: [String: String]

  /// The path as one text, as a person types it.
  package var command: String { path.joined(separator: " ") }

  init(_ path: CommandPath, given: [String: [String]]) {
    self.path = path.commands.map(\.name)
    self.given = given
    known = Set(path.options.map(\.name) + path.command.arguments.map(\.name))
    defaults = path.options.reduce(into: [:]) { $0[$1.name] = $1.defaultValue }
  }

  /// Whether an option or argument is given on the command line, not only by its default.
  package func isGiven(_ name: String) -> Bool {
    precondition(known.contains(name), "the command defines no '\(name)'")
    return given[name] != nil
  }

  /// The same as ``isGiven(_:)`` for a name that the command may not define: false then.
  package func names(_ name: String) -> Bool { given[name] != nil }

  /// Whether a flag is given.
  package func flag(_ name: String) -> Bool { isGiven(name) }

  /// All values of an option or argument that may repeat, in order; if not given its default, else nothing.
  package func strings(_ name: String) -> [String] {
    isGiven(name) ? given[name, default: []] : defaults[name].map { [$0] } ?? []
  }

  /// The value as text; nil if it isn't given and has no default.
  package func string(_ name: String) -> String? { strings(name).last }

  /// The value of a `.number`; nil if it isn't given and has no default.
  package func double(_ name: String) -> Double? { string(name).flatMap { Double(strict: $0) } }

  /// The value of an `.integer`; nil if it isn't given and has no default.
  package func integer(_ name: String) -> Int? { string(name).flatMap { Int(strict: $0) } }

  /// The value of a `.duration`; nil if it isn't given and has no default.
  package func duration(_ name: String) -> Duration? {
    string(name).flatMap { Duration(timeSpan: $0) }
  }

  /// The value as text; throws a usage error if there is none.
  package func requiredString(_ name: String) throws(UsageError) -> String {
    try required(name, string(name))
  }

  /// The value of a `.number`; throws a usage error if there is none.
  package func requiredDouble(_ name: String) throws(UsageError) -> Double {
    try required(name, double(name))
  }

  /// An error of this command, for checks that only the command itself can make, such as a range.
  package func usageError(_ message: String) -> UsageError {
    UsageError(command: command, message: message)
  }

  /// The value; throws a usage error that names the option if the value is nil.
  package func required<T>(_ name: String, _ value: T?) throws(UsageError) -> T {
    guard let value else { throw usageError("missing '--\(name)'") }
    return value
  }
}
