import CommandLineParsing
import LinuxSystem

/// A program that gets events on its standard input, one on each line.
struct EventProgram {
  /// The program and its arguments.
  let words: [String]

  /// - Throws: ``CommandFailure`` if there is no such program: when an event comes it would be too late to say so.
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
  /// - Returns: nil if it has succeeded; else what went wrong.
  /// - Throws: ``CommandFailure`` if it can't be run, or there is no room for the lines.
  func take(_ lines: [String]) async throws -> String? {
    // A file and not a pipe: a program that doesn't read everything may still succeed.
    let file = try UnnamedFile()
    for line in lines { try file.append(Array(line.utf8)) }
    let status: CInt
    do {
      status = try await ChildProcess.run(words, input: file.path)
    } catch let error as Errno {
      throw cannotRun(error)
    }
    // Keeps the file until the program has ended.
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
