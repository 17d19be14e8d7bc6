import Foundation
import Glibc

/// Another program that runs beside a test, whose output can be read meanwhile.
///
/// It ends with ``stop()`` or with the last reference to it, and after ten minutes in any case.
package final class RunningProgram: Sendable {
  private let folder: TemporaryFolder
  private let child: Command.Child

  /// Starts a program.
  ///
  /// - Parameter input: the descriptor that becomes its standard input; `/dev/null` if nil.
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

  /// The lines that it has written to standard output in full.
  package var lines: [String] {
    let text = (try? String(contentsOfFile: folder.path + "/output", encoding: .utf8)) ?? ""
    // What follows the last line end isn't a line yet.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// What it has written to standard error.
  package var errors: String {
    (try? String(contentsOfFile: folder.path + "/errors", encoding: .utf8)) ?? ""
  }

  /// Its exit status when it has ended, as that of ``Command/Result``.
  package var status: Int32? { child.status() }

  /// Sends it a signal, and whatever it has started: SIGSTOP makes it hang, SIGCONT go on.
  package func kill(_ signal: CInt) {
    // A session of its own is a group of its own.
    _ = Glibc.kill(-child.identifier, signal)
  }

  /// Waits for its end and returns its exit status.
  package func end() async -> Int32 { await child.end() }

  /// Ends it at once.
  package func stop() async {
    kill(SIGKILL)
    _ = await child.end()
  }
}
