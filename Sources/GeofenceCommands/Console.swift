import CommandLineParsing
import GeofenceDaemon
import GeofenceReport
import Glibc
import LinuxSystem

/// Standard output and standard error: results go to one, everything else to the other.
enum Console {
  /// Whether a person is looking at the results.
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

  /// Follows what happens for as long as there is somebody to read the results.
  ///
  /// Who has read enough isn't to wait for one more: without it, only what can't be written would end the process.
  static func whileRead(
    by arguments: ParsedArguments, _ body: () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // What is neither a pipe nor a socket can't be waited for, and has no other end.
        guard (try? await Poller.shared.wait(for: .hangUp, on: STDOUT_FILENO)) == true else {
          return
        }
        raise(SIGPIPE)
        // Where that is ignored, as in services. An acknowledgement that is under way gets its time; a write
        // that fails meanwhile ends all with the same words.
        do { try await PollerClock().sleep(for: .seconds(1)) } catch { return }
        tell("can't write the results: \(Errno.brokenPipe)", by: arguments)
        exit(ExitCode.failure.rawValue)
      }
      defer { group.cancelAll() }
      try await body()
    }
  }

  /// Shows a text to the person at the terminal in the place of the one that was shown before.
  static func show(_ text: String) {
    try? FileContents.write(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO)
  }

  /// Says what is wrong: to the person at the terminal, or to whoever reads the journal of a service.
  static func complain(_ line: String, _ priority: OperatorLog.Priority = .error) {
    tell(OperatorLog.line(priority, line))
  }

  /// A configuration that was loaded; says what is wrong with it.
  ///
  /// - Parameter isStrict: Whether it can't be used either where lines of it are ignored.
  /// - Throws: ``CommandFailure`` where it can't be used.
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

  /// Says something to the person at the terminal, after the name of the command that says it.
  static func tell(_ line: String, by arguments: ParsedArguments) {
    tell("\(arguments.command): \(line)")
  }

  /// Says something to the person at the terminal.
  ///
  /// Names of files may hold anything, and are not to steer it.
  static func tell(_ line: String) {
    var shown = ""
    for scalar in line.unicodeScalars {
      let isSteering = scalar.isSteering && scalar != "\n"
      shown += isSteering ? scalar.escaped(asASCII: true) : String(scalar)
    }
    try? FileContents.write(Array("\(shown)\n".utf8), to: STDERR_FILENO)
  }
}
