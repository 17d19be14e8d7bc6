import CommandLineParsing
import LinuxSystem

/// A program that is handed events on its standard input, one a line.
struct EventProgram {
  /// The program and its arguments.
  let words: [String]

  /// - Throws: ``CommandFailure`` where there is no such program: whoever waits for an alarm has to hear of it before.
  init(words: [String]) throws {
    self.words = words
    do throws(Errno) {
      try ChildProcess.check(words[0])
    } catch {
      throw cannotRun(error)
    }
  }

  /// Hands it lines.
  ///
  /// - Returns: nil where it has dealt with them; else what went wrong.
  /// - Throws: ``CommandFailure`` where it can't be run, or there is no room for the lines.
  func take(_ lines: [String]) async throws -> String? {
    // Not a pipe: whoever doesn't read all of it may still succeed.
    let file = try UnnamedFile()
    for line in lines { try file.append(Array(line.utf8)) }
    let status: CInt
    do {
      status = try await ChildProcess.run(words, input: file.path)
    } catch let error as Errno {
      throw cannotRun(error)
    }
    // It lives until the program has ended.
    _ = file.path
    guard status != 0 else { return nil }
    return status < 0
      ? "\(quoted(words[0])) was ended by signal \(-status)"
      : "\(quoted(words[0])) failed with exit status \(status)"
  }

  private func cannotRun(_ error: Errno) -> CommandFailure {
    CommandFailure(description: "can't run \(quoted(words[0])): \(error)")
  }
}
