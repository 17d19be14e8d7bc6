import Foundation
import Glibc
import LinuxSystem
import Synchronization

/// A real gpsd that reads what a test feeds it, as if from a receiver.
///
/// The test listens, and gpsd takes its data from there over TCP: nothing is lost and nothing waits
/// for a serial line. It ends with ``stop()``, with its owner, and with the test's own process, however
/// that ends.
package final class GPSDProcess: Sendable {
  /// Why gpsd didn't come up.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether there is a gpsd to run; cancel the test if not.
  package static var isInstalled: Bool { program("gpsd") != nil && program("setpriv") != nil }

  /// The port that clients connect to, on 127.0.0.1.
  package let port: Int

  private struct State {
    var process: (identifier: pid_t, exited: DispatchSemaphore)?
    var receiver: StreamSocket?
  }

  private let source: LoopbackListener
  private let state = Mutex(State())

  /// Starts gpsd, and returns when it has opened its "receiver".
  package init() throws {
    source = try LoopbackListener()
    port = try LoopbackListener().port
    try start()
  }

  deinit { stop() }

  /// Feeds bytes as the receiver, slowly enough for gpsd to lose none (it drops clients' messages
  /// from about 4 MB/s on).
  package func feed(_ bytes: [UInt8]) async throws {
    guard let receiver = state.withLock({ $0.receiver }) else {
      throw Failure(description: "gpsd isn't running")
    }
    let clock = ContinuousClock()
    let start = clock.now
    var sent = 0
    while sent < bytes.count {
      let end = min(sent + 4096, bytes.count)
      try await receiver.write(Array(bytes[sent..<end]))
      sent = end
      try await clock.sleep(until: start + .microseconds(sent), tolerance: .zero)
    }
  }

  /// Feeds text as the receiver.
  package func feed(_ text: String) async throws { try await feed(Array(text.utf8)) }

  /// Sends gpsd a signal: SIGSTOP makes it hang, SIGCONT go on, SIGKILL die.
  package func kill(_ signal: CInt) {
    guard let process = state.withLock({ $0.process }) else { return }
    _ = Glibc.kill(process.identifier, signal)
    guard signal == SIGKILL || signal == SIGTERM else { return }
    process.exited.wait()
    state.withLock { $0 = State() }
  }

  /// Starts gpsd again on the same port, ending the one that runs.
  package func restart() throws {
    stop()
    try start()
  }

  /// Ends gpsd.
  package func stop() {
    guard let process = state.withLock({ $0.process }) else { return }
    // A stopped process takes no SIGTERM.
    _ = Glibc.kill(process.identifier, SIGCONT)
    _ = Glibc.kill(process.identifier, SIGTERM)
    if process.exited.wait(timeout: .now() + 2) == .timedOut {
      _ = Glibc.kill(process.identifier, SIGKILL)
      process.exited.wait()
    }
    state.withLock { $0 = State() }
  }

  private func start() throws {
    guard let gpsd = Self.program("gpsd"), let setpriv = Self.program("setpriv") else {
      throw Failure(description: "gpsd or setpriv isn't installed")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: setpriv)
    // gpsd gives up root by itself, but a change of user forgets the signal of the parent's death.
    let unprivileged = ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
    process.arguments =
      (geteuid() == 0 ? unprivileged : []) + [
        "--pdeathsig", "KILL", gpsd, "-N", "-n", "-b", "-S", String(port),
        "tcp://127.0.0.1:\(source.port)",
      ]
    process.environment = [
      "GPSD_SHM_KEY": String(0x4770_0000 + port), "PATH": "/usr/sbin:/usr/bin",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let identifier = try run(process)
    state.withLock { $0.process = identifier }
    do {
      let receiver = try accept()
      state.withLock { $0.receiver = receiver }
    } catch {
      stop()
      throw error
    }
  }

  /// Runs gpsd as the child of a thread that lives as long: the signal comes when that thread ends.
  private func run(_ process: Process) throws -> (pid_t, DispatchSemaphore) {
    let (started, exited) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let outcome = Outcome()
    Thread.detachNewThread {
      do {
        try process.run()
        started.signal()
        process.waitUntilExit()
      } catch {
        outcome.error.withLock { $0 = error }
        started.signal()
      }
      exited.signal()
    }
    started.wait()
    if let error = outcome.error.withLock({ $0 }) { throw error }
    return (process.processIdentifier, exited)
  }

  /// What a thread tells the one that started it.
  private final class Outcome: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  private func accept() throws -> StreamSocket {
    var waiting = pollfd(fd: source.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 300_000) == 1 else {
      throw Failure(description: "gpsd didn't open its receiver; is port \(port) in use?")
    }
    let number = Glibc.accept(source.descriptor.rawValue, nil, nil)
    guard number >= 0 else { throw Errno.last }
    let descriptor = FileDescriptor(adopting: number)
    try descriptor.setCloseOnExec()
    try descriptor.setNonBlocking()
    return StreamSocket(adopting: descriptor)
  }

  private static func program(_ name: String) -> String? {
    ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/", "/usr/local/sbin/"].map { $0 + name }
      .first { access($0, X_OK) == 0 }
  }
}
