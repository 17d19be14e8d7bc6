import Glibc
import LinuxSystem
import Synchronization

/// A real gpsd that reads what a test feeds it, as if from a receiver.
///
/// The test listens, and gpsd takes its data from there over TCP: so nothing is lost, and nothing waits for a serial
/// line. gpsd ends with ``stop()``, with its owner, and with the test's process, however that ends.
package final class GPSDProcess: Sendable {
  /// Whether gpsd can be run here; if not, cancel the test.
  package static var isInstalled: Bool { ["gpsd", "setpriv"].allSatisfy(isProgram) }

  /// The port of 127.0.0.1 to which clients connect.
  package var port: Int { reserved.number }

  private struct State {
    var process: BoundProcess?
    var receiver: StreamSocket?
  }

  private let reserved: ReservedPort
  private let source: LoopbackListener
  private let state = Mutex(State())

  /// Starts gpsd; returns when it has opened its "receiver".
  package init() throws {
    source = try LoopbackListener()
    reserved = try ReservedPort()
    try start()
  }

  deinit { stop() }

  /// Feeds bytes as the receiver, slowly enough for gpsd to lose none.
  ///
  /// gpsd drops messages to its clients from about 4 MB/s on.
  package func feed(_ bytes: [UInt8]) async throws {
    guard let receiver = state.withLock({ $0.receiver }) else {
      throw TestFailure("gpsd isn't running")
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

  /// Sends gpsd a signal: SIGSTOP makes it hang, SIGCONT makes it go on, SIGKILL kills it.
  package func kill(_ signal: CInt) {
    guard let process = state.withLock({ $0.process }) else { return }
    process.kill(signal)
    if signal == SIGKILL || signal == SIGTERM { stop() }
  }

  /// Starts gpsd again on the same port; ends the running one first.
  package func restart() throws {
    stop()
    try start()
  }

  /// Ends gpsd.
  package func stop() {
    state.withLock { $0.process }?.stop()
    state.withLock { $0 = State() }
  }

  private func start() throws {
    guard Self.isInstalled else { throw TestFailure("gpsd or setpriv isn't installed") }
    let process = try BoundProcess.gpsd(
      servingPort: port, ["-n", "tcp://127.0.0.1:\(source.port)"])
    state.withLock { $0.process = process }
    do {
      let receiver = try accept()
      state.withLock { $0.receiver = receiver }
    } catch {
      stop()
      throw error
    }
  }

  private func accept() throws -> StreamSocket {
    var waiting = pollfd(fd: source.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 300_000) == 1 else {
      throw TestFailure("gpsd didn't open its receiver; is port \(port) in use?")
    }
    let number = Glibc.accept(source.descriptor.rawValue, nil, nil)
    guard number >= 0 else { throw Errno.last }
    let descriptor = FileDescriptor(adopting: number)
    try descriptor.setCloseOnExec()
    try descriptor.setNonBlocking()
    return StreamSocket(adopting: descriptor)
  }

  private static func isProgram(_ name: String) -> Bool {
    ["/usr/local/sbin/", "/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"]
      .contains { access($0 + name, X_OK) == 0 }
  }
}
