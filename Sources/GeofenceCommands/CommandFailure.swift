import CommandLineParsing

/// A failure with an exit code of its own.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
  var exitCode = ExitCode.failure
}
