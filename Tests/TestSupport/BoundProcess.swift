import Dispatch
import Foundation
import Glibc
import Synchronization

/// Another program that runs beside a test, and ends with its owner and with the test's own process,
/// however that ends.
final class BoundProcess: Sendable {
  private let child: Command.Child
  private let exited = DispatchGroup()

  /// Starts a program; what it says goes to `/dev/null` where nothing else is given.
  ///
  /// - Parameters:
  ///   - words: the command; the first is found in `PATH` if it isn't a path.
  ///   - privileges: options of setpriv(1) for what the program gives up. They are given here because
  ///     a change of user forgets the signal of the parent's death.
  init(
    _ words: [String], privileges: [String] = [], output: Int32? = nil, errors: Int32? = nil
  ) throws {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let command = Command(["setpriv"] + privileges + ["--pdeathsig", "KILL"] + words)
    let started = DispatchSemaphore(value: 0)
    let outcome = Mutex(Result<Command.Child, any Error>.failure(CancellationError()))
    exited.enter()
    // The program is killed when the thread that started it ends: so the thread waits for it.
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

  /// Its process id.
  var identifier: pid_t { child.identifier }

  /// The exit status when it has ended; a signal's is 128 and its number.
  var status: Int32? { hasEnded(within: .zero) ? child.status() : nil }

  /// Waits for its end on this thread; false when the time was over first.
  func hasEnded(within patience: Duration) -> Bool {
    exited.wait(timeout: .now() + patience / .seconds(1)) == .success
  }

  /// Waits for its end.
  func end() async -> Int32 {
    await withCheckedContinuation { continuation in
      exited.notify(queue: .global()) { [child] in
        continuation.resume(returning: child.status() ?? -1)
      }
    }
  }

  /// Sends it a signal, unless it has ended.
  func kill(_ signal: CInt) {
    if status == nil { _ = Glibc.kill(identifier, signal) }
  }

  /// Ends it, kindly at first, and waits for that on this thread.
  func stop() {
    // A stopped process takes no SIGTERM.
    kill(SIGCONT)
    kill(SIGTERM)
    if hasEnded(within: .seconds(2)) { return }
    kill(SIGKILL)
    exited.wait()
  }
}

extension BoundProcess {
  /// Starts gpsd for clients on a port of 127.0.0.1; it ends with its owner too.
  static func gpsd(servingPort port: Int, _ arguments: [String]) throws -> BoundProcess {
    try BoundProcess(
      [
        "env", "-i", "PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin",
        "GPSD_SHM_KEY=\(0x4770_0000 + port)", "gpsd", "-N", "-b", "-S", String(port),
      ] + arguments,
      // gpsd gives up root by itself, but forgets the signal of the parent's death as it does.
      privileges: geteuid() == 0
        ? ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] : [])
  }
}
