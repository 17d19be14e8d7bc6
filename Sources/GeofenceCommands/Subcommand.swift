import CommandLineParsing

/// One thing that `geofenced` does, with its definition beside it.
protocol Subcommand: SendableMetatype {
  /// The name, options, help and examples.
  static var definition: Command { get }

  /// Does it.
  ///
  /// - Throws: `UsageError`, ``CommandFailure`` or an error whose description is the one line that
  ///   the user sees.
  static func run(_ arguments: ParsedArguments) async throws
}

/// A failure with an exit code of its own.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
  var exitCode = ExitCode.failure
}
