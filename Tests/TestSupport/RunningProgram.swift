import Foundation
import Glibc

/// Another program that runs beside a test, and whose output can be read meanwhile.
///
/// It ends with ``stop()`` or with the last reference to it, and after ten minutes at the latest.
package final class RunningProgram: Sendable {
  private let folder: TemporaryFolder
  private let child: Command.Child

  /// Starts a program.
  ///
  /// - Parameter input: The descriptor that becomes its standard input; `/dev/null` if nil.
  package init(_ words: [String], input: Int32? = nil) throws {
    folder = try TemporaryFolder()
    let output = open(folder.path + "/output", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let errors = open(folder.path + "/errors", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer {
      close(output)
      close(errors)
    }
    child = try Command(["timeout", "-k", "1", "600"] + words)
      .spawn(input: input, output: output, errors: errors)
  }

  deinit {
    guard child.status() == nil else { return }
    kill(SIGKILL)
    child.stop()
  }

  /// The complete lines that it has written to standard output.
  package var lines: [String] {
    let text = (try? String(contentsOfFile: folder.path + "/output", encoding: .utf8)) ?? ""
    // A line without its end isn't complete yet.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// What it has written to standard error.
  package var errors: String {
    (try? String(contentsOfFile: folder.path + "/errors", encoding: .utf8)) ?? ""
  }

  /// The exit status, as in ``Command/Result``; nil while it runs.
  package var status: Int32? { child.status() }

  /// Sends a signal to the program and all that it has started: SIGSTOP makes them hang, SIGCONT makes them go on.
  package func kill(_ signal: CInt) {
    // The program has its own session, and so its own process group.
    _ = Glibc.kill(-child.identifier, signal)
  }

  /// Waits for the program's end and returns its exit status.
  package func end() async -> Int32 { await child.end() }

  /// Kills the program and waits for its end.
  package func stop() async {
    kill(SIGKILL)
    _ = await child.end()
  }
}
