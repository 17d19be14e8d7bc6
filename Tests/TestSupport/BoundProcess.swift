import Dispatch
import Foundation
import Glibc
import Synchronization

/// Another program that runs beside a test.
///
/// It ends with its owner, and with the test's process, however that ends.
final class BoundProcess: Sendable {
  private let child: Command.Child
  private let exited = DispatchGroup()

  /// Starts a program; its output goes to `/dev/null` unless another descriptor is given.
  ///
  /// - Parameters:
  ///   - words: The command; the first word is found in `PATH` if it isn't a path.
  ///   - privileges: Options of setpriv(1) for privileges that the program gives up. They are needed here because
  ///     after a change of user the program would no longer be killed at its parent's death.
  init(
    _ words: [String], privileges: [String] = [], output: Int32? = nil, errors: Int32? = nil
  ) throws {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let command = Command(["setpriv"] + privileges + ["--pdeathsig", "KILL"] + words)
    let started = DispatchSemaphore(value: 0)
    let outcome = Mutex(Result<Command.Child, any Error>.failure(CancellationError()))
    exited.enter()
    // The program is killed when the thread that started it ends, so this thread waits for the program.
    Thread.detachNewThread { [exited] in
      let result = Result {
        try command.spawn(input: nil, output: output ?? nowhere, errors: errors ?? nowhere)
      }
      outcome.withLock { $0 = result }
      started.signal()
      _ = try? result.get().wait()
      exited.leave()
    }
    started.wait()
    child = try outcome.withLock { $0 }.get()
  }

  deinit { kill(SIGKILL) }

  /// The process id.
  var identifier: pid_t { child.identifier }

  /// The exit status, or 128 plus the number of the signal that ended the program; nil while it runs.
  var status: Int32? { hasEnded(within: .zero) ? child.status() : nil }

  /// Waits for the program's end on this thread; false if the time was over first.
  func hasEnded(within patience: Duration) -> Bool {
    exited.wait(timeout: .now() + patience / .seconds(1)) == .success
  }

  /// Waits for the program's end and returns its status.
  func end() async -> Int32 {
    await withCheckedContinuation { continuation in
      exited.notify(queue: .global()) { [child] in
        continuation.resume(returning: child.status() ?? -1)
      }
    }
  }

  /// Sends the program a signal, unless it has ended.
  func kill(_ signal: CInt) {
    if status == nil { _ = Glibc.kill(identifier, signal) }
  }

  /// Ends the program, with SIGTERM first, and waits for its end on this thread.
  func stop() {
    // A stopped process doesn't react to SIGTERM.
    kill(SIGCONT)
    kill(SIGTERM)
    if hasEnded(within: .seconds(2)) { return }
    kill(SIGKILL)
    exited.wait()
  }
}

extension BoundProcess {
  /// Starts gpsd for clients on a port of 127.0.0.1; like other programs it ends with its owner.
  static func gpsd(servingPort port: Int, _ arguments: [String]) throws -> BoundProcess {
    try BoundProcess(
      [
        "env", "-i", "PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin",
        "GPSD_SHM_KEY=\(0x4770_0000 + port)", "gpsd", "-N", "-b", "-S", String(port),
      ] + arguments,
      // gpsd gives up root by itself, but then it would no longer be killed at its parent's death.
      privileges: geteuid() == 0
        ? ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] : [])
  }
}
