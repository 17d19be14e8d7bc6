/// A mistake in a command line, told in one line on standard error.
///
/// The program prints `description` and exits with ``ExitCode/usage``.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  /// The command as far as it was understood, for example `geofenced ctl add`.
  package let command: String
  /// What is wrong, and what would be right.
  package let message: String

  package init(command: String, message: String) {
    self.command = command
    self.message = message
  }

  /// The command and the message on one line.
  package var description: String { "\(command): \(message)" }
}

/// A text in quotes on one line, with control characters escaped and cut after 60 characters.
package func quoted(_ text: some StringProtocol) -> String {
  "'\(shortened(text))'"
}

/// A text on one line, with control characters escaped and cut after 60 characters.
package func shortened(_ text: some StringProtocol) -> String {
  let scalars = text.unicodeScalars
  // For a terminal, the control characters from U+0080 on are commands, too.
  let shown = scalars.prefix(60).map { scalar in
    scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
  }
  return shown.joined() + (scalars.dropFirst(60).isEmpty ? "" : "…")
}
