internal import ControlInterface
internal import LinuxSystem
internal import Varlink

/// Keeps the receiver in use for as long as it lives, also while it is at rest and nothing else needs
/// it.
///
/// Letting go of it, or ``invalidate()``, ends the session. When the program is killed instead, the
/// session goes on for the service's grace time, in which a program that makes a session of that name
/// rejoins it. A session of one name may be held several times, by this program and by others of the
/// user: it lives until all of them have ended it.
public final class BackgroundActivitySession: Sendable {
  /// The state of the session.
  private enum State: Sendable {
    /// The service doesn't hold the session yet, or not any more.
    case connecting
    case active
    case failed(MonitorError)
    case invalidated

    var isOver: Bool {
      switch self {
      case .connecting, .active: false
      case .failed, .invalidated: true
      }
    }
  }

  /// How long the service may take to end a session whose program doesn't wait for it.
  private static let patience = Duration.seconds(5)

  /// How often the service is asked to end a session that it says is held.
  private static let attemptsToEnd = 5

  /// The session's name.
  public let name: String

  private let state: WatchedState<State>

  /// Begins a session, or rejoins the one of that name.
  ///
  /// It returns at once; ``activated()`` waits for the service. That and
  /// ``ended()`` tell why there won't be a session: an invalid name, a permission that is missing, or as many
  /// sessions as the user may have.
  ///
  /// - Parameters:
  ///   - name: 1 to 128 characters of `A-Z a-z 0-9 . _ -`.
  ///   - service: Where geofenced is reached.
  public init(_ name: String = "default", service: GeofenceService = .system) {
    self.name = name
    let state = WatchedState(State.connecting)
    self.state = state
    // The one task that nobody waits for: a session has no loop of the program's to run in. It doesn't
    // keep this object, ends when the object is gone, and then takes no longer than the patience.
    Task { await Self.run(name, service, state) }
  }

  deinit { invalidate() }

  /// Whether the service holds the session at present: false before it answered, while it is away, and
  /// after the end.
  public var isActive: Bool {
    if case .active = state.current.value { true } else { false }
  }

  /// Ends the session, unless another one of that name is held.
  ///
  /// The service is told after this returns; a program that ends at once leaves the session to its grace
  /// time.
  public func invalidate() {
    state.change { if !$0.isOver { $0 = .invalidated } }
  }

  /// Waits until the service holds the session; while it can't be reached, it is tried again.
  ///
  /// - Throws: ``MonitorError`` when there won't be a session, or `CancellationError`.
  public func activated() async throws {
    while true {
      let (value, version) = state.current
      switch value {
      case .active: return
      case .failed(let error): throw error
      case .invalidated:
        throw MonitorError.sessionInvalidated("the session '\(name)' was ended by this program")
      case .connecting: try await state.changes.wait(after: version)
      }
    }
  }

  /// Waits for the end of the session; it returns when this program has ended it.
  ///
  /// The call holds the session: while it waits, only ``invalidate()`` ends it.
  ///
  /// - Throws: ``MonitorError`` when the service has ended it or there won't be one, or `CancellationError`.
  public func ended() async throws {
    try await state.changes.wait { state.current.value.isOver }
    if case .failed(let error) = state.current.value { throw error }
  }

  private static func run(
    _ name: String, _ service: GeofenceService, _ state: WatchedState<State>
  ) async {
    let isAsking = WatchedState(false)
    await withTaskGroup { group in
      group.addTask {
        do throws(MonitorError) {
          try await hold(name, service, state, isAsking)
        } catch {
          state.change { if !$0.isOver { $0 = .failed(error) } }
        }
      }
      await until(state) { $0.isOver }
      // Waits until the service has answered the call that begins the session: if it read the end first, the
      // session would begin afterwards.
      if isAsking.current.value {
        await waitForFirst(
          { await until(isAsking) { !$0 } }, { try? await service.clock.sleep(for: patience) })
      }
      group.cancelAll()
    }
    guard case .invalidated = state.current.value else { return }
    // If this fails, the session ends after its grace time.
    await waitForFirst(
      { try? await end(name, service) }, { try? await service.clock.sleep(for: patience) })
  }

  /// Ends a session that this program doesn't hold any more, unless another one holds it.
  private static func end(_ name: String, _ service: GeofenceService) async throws {
    var backoff = Backoff()
    while backoff.failures < attemptsToEnd {
      let reply = try await service.callAtOnce(
        InvalidateSession.self, .init(SessionName(name: name), unlessHeld: true))
      guard reply.holders != nil else { return }
      // The holder may be this program, if the service hasn't noticed yet that the connection is closed.
      try await service.clock.sleep(for: backoff.next())
    }
  }

  /// Waits until a value meets a condition, or the task is cancelled.
  private static func until<Value>(
    _ state: WatchedState<Value>, _ isSo: (Value) -> Bool
  ) async {
    try? await state.changes.wait { isSo(state.current.value) }
  }

  /// Holds the session until the task is cancelled, over restarts of the service.
  ///
  /// - Parameter isAsking: Whether the service is asked for the session and hasn't answered yet.
  private static func hold(
    _ name: String, _ service: GeofenceService, _ state: WatchedState<State>,
    _ isAsking: WatchedState<Bool>
  ) async throws(MonitorError) {
    var backoff = Backoff()
    var wasConnected = false
    do {
      try MonitorError.check(name, as: "session")
      while true {
        do {
          let connection = try await service.connect(wasConnected: wasConnected)
          isAsking.change { $0 = true }
          defer { isAsking.change { $0 = false } }
          // Looked at after `isAsking` is set: so the end of the session either is seen here, or sees that.
          if state.current.value.isOver { throw CancellationError() }
          let replies = connection.stream(
            Session.self, SessionName(name: name),
            prompt: .first)
          for try await _ in replies {
            isAsking.change { $0 = false }
            backoff.reset()
            wasConnected = true
            state.change { if !$0.isOver { $0 = .active } }
          }
          throw VarlinkConnectionError.closed
        } catch {
          let error = MonitorError.translating(error)
          guard let error = error as? MonitorError, error.isTransient else { throw error }
        }
        state.change { if !$0.isOver { $0 = .connecting } }
        try await service.clock.sleep(for: backoff.next())
      }
    } catch is CancellationError {
      return
    } catch {
      throw error as? MonitorError ?? .protocolViolation("\(error)")
    }
  }
}
