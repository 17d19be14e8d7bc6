import CommandLineParsing

/// A command of `geofenced` with its definition.
protocol Subcommand: SendableMetatype {
  /// Its name, options, help and examples.
  static var definition: Command { get }

  /// Runs the command.
  ///
  /// - Throws: `UsageError`, ``CommandFailure`` or an error whose description is shown to the user as one line.
  static func run(_ arguments: ParsedArguments) async throws
}

/// A failure with an exit code of its own.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
  var exitCode = ExitCode.failure
}
