/// What a command line asks for: the command and its values, each of the kind that was defined.
///
/// Asking for a name that the command does not define is a mistake in the program and traps.
package struct ParsedArguments: Sendable {
  /// The words from the program to the command, for example `["geofenced", "ctl", "add"]`.
  package let path: [String]
  private let known: Set<String>
  private let given: [String: [String]]
  private let defaults: [String: String]

  /// The same as a person types it.
  package var command: String { path.joined(separator: " ") }

  init(_ path: CommandPath, given: [String: [String]]) {
    self.path = path.commands.map(\.name)
    self.given = given
    known = Set(path.options.map(\.name) + path.command.arguments.map(\.name))
    defaults = path.options.reduce(into: [:]) { $0[$1.name] = $1.defaultValue }
  }

  /// Whether the name stands on the command line itself, not only as a default.
  package func isGiven(_ name: String) -> Bool {
    precondition(known.contains(name), "the command defines no '\(name)'")
    return given[name] != nil
  }

  /// Whether the name stands on the command line, where the command may not define it.
  package func names(_ name: String) -> Bool { given[name] != nil }

  /// Whether a flag is given.
  package func flag(_ name: String) -> Bool { isGiven(name) }

  /// All values of an option or an argument that repeats, in order; else its default, else nothing.
  package func strings(_ name: String) -> [String] {
    isGiven(name) ? given[name, default: []] : defaults[name].map { [$0] } ?? []
  }

  /// The value as text, or nil when it is not given and has no default.
  package func string(_ name: String) -> String? { strings(name).last }

  /// The value of a `.number`, or nil when it is not given and has no default.
  package func double(_ name: String) -> Double? { string(name).flatMap { Double(strict: $0) } }

  /// The value of an `.integer`, or nil when it is not given and has no default.
  package func integer(_ name: String) -> Int? { string(name).flatMap { Int(strict: $0) } }

  /// The value of a `.duration`, or nil when it is not given and has no default.
  package func duration(_ name: String) -> Duration? {
    string(name).flatMap { Duration(timeSpan: $0) }
  }

  /// The value as text; without one, the error says that it is missing.
  package func requiredString(_ name: String) throws(UsageError) -> String {
    try required(name, string(name))
  }

  /// The value of a `.number`; without one, the error says that it is missing.
  package func requiredDouble(_ name: String) throws(UsageError) -> Double {
    try required(name, double(name))
  }

  /// An error of this command, for what only the command can judge, such as a range.
  package func usageError(_ message: String) -> UsageError {
    UsageError(command: command, message: message)
  }

  /// A value that was read; without one, the error says that the option is missing.
  package func required<T>(_ name: String, _ value: T?) throws(UsageError) -> T {
    guard let value else { throw usageError("missing '--\(name)'") }
    return value
  }
}
