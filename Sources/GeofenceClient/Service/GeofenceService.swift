internal import ControlInterface
internal import FoundationEssentials
package import LinuxSystem
internal import Varlink

/// Where geofenced is reached.
///
/// A program that makes its monitors, updates and sessions with a service that was handed to it runs
/// in its tests on a simulated one, with no daemon.
public struct GeofenceService: Sendable {
  /// How often a call is made again that was one of too many: for some ten seconds.
  private static let busyAttempts = 8

  /// How many calls are made at once, each on a connection of its own: well below what the daemon lets a
  /// user have.
  private static let callsAtOnce: Int64 = 16

  /// The order in which calls are made.
  private struct Order {
    let calls = Turns(atOnce: callsAtOnce)

    /// Changes of many conditions: one after the other, because the daemon keeps only a few that aren't complete.
    let changes = Turns(atOnce: 1)
  }

  /// The order at the daemon of this machine, which all its values share.
  private static let systemOrder = Order()

  /// How long an acknowledgement may take in a cancelled task.
  private static let patience = Duration.seconds(5)

  /// What distinguishes this service from others in the process.
  let identity: String

  /// The clock for pauses between attempts.
  let clock: any Clock<Duration>

  /// How long an answer may take that should come at once.
  let replyTimeout: Duration

  let open: @Sendable () async throws -> StreamSocket

  private var order = Order()

  /// The daemon of this machine.
  ///
  /// Its socket is `/run/geofenced/io.geofenced`, or what the environment variable `GEOFENCED_SOCKET`
  /// says.
  public static var system: GeofenceService {
    let path = ProcessInfo.processInfo.environment["GEOFENCED_SOCKET"] ?? ""
    var service = socket(path.isEmpty ? GeofencedInterface.defaultSocketPath : path)
    service.order = systemOrder
    return service
  }

  /// The daemon whose control socket has this path.
  ///
  /// - Parameter path: 1 to 107 bytes. Nothing is checked here: what is made with another path, or with
  ///   that of the events socket (whose name is `events`), says so with
  ///   ``MonitorError/protocolViolation(_:)``.
  public static func socket(_ path: String) -> GeofenceService {
    GeofenceService(identity: path) {
      if let mistake = GeofencedInterface.mistake(inControlSocket: path) {
        throw MonitorError.protocolViolation(mistake)
      }
      return try await StreamSocket.connect(toPath: path)
    }
  }

  /// A service that is reached in another way.
  ///
  /// - Parameters:
  ///   - identity: What distinguishes it from others in the process; for a socket in the file system, its path.
  ///   - clock: The clock for pauses between attempts.
  ///   - replyTimeout: How long an answer may take that should come at once.
  ///   - open: Opens a new connection.
  package init(
    identity: String, clock: any Clock<Duration> = PollerClock(),
    replyTimeout: Duration = VarlinkConnection.usualReplyTimeout,
    open: @escaping @Sendable () async throws -> StreamSocket
  ) {
    self.identity = identity
    self.clock = clock
    self.replyTimeout = replyTimeout
    self.open = open
  }

  /// A new connection.
  ///
  /// - Parameters:
  ///   - wasConnected: Whether the program had one before. Then a missing permission is waited for, as a new socket
  ///     gets its permissions a moment after its name.
  ///   - timeout: How long an answer may take that should come at once; nil for the service's own timeout.
  /// - Throws: ``MonitorError``, or `CancellationError`.
  func connect(
    wasConnected: Bool = false, replyTimeout timeout: Duration? = nil
  ) async throws -> sending VarlinkConnection {
    var backoff = Backoff()
    while true {
      do {
        return VarlinkConnection(try await open(), replyTimeout: timeout ?? replyTimeout)
      } catch let error as Errno {
        guard error == .permissionDenied, wasConnected,
          backoff.failures < Backoff.attemptsAtTakenName
        else { throw MonitorError(connectingTo: identity, error) }
      }
      try await clock.sleep(for: backoff.next())
    }
  }

  /// Calls a method on a connection of its own, when it is its turn.
  ///
  /// - Throws: ``MonitorError``, or `CancellationError`.
  func call<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await order.calls.inTurn { try await callAtOnce(method, parameters) }
  }

  /// Calls a method as ``call(_:_:)`` does, but ahead of all calls that wait for their turn.
  ///
  /// For the few calls that end something.
  func callAtOnce<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await patiently {
      let connection = try await connect()
      return try await connection.call(Method.self, parameters)
    }
  }

  /// Acknowledges events, even in a cancelled task: a program that ends has to say what it has done with.
  ///
  /// - Throws: ``MonitorError``, or `CancellationError` when the task is cancelled and the service takes too
  ///   long.
  func acknowledge(_ parameters: Acknowledge.Parameters) async throws {
    if !Task.isCancelled {
      do {
        _ = try await callAtOnce(Acknowledge.self, parameters)
        return
      } catch is CancellationError {
        // Tried again below: acknowledging twice does no harm.
      }
    }
    // A cancelled task can't wait for anything, so another one does it, which ends before this one.
    try await Task {
      try await withThrowingTaskGroup { group in
        defer { group.cancelAll() }
        group.addTask { _ = try await callAtOnce(Acknowledge.self, parameters) }
        group.addTask {
          try await clock.sleep(for: Self.patience)
          throw CancellationError()
        }
        try await group.next()
      }
    }.value
  }

  /// Makes a call patiently when it is its turn: if a program makes very many calls at once, some are under way and
  /// the others wait.
  ///
  /// - Throws: ``MonitorError``, or `CancellationError`.
  func inTurn<Reply>(_ call: () async throws -> Reply) async throws -> Reply {
    try await order.calls.inTurn { try await patiently(call) }
  }

  /// Changes many conditions patiently when it is the turn of that change.
  ///
  /// - Parameter change: makes the change, from its beginning each time. It gets the pauses after refusals, for
  ///   ``callAgain(_:over:_:)``.
  func inTurnOfChanges<Reply>(
    _ change: (inout Backoff) async throws -> Reply
  ) async throws -> Reply {
    try await order.changes.inTurn { try await repeating(change) }
  }

  /// Makes a call again on its connection if it is refused as one of too many.
  func callAgain<Reply: Decodable>(
    _ call: VarlinkConnection.EncodedCall, over connection: VarlinkConnection,
    _ backoff: inout Backoff
  ) async throws -> Reply {
    var refusal: (any Error)?
    while true {
      do {
        let reply: Reply = try await connection.call(call)
        backoff.reset()
        return reply
      } catch let error as VarlinkConnectionError {
        // Some refusals end the connection.
        throw refusal ?? error
      } catch {
        refusal = error
        try await pause(after: error, &backoff)
      }
    }
  }

  /// Sleeps before another attempt if the service has refused this one as one of too many, or throws the error.
  private func pause(after error: any Error, _ backoff: inout Backoff) async throws {
    let error = MonitorError.translating(error)
    guard case MonitorError.tooManyRequests = error, backoff.failures < Self.busyAttempts else {
      throw error
    }
    try await clock.sleep(for: backoff.next())
  }

  /// Makes a call again, with growing pauses, if the service refuses it as one of too many: a program that adds a
  /// thousand conditions needn't know how many calls a second are allowed.
  ///
  /// - Throws: ``MonitorError``, or `CancellationError`.
  func patiently<Reply>(_ call: () async throws -> Reply) async throws -> Reply {
    try await repeating { _ in try await call() }
  }

  private func repeating<Reply>(
    _ call: (inout Backoff) async throws -> Reply
  ) async throws -> Reply {
    var backoff = Backoff()
    while true {
      do {
        return try await call(&backoff)
      } catch {
        try await pause(after: error, &backoff)
      }
    }
  }
}
