import ControlInterface
import GeofenceDaemon
import Geofencing
import Glibc
import Positioning
import TestSupport
import Testing
import Varlink

/// A whole daemon in this process, on a clock that only the test moves, with a real gpsd.
struct SimulatedDaemon {
  /// What the daemon goes by; the date is that of the drive's beginning and moves with it.
  let clock: ManualClock

  /// The folders of the daemon; they outlive it.
  let folder: String

  let gpsd: GPSDProcess

  /// Where the control socket is.
  var controlSocket: String { folder + "/run/io.geofenced" }

  /// The date when the clock stands at zero: far from the receiver's, which must not matter.
  static let date = Timestamp(nanoseconds: 1_800_000_000_000_000_000)

  /// The present date of the daemon.
  var now: Timestamp { Self.date + clock.now.offset }

  /// Runs a daemon while the body takes, and stops it in an orderly way.
  static func with(
    folder: String, clock: ManualClock = ManualClock(), gpsd: GPSDProcess,
    motion: (@Sendable () async -> Void)? = nil,
    configuration change: (inout Configuration) -> Void = { _ in },
    _ body: (SimulatedDaemon) async throws -> Void
  ) async throws {
    var configuration = Configuration()
    configuration.receiver.gpsd.port = gpsd.port
    // A connection that breaks on a busy machine is made again at once: its clock stands still.
    configuration.receiver.gpsd.silence = .untilItHangs
    configuration.receiver.gpsd.shortestDelay = .zero
    configuration.receiver.gpsd.longestDelay = .zero
    configuration.storage.stateDirectory = folder + "/state"
    configuration.socket.runtimeDirectory = folder + "/run"
    configuration.journal.isEnabled = false
    change(&configuration)
    var daemon = Daemon(configuration: configuration) { (nil, []) }
    daemon.clock = DaemonClock(
      sleeping: clock, uptime: { clock.now.offset }, now: { date + clock.now.offset })
    daemon.motion = motion
    let stop = StopRequest()
    let simulated = SimulatedDaemon(clock: clock, folder: folder, gpsd: gpsd)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [daemon] in try await daemon.run(stop: stop, signals: nil) }
      do {
        try await simulated.wait { try await simulated.status().lastSequence >= 0 }
        try await body(simulated)
      } catch {
        stop.make()
        throw error
      }
      stop.make()
      try await group.waitForAll()
    }
  }

  /// Asks again and again until the answer is yes, or nobody can believe that it comes.
  func wait(for question: () async throws -> Bool) async throws {
    var failure: (any Error)?
    try await firstAnswer {
      do {
        return try await question() ? true : nil
      } catch {
        failure = error
        return nil
      }
    } otherwise: {
      "the answer is never yes" + (failure.map { ": \($0)" } ?? "")
    }
  }

  /// A connection to the control socket.
  func connect() async throws -> sending VarlinkConnection {
    try await VarlinkConnection.connect(toPath: controlSocket, replyTimeout: .untilItHangs)
  }

  @discardableResult
  func call<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await connect().call(Method.self, parameters)
  }

  func status() async throws -> Status.Reply {
    try await call(Status.self, Status.Parameters())
  }

  /// All transitions in the log.
  func transitions() async throws -> [Transition] {
    try await call(Events.self, Events.Parameters()).events.map(\.transition)
  }

  @discardableResult
  func add(_ place: Track.Place, expires: Timestamp? = nil) async throws -> Add.Reply {
    let circle = try CircularGeographicCondition(center: place.center, radius: place.radius)
    let condition = try Condition(shape: .circle(circle), expires: expires)
    return try await call(
      Add.self, Add.Parameters(identifier: place.identifier, condition: condition))
  }

  /// Waits until the daemon listens to gpsd: from the first condition or listener on.
  ///
  /// gpsd has named its receivers once it has agreed to report. It greets earlier, and what is fed
  /// until then is lost to this listener.
  func waitForGPSD() async throws {
    try await wait {
      let receiver = try await status().receiver
      return receiver.source != nil && !receiver.devices.isEmpty
    }
  }

  /// Feeds epochs and waits until the daemon has judged the last of them.
  func drive(_ epochs: some Collection<Drive.Epoch>) async throws {
    try await waitForGPSD()
    try await gpsd.feed(epochs)
    guard let last = Array(epochs).last else { return }
    try await wait { try await status().receiver.lastFix?.timestamp == last.timestamp }
  }

  /// Moves the clock on and waits until the daemon has looked after what comes with time.
  func pass(_ duration: Duration) async {
    // The maintenance and the watchdog sleep; the one is due, and asleep again when it has looked.
    await clock.waitForSleepers(2)
    clock.advance(by: duration)
    await clock.waitForSleepers(2)
  }
}
