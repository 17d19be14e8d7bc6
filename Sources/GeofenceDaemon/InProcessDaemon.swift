import ControlInterface
package import Geofencing
package import LinuxSystem
import MonitorStorage
package import Positioning
import Varlink

/// The daemon's rules, log and methods in this process: without a receiver, without a socket in the
/// file system, and with fixes that are given by hand.
package actor InProcessDaemon {
  /// How long a fix waits for a listener that doesn't read.
  private static let patience = Duration.seconds(10)

  /// The defaults, but with any number of requests: there are no users to be protected from each other.
  private static let configuration = {
    var configuration = Configuration()
    configuration.socket.varlink.maximumRequestsPerSecond = 1_000_000
    return configuration
  }()

  /// The same for fixes that are given by hand and may leap.
  private static let leaping = {
    var leaping = InProcessDaemon.configuration
    leaping.decision.maximumAcceleration = .infinity
    return leaping
  }()

  private let monitoring: Monitoring
  private let broadcast = LocationBroadcast()
  private let server: VarlinkServer
  private var pause: AutomaticPause

  /// Whether fixes are judged by ``leaping``.
  private var mayLeap = true

  /// A daemon with the default configuration that goes on with what a directory holds.
  package init(in directory: String, clock: DaemonClock) throws {
    let configuration = Self.leaping
    let database = try MonitorDatabase(directory: directory, now: clock.now())
    monitoring = try Monitoring(database, settings: configuration, clock: clock)
    var pausing = configuration.pause
    // There is no receiver to be released.
    pausing.mode = .updates
    broadcast.begin(pausing: pausing)
    pause = AutomaticPause(pausing, stationary: configuration.stationary)
    let methods = ControlMethods(
      monitoring, in: directory, broadcast: broadcast, configuration: { configuration },
      clock: clock)
    server = try Daemon.makeServer(methods, limits: configuration.socket.varlink)
  }

  /// Serves a connection until its end.
  package nonisolated func serve(_ socket: StreamSocket) async { await server.serve(socket) }

  /// Judges an update's fix, and then tells those who listen to locations.
  ///
  /// When it returns, listeners who read have been told: none of them misses an update.
  ///
  /// - Parameter mayLeap: Whether a fix that tells no speed may lie anywhere.
  /// - Returns: false when the fix was refused.
  @discardableResult
  package func take(_ update: LocationUpdate, mayLeap: Bool) async -> Bool {
    if mayLeap != self.mayLeap {
      self.mayLeap = mayLeap
      await monitoring.apply(mayLeap ? Self.leaping : Self.configuration)
    }
    await monitoring.tick()
    let isTaken = await monitoring.process(update)
    broadcast.take(update, isRefused: !isTaken)
    if let told = pause.take(update) { broadcast.send(told) }
    await broadcast.waitUntilHeard(patience: Self.patience)
    return isTaken
  }

  /// Whether a pause goes on although the last fix may be one of leaving: more of them would end it.
  package var pauseMayEnd: Bool { pause.mayEnd || broadcast.pauseMayEnd }

  /// Looks after what comes with time.
  package func tick() async { await monitoring.tick() }

  /// Makes durable what the next daemon goes on from; nothing is judged any more.
  package func finish() async { await monitoring.finish() }

  /// The last fix that was judged, also before a restart.
  package var lastFix: Location? {
    get async { await monitoring.lastFix }
  }

  /// The conditions whose state isn't the one that belongs to a fix, of those that it can decide.
  package func unsettledConditions(at fix: Location) async throws -> [Condition] {
    try await monitoring.page(maximumBytes: .max).records
      .filter { record in
        if let band = record.condition.altitude, fix.altitude(above: band.reference) == nil {
          return false
        }
        let isInside = PreparedCondition(record.condition).signedDistance(to: fix) < 0
        return record.state != (isInside ? .satisfied : .unsatisfied)
      }.map(\.condition)
  }
}
