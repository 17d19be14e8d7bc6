package import CommandLineParsing
import Glibc
import LinuxSystem

/// The reason why there is no result, in one line.
package struct BenchmarkFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The common parts of the benchmark programs: command line, results, and progress.
package enum BenchmarkProgram {
  /// Runs the body with the parsed command line, and prints why it failed, if it did.
  ///
  /// - Parameter words: The command line without the program's name.
  package static func run(
    _ definition: CommandLineParsing.Command, _ words: [String],
    _ body: (ParsedArguments) async throws -> ExitCode
  ) async -> ExitCode {
    // If the reader of the output goes away, writing throws, and what was begun is ended; no signal kills the program.
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

  /// Writes results to standard output.
  package static func write(_ text: String) throws {
    do {
      try FileContents.write(Array(text.utf8), to: STDOUT_FILENO)
    } catch {
      throw BenchmarkFailure("the results can't be written: \(error)")
    }
  }

  /// Tells the progress on standard error.
  package static func tell(_ line: String) {
    try? FileContents.write(Array((line + "\n").utf8), to: STDERR_FILENO)
  }
}
