package import ControlInterface
import Foundation
import Glibc
import Synchronization
package import Varlink

/// The real program, run as a daemon with its own folders and configuration.
///
/// Everything is below one temporary folder. The daemon ends with ``remove()``, with its owner, and with the test's
/// process, however that ends.
package final class DaemonProcess: Sendable {
  /// The path of the program, in the folder where the tests were built.
  package static let program: String = {
    let here = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let built = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: ".build/debug")
    return [here, built].map { $0.appending(path: "geofenced").path() }
      .first { access($0, X_OK) == 0 } ?? "geofenced"
  }()

  private let folders: TemporaryFolder

  /// The folder with everything of this daemon.
  package var folder: String { folders.path }

  /// The folder with conditions and events.
  package var stateDirectory: String { folder + "/state" }

  /// The folder with the sockets.
  package var runtimeDirectory: String { folder + "/run" }

  /// The control socket.
  package var controlSocket: String { runtimeDirectory + "/io.geofenced" }

  /// The events socket.
  package var eventsSocket: String { runtimeDirectory + "/events" }

  /// The database.
  package var database: String { stateDirectory + "/geofenced.db" }

  private let process = Mutex<BoundProcess?>(nil)

  /// Prepares the folders; nothing runs yet.
  ///
  /// - Parameter parent: The folder in which its own folder is made.
  package init(configuration: String = "", in parent: String = "/tmp") throws {
    folders = try TemporaryFolder(in: parent)
    try configure(configuration)
  }

  /// Runs a daemon while the body runs, and removes everything afterwards.
  ///
  /// - Parameter isStarted: Whether the daemon has been started when the body begins; otherwise the body starts it.
  package static func with(
    _ configuration: String = "", isStarted: Bool = true,
    _ body: (DaemonProcess) async throws -> Void
  ) async throws {
    let daemon = try DaemonProcess(configuration: configuration)
    do {
      if isStarted { try await daemon.start() }
      try await body(daemon)
    } catch {
      await daemon.remove()
      throw error
    }
    await daemon.remove()
  }

  /// The same with a gpsd of its own; the test is cancelled if the machine has no gpsd.
  ///
  /// - Parameter more: Further lines of the configuration.
  package static func withGPSD(
    more: String = "", _ body: (DaemonProcess, GPSDProcess) async throws -> Void
  ) async throws {
    let gpsd = try GPSDProcess.orCancel()
    try await with(configuration(gpsdPort: gpsd.port, more: more)) { daemon in
      try await body(daemon, gpsd)
    }
  }

  /// A configuration that reads gpsd on a port, reconnects quickly, and is quiet otherwise.
  package static func configuration(gpsdPort port: Int, more: String = "") -> String {
    """
    [Receiver]
    Port=\(port)
    ReconnectMinSec=100ms
    ReconnectMaxSec=1s
    [Journal]
    Enabled=no
    \(more)

    """
  }

  /// Writes the configuration; a running daemon reads it after SIGHUP.
  package func configure(_ text: String) throws {
    try text.write(toFile: folder + "/geofenced.conf", atomically: true, encoding: .utf8)
  }

  // MARK: Its life

  /// Starts the daemon and returns when it answers on its control socket.
  package func start() async throws {
    try launch()
    try await wait(for: "answer") {
      if let endStatus { throw TestFailure("the daemon ended with \(endStatus): \(log)") }
      return try? await status()
    }
  }

  /// Starts the daemon without waiting until it answers.
  ///
  /// For a daemon that should refuse to start, or whose start is watched in another way.
  ///
  /// - Parameter starter: A program that starts the daemon, with its arguments.
  package func launch(by starter: [String] = []) throws {
    let output = open(folder + "/output", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let errors = open(folder + "/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer {
      close(output)
      close(errors)
    }
    let new = try BoundProcess(
      starter + [
        Self.program, "run", "--config", folder + "/geofenced.conf",
        "--state-directory", stateDirectory, "--runtime-directory", runtimeDirectory,
      ], output: output, errors: errors)
    process.withLock { $0 = new }
  }

  /// The exit status, or 128 plus the number of the signal that ended the daemon; nil while it runs.
  package var endStatus: Int32? { process.withLock { $0 }?.status }

  /// The process id.
  package var identifier: Int32? { process.withLock { $0 }?.identifier }

  /// Waits for the end of the daemon and returns its status.
  package func end() async -> Int32 { await process.withLock { $0 }?.end() ?? -1 }

  /// Sends the daemon a signal.
  package func kill(_ signal: CInt) { process.withLock { $0 }?.kill(signal) }

  /// Kills the daemon and starts it again in the same folders.
  package func crash() async throws {
    kill(SIGKILL)
    _ = await end()
    try await start()
  }

  /// Ends the daemon, with SIGTERM first; its folders stay.
  package func stop() async {
    kill(SIGCONT)
    kill(SIGTERM)
    await withTaskGroup { group in
      group.addTask { _ = await self.end() }
      group.addTask {
        do { try await Task.sleep(for: .untilItHangs) } catch { return }
        self.kill(SIGKILL)
      }
      await group.next()
      group.cancelAll()
    }
    _ = await end()
  }

  /// Ends the daemon and removes its folders.
  package func remove() async {
    await stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: What it says

  /// Everything that the daemon wrote to standard error, since its first start.
  package var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

  /// Waits for a text in the log.
  package func waitForLog(_ text: String) async throws {
    try await wait(for: "'\(text)' in the log") { self.log.contains(text) ? true : nil }
  }

  /// Runs `geofenced ctl` on this daemon.
  package func ctl(_ arguments: String...) async throws -> Command.Result {
    try await ctl(arguments)
  }

  /// Runs `geofenced ctl` on this daemon.
  package func ctl(_ arguments: [String]) async throws -> Command.Result {
    try await Self.run(["ctl", "--socket", controlSocket] + arguments)
  }

  /// Runs `geofenced` to its end, for at most five minutes, in UTC unless the environment says otherwise.
  package static func run(
    _ arguments: [String], environment: [String] = [], input: Int32? = nil
  ) async throws -> Command.Result {
    try await Command(
      ["env", "TZ=UTC", "env"] + environment + ["timeout", "-k", "1", "300", program] + arguments
    ).run(input: input)
  }

  /// A connection to the control socket.
  package func connect() async throws -> sending VarlinkConnection {
    try await VarlinkConnection.connect(toPath: controlSocket, replyTimeout: .untilItHangs)
  }

  /// The reply to `Status`.
  package func status() async throws -> Status.Reply {
    try await connect().call(Status.self, Status.Parameters())
  }

  /// Waits until the status fulfils a condition, and returns it.
  @discardableResult
  package func waitForStatus(
    _ purpose: String, _ isFulfilled: @Sendable (Status.Reply) -> Bool
  ) async throws -> Status.Reply {
    try await wait(for: purpose) {
      let status = try await self.status()
      return isFulfilled(status) ? status : nil
    }
  }

  /// Asks again and again until there is an answer; throws after ``Duration/untilItHangs``.
  @discardableResult
  package func wait<Value>(
    for purpose: String, _ ask: () async throws -> Value?
  ) async throws -> Value {
    try await firstAnswer(ask) {
      let shown = try? await ctl("status").output
      return "no \(purpose); the status is\n\(shown ?? "-")\nlog\n\(log)"
    }
  }
}
