import Foundation
import Glibc
import TestSupport

/// A `geofenced ctl` that runs, and what it has written so far.
final class RunningCtl: Sendable {
  private let child: TestSupport.Command.Child
  private let path: String

  /// Starts it on a daemon; it ends with its owner.
  init(_ daemon: DaemonProcess, _ words: String...) throws {
    path = daemon.folder + "/" + UUID().uuidString
    let output = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let errors = open(path + ".errors", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(output)
      close(errors)
    }
    child = try Command(
      ["timeout", "-k", "1", "100", DaemonProcess.program, "ctl", "--socket"]
        + [daemon.controlSocket] + words
    ).spawn(input: nil, output: output, errors: errors)
  }

  deinit { child.stop() }

  /// The lines on standard output.
  var lines: [String] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
      .map(String.init)
  }

  /// What stands on standard error.
  var errors: String {
    (try? String(contentsOfFile: path + ".errors", encoding: .utf8)) ?? ""
  }

  /// Asks it to end, and waits.
  func terminate() async {
    _ = kill(child.identifier, SIGTERM)
    _ = await child.end()
  }

  /// Waits for its end, and returns the exit status.
  func end() async -> Int32 { await child.end() }
}
