import CommandLineParsing
import GeofenceDaemon
import GeofenceReport
import Glibc
import LinuxSystem

/// Standard output for results, and standard error for everything else.
enum Console {
  /// Whether results go to a terminal.
  static var isTerminal: Bool { isatty(1) == 1 }

  /// Writes results, at once.
  ///
  /// - Throws: ``CommandFailure`` when they can't be written.
  static func write(_ text: String) throws {
    try write(Array(text.utf8))
  }

  /// Writes results, at once.
  static func write(_ bytes: [UInt8]) throws {
    do {
      try FileContents.write(bytes, to: STDOUT_FILENO)
    } catch {
      throw CommandFailure(description: "can't write the results: \(error)")
    }
  }

  /// Runs a body that writes results as they come, and ends the process when nobody reads them any more.
  ///
  /// Without this, the process would notice only with the next result that nobody reads, which may be far off.
  static func whileRead(
    by arguments: ParsedArguments, _ body: () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // A file can't be waited for, and has no reader.
        guard (try? await Poller.shared.wait(for: .hangUp, on: STDOUT_FILENO)) == true else {
          return
        }
        raise(SIGPIPE)
        // In services SIGPIPE is ignored. An acknowledgement that is under way gets some time; a write that
        // fails meanwhile ends all with the same message.
        do { try await PollerClock().sleep(for: .seconds(1)) } catch { return }
        tell("can't write the results: \(Errno.brokenPipe)", by: arguments)
        exit(ExitCode.failure.rawValue)
      }
      defer { group.cancelAll() }
      try await body()
    }
  }

  /// Shows a text on standard error in the place of the one before.
  static func show(_ text: String) {
    try? FileContents.write(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO)
  }

  /// Writes what is wrong to standard error, with a priority if that leads to the journal.
  static func complain(_ line: String, _ priority: OperatorLog.Priority = .error) {
    tell(OperatorLog.line(priority, line))
  }

  /// The configuration that was loaded.
  ///
  /// Writes what is wrong with it.
  ///
  /// - Parameter isStrict: Whether a configuration with ignored lines can't be used either.
  /// - Throws: ``CommandFailure`` if it can't be used.
  static func accepted(
    _ loaded: Configuration.Loaded, isStrict: Bool = false
  ) throws -> Configuration {
    for issue in loaded.issues {
      complain(issue.description, issue.severity == .error ? .error : .warning)
    }
    guard let configuration = loaded.configuration else {
      throw CommandFailure(description: "the configuration has errors, see above")
    }
    if isStrict, loaded.issues.contains(where: { $0.severity == .ignored }) {
      throw CommandFailure(
        description: "the daemon starts with it, but ignores some of it, see above")
    }
    return configuration
  }

  /// Writes a line to standard error, after the name of the command.
  static func tell(_ line: String, by arguments: ParsedArguments) {
    tell("\(arguments.command): \(line)")
  }

  /// Writes a line to standard error, without characters that could control a terminal: names of files may have any.
  static func tell(_ line: String) {
    var shown = ""
    for scalar in line.unicodeScalars {
      let isSteering = scalar.isSteering && scalar != "\n"
      shown += isSteering ? scalar.escaped(asASCII: true) : String(scalar)
    }
    try? FileContents.write(Array("\(shown)\n".utf8), to: STDERR_FILENO)
  }
}
