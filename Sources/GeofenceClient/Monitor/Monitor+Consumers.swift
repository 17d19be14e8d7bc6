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

  /// Whether the log has no more events for the consumer than those that came or are acknowledged.
  ///
  /// It asks once. If there is no answer for now, it pauses and returns false.
  ///
  /// - Parameter state: the events that came.
  func hasRead(_ state: EventQueue) async throws -> Bool {
    do {
      let connection = try await takeAcknowledger()
      let consumers = try await Self.ofOwnUser { user in
        try await connection.call(Consumers.self, Consumers.Parameters(user: user)).consumers
      }
      var isRead = false
      // If the consumer was removed, reading will notice that.
      if let own = consumers.first(where: { $0.monitor == name && $0.consumer == consumer }) {
        // Not by their count, which includes events that can't be decoded any more and never come.
        var later = ControlInterface.Events.Parameters(
          user: own.user, monitor: name, since: own.cursor)
        var reply = try await connection.call(ControlInterface.Events.self, later)
        let last = Int64(state.lastSequence)
        // Only if it is the same log: another one has other numbers.
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
      // After everything is read, nothing more is asked: the connection isn't kept.
      acknowledger = isRead ? nil : connection
      askingBackoff.reset()
      return isRead
    } catch {
      guard let error = MonitorError.translating(error) as? MonitorError, error.isTransient else {
        throw MonitorError.translating(error)
      }
      // The user may have no connection left because all of them read, as this one does: give it up.
      if case .tooManyRequests = error, !isReading { replies = nil }
      try await service.clock.sleep(for: askingBackoff.next())
      queue.change { _ in }
      return false
    }
  }

  /// The connection for acknowledgements and questions.
  ///
  /// It is put back only if all went well: one that fails isn't used again.
  func takeAcknowledger() async throws -> VarlinkConnection {
    if let acknowledger {
      self.acknowledger = nil
      return acknowledger
    }
    return try await service.connect(wasConnected: true)
  }

  /// Asks for the user's own things: without a user, root would get those of all users.
  ///
  /// - Parameter ask: the call, with the user to name.
  static func ofOwnUser<Reply>(_ ask: (UInt32?) async throws -> Reply) async throws -> Reply {
    guard geteuid() == 0 else { return try await ask(nil) }
    do {
      return try await ask(0)
    } catch let error {
      guard case MonitorError.authorizationDenied = MonitorError.translating(error) else {
        throw error
      }
      // The user is root only in a container, and another one for the service.
      return try await ask(nil)
    }
  }
}
