import CommandLineParsing
import TestSupport

@testable import GeofenceCommands

/// What a command is given by a command line.
func arguments(_ words: [String]) throws -> ParsedArguments {
  guard case .run(let arguments) = try Program.definition.parse(words) else {
    throw TestFailure("nothing to run")
  }
  return arguments
}
