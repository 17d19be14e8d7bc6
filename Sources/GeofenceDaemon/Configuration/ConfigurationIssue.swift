/// Something about the configuration that its author should know.
package struct ConfigurationIssue: Error, Equatable, Sendable, CustomStringConvertible {
  /// How bad it is.
  package enum Severity: Sendable {
    /// The configuration can't be used.
    case error
    /// The line has no effect; the rest can be used.
    case ignored
    /// It can be used, but may not do what was meant.
    case warning
  }

  package let severity: Severity
  package let file: String
  /// The line, counted from 1; nil when the file as a whole is meant.
  package let line: Int?
  /// What is wrong and what would be right.
  package let message: String

  package init(_ severity: Severity, file: String, line: Int? = nil, _ message: String) {
    self.severity = severity
    self.file = file
    self.line = line
    self.message = message
  }

  /// One line: `file:line: message`.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(severity == .error ? "" : "warning: ")\(message)"
  }
}
