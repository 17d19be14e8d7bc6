internal import ControlInterface
internal import Geofencing
internal import Glibc
internal import LinuxSystem
internal import Varlink

extension Monitor {
  /// Removes a consumer that isn't needed any more, so that no events wait for it; where there is none,
  /// nothing happens.
  ///
  /// The monitor's conditions stay. Loops that read as the consumer throw
  /// ``MonitorError/consumerRemoved(_:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the monitor.
  ///   - consumer: As whom its events were read, as in ``init(_:consumer:beginning:service:)``.
  ///   - service: Where geofenced is reached.
  /// - Throws: ``MonitorError``, or `CancellationError`.
  public static func removeConsumer(
    ofMonitor name: String, consumer: String = "default", service: GeofenceService = .system
  ) async throws {
    try MonitorError.check(name, as: "monitor")
    try MonitorError.check(consumer, as: "consumer")
    do {
      _ = try await service.call(
        RemoveConsumer.self, ConsumerName(monitor: name, consumer: consumer))
    } catch MonitorError.consumerRemoved {
      // There is none of that name.
    }
  }

  /// Whether the log has no events for the consumer but those that came, and those that are acknowledged.
  ///
  /// Asks once; where it isn't answered for now, after a pause it isn't known, and so false.
  ///
  /// - Parameter state: what came.
  func hasRead(_ state: EventQueue) async throws -> Bool {
    do {
      let connection = try await takeAcknowledger()
      let consumers = try await Self.ofOwnUser { user in
        try await connection.call(Consumers.self, Consumers.Parameters(user: user)).consumers
      }
      var isRead = false
      // That it was removed is noticed by who reads.
      if let own = consumers.first(where: { $0.monitor == name && $0.consumer == consumer }) {
        // They are counted with those that can't be decoded any more, which never come.
        var later = ControlInterface.Events.Parameters(
          user: own.user, monitor: name, since: own.cursor)
        var reply = try await connection.call(ControlInterface.Events.self, later)
        let last = Int64(state.lastSequence)
        // Numbers of another log say nothing of those that came.
        if own.cursor < last, reply.events.allSatisfy({ $0.log == state.log }) {
          later.since = last
          reply = try await connection.call(ControlInterface.Events.self, later)
        }
        while reply.events.isEmpty, let lost = reply.lagged?.last, lost > later.since ?? 0 {
          later.since = lost
          reply = try await connection.call(ControlInterface.Events.self, later)
        }
        isRead = reply.events.isEmpty
      }
      // Who has read all asks nothing more.
      acknowledger = isRead ? nil : connection
      askingBackoff.reset()
      return isRead
    } catch {
      guard let error = MonitorError.translating(error) as? MonitorError, error.isTransient else {
        throw MonitorError.translating(error)
      }
      // All of the user's connections may be such as wait for one to ask on.
      if case .tooManyRequests = error, !isReading { replies = nil }
      try await service.clock.sleep(for: askingBackoff.next())
      queue.change { _ in }
      return false
    }
  }

  /// The connection for acknowledgements and questions, which is given back when all went well: one that fails
  /// isn't used again.
  func takeAcknowledger() async throws -> VarlinkConnection {
    if let acknowledger {
      self.acknowledger = nil
      return acknowledger
    }
    return try await service.connect(wasConnected: true)
  }

  /// Asks something of the user's own: root, who names no user, would be told everybody's.
  ///
  /// - Parameter ask: is given the user to name.
  static func ofOwnUser<Reply>(_ ask: (UInt32?) async throws -> Reply) async throws -> Reply {
    guard geteuid() == 0 else { return try await ask(nil) }
    do {
      return try await ask(0)
    } catch let error {
      guard case MonitorError.authorizationDenied = MonitorError.translating(error) else {
        throw error
      }
      // Root in a container alone, where the service sees another user.
      return try await ask(nil)
    }
  }
}
