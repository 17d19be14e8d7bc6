package import CommandLineParsing
import Glibc
import LinuxSystem

/// Why there is no result, in one line.
package struct BenchmarkFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// What the programs that measure something have in common: a command line, results, and progress.
package enum BenchmarkProgram {
  /// Does what a command line asks for, and says why it can't be done.
  ///
  /// - Parameter words: the command line without the program's name.
  package static func run(
    _ definition: CommandLineParsing.Command, _ words: [String],
    _ body: (ParsedArguments) async throws -> ExitCode
  ) async -> ExitCode {
    // Who stops reading gets an error in the writing, and what was begun is ended: not a signal.
    signal(SIGPIPE, SIG_IGN)
    do {
      switch try definition.parse(words) {
      case .show(let text):
        try write(text)
        return .success
      case .run(let arguments): return try await body(arguments)
      }
    } catch let error as UsageError {
      tell(error.description)
      return .usage
    } catch {
      tell("\(definition.name): \(error)")
      return .failure
    }
  }

  /// Writes results.
  package static func write(_ text: String) throws {
    do {
      try FileContents.write(Array(text.utf8), to: STDOUT_FILENO)
    } catch {
      throw BenchmarkFailure("the results can't be written: \(error)")
    }
  }

  /// Tells how far it has come.
  package static func tell(_ line: String) {
    try? FileContents.write(Array((line + "\n").utf8), to: STDERR_FILENO)
  }
}
