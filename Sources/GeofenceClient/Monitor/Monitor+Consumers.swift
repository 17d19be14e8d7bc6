internal import ControlInterface
internal import Glibc
internal import LinuxSystem

extension Monitor {
  /// Removes a consumer that isn't needed any more, so that no events wait for it; where there is none,
  /// nothing happens.
  ///
  /// The monitor's conditions stay. Loops that read as the consumer throw
  /// ``MonitorError/consumerRemoved(_:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the monitor.
  ///   - consumer: As whom its events were read, as in ``init(_:consumer:service:)``.
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

  /// Whether the service has no events for the consumer but those that are here and aren't acknowledged.
  ///
  /// - Parameter count: how many were here when it was asked: another loop may have done with them since.
  func hasRead(besides count: Int) async throws -> Bool {
    var backoff = Backoff()
    while true {
      do {
        let consumers = try await ofOwnUser { user in
          try await service.call(Consumers.self, Consumers.Parameters(user: user)).consumers
        }
        let own = consumers.first { $0.monitor == name && $0.consumer == consumer }
        // One that was removed is noticed by who reads.
        return own.map { $0.waiting <= max(count, queue.current.value.count) } ?? false
      } catch let error as MonitorError where error.heals {
        try await service.clock.sleep(for: backoff.next())
      }
    }
  }

  /// Asks something of the user's own: root, who names no user, would be told everybody's.
  ///
  /// - Parameter ask: is given the user to name.
  func ofOwnUser<Reply>(_ ask: (UInt32?) async throws -> Reply) async throws -> Reply {
    guard geteuid() == 0 else { return try await ask(nil) }
    do {
      return try await ask(0)
    } catch MonitorError.authorizationDenied {
      // Root in a container alone, where the service sees another user.
      return try await ask(nil)
    }
  }
}
