/// A command line that can't be understood: one line for standard error.
///
/// The program prints `description` and exits with ``ExitCode/usage``.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  /// The command that was understood so far, for example `geofenced ctl add`.
  package let command: String
  /// What is wrong and what would be right.
  package let message: String

  package init(command: String, message: String) {
    self.command = command
    self.message = message
  }

  /// The command and the message on one line.
  package var description: String { "\(command): \(message)" }
}

/// Text in quotes on one line: control characters are escaped and long text is cut.
package func quoted(_ text: some StringProtocol) -> String {
  "'\(shortened(text))'"
}

/// Text on one line: control characters are escaped and long text is cut.
package func shortened(_ text: some StringProtocol) -> String {
  let scalars = text.unicodeScalars
  // Those from U+0080 on are commands to a terminal, too.
  let shown = scalars.prefix(60).map { scalar in
    scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
  }
  return shown.joined() + (scalars.dropFirst(60).isEmpty ? "" : "…")
}
