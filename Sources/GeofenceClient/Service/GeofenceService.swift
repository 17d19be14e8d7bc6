internal import ControlInterface
internal import FoundationEssentials
package import LinuxSystem
internal import Varlink

/// Where geofenced is reached.
///
/// A program that makes its monitors, updates and sessions with a service that was handed to it runs
/// in its tests on a simulated one, with no daemon.
public struct GeofenceService: Sendable {
  /// How often a call that is refused as too much is made again: for some ten seconds.
  private static let busyAttempts = 8

  /// How many calls are made at once, each on a connection of its own: well below what the daemon lets a
  /// user have.
  private static let callsAtOnce: Int64 = 16

  /// Who may call when.
  private struct Order {
    let calls = Turns(atOnce: callsAtOnce)

    /// Changes of many conditions are stored one after the other, and the daemon keeps few of them until then.
    let changes = Turns(atOnce: 1)
  }

  /// The order at the daemon of this machine, which all its values share.
  private static let systemOrder = Order()

  /// How long an acknowledgement may take whose task is cancelled.
  private static let patience = Duration.seconds(5)

  /// What tells this service from others within the process.
  let identity: String

  /// What pauses between attempts are slept on.
  let clock: any Clock<Duration>

  /// How long an answer may take that comes at once.
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
  ///   - identity: What tells it from others within the process; for a socket in the file system, its
  ///     path.
  ///   - clock: What pauses between attempts are slept on.
  ///   - replyTimeout: How long an answer may take that comes at once.
  ///   - open: A new connection.
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
  ///   - wasConnected: Whether the program had one before: then a permission that is missing is waited
  ///     for, as a socket that is made anew has its permissions a moment later than its name.
  ///   - timeout: How long an answer may take that comes at once; nil is what the service says.
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

  /// Does as ``call(_:_:)``, before all that wait for their turn: what ends something, of which a program has
  /// little.
  func callAtOnce<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await patiently {
      let connection = try await connect()
      return try await connection.call(Method.self, parameters)
    }
  }

  /// Acknowledges events, also in a task that is cancelled: a program that is to end has to say what it has
  /// done with.
  ///
  /// - Throws: ``MonitorError``, or `CancellationError` when the task is cancelled and the service takes too
  ///   long.
  func acknowledge(_ parameters: Acknowledge.Parameters) async throws {
    if !Task.isCancelled {
      do {
        _ = try await callAtOnce(Acknowledge.self, parameters)
        return
      } catch is CancellationError {
        // The service may be told twice.
      }
    }
    // Nothing can be waited for in a task that is cancelled: another one does it, and is over before
    // this one.
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

  /// Calls something patiently when it is its turn: of a program that calls very much at once, some calls are
  /// under way, and the others wait.
  ///
  /// - Throws: ``MonitorError``, or `CancellationError`.
  func inTurn<Reply>(_ call: () async throws -> Reply) async throws -> Reply {
    try await order.calls.inTurn { try await patiently(call) }
  }

  /// Changes many conditions when it is that change's turn, as patiently.
  ///
  /// - Parameter change: begins anew each time; is given what counts the refusals in a row, for
  ///   ``callAgain(_:over:_:)``.
  func inTurnOfChanges<Reply>(
    _ change: (inout Backoff) async throws -> Reply
  ) async throws -> Reply {
    try await order.changes.inTurn { try await repeating(change) }
  }

  /// Makes a call again on its connection when it is refused as one too many at once.
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

  /// Sleeps before another attempt, if the service has refused this one as too much and not too often.
  private func pause(after error: any Error, _ backoff: inout Backoff) async throws {
    let error = MonitorError.translating(error)
    guard case MonitorError.tooManyRequests = error, backoff.failures < Self.busyAttempts else {
      throw error
    }
    try await clock.sleep(for: backoff.next())
  }

  /// Calls something again, with growing pauses, when the service refuses it because the user asks too
  /// much at once: who adds a thousand conditions need not know how many a second are allowed.
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
