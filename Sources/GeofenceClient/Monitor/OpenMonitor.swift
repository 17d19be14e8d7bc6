internal import LinuxSystem
internal import Synchronization

/// The right to read a monitor as a consumer; a process can have it only once, as long as this object lives.
final class OpenMonitor: Sendable {
  private struct Key: Hashable {
    let service: String
    let monitor: String
    let consumer: String
  }

  private static let taken = Mutex<Set<Key>>([])

  private let key: Key

  private init(taken key: Key) {
    self.key = key
  }

  deinit { _ = Self.taken.withLock { [key] in $0.remove(key) } }

  /// Takes the right, and waits for a moment if it is taken: a cancelled loop releases its monitor only when its task
  /// ends.
  ///
  /// - Throws: `alreadyOpen`, or `CancellationError`.
  static func open(
    _ monitor: String, consumer: String, service: GeofenceService
  ) async throws -> OpenMonitor {
    let key = Key(service: service.identity, monitor: monitor, consumer: consumer)
    var backoff = Backoff()
    while !taken.withLock({ $0.insert(key).inserted }) {
      guard backoff.failures < Backoff.attemptsAtTakenName else {
        throw MonitorError.alreadyOpen(
          "the monitor '\(monitor)' is open in this process as consumer '\(consumer)': share that "
            + "one, or name another consumer")
      }
      try await service.clock.sleep(for: backoff.next())
    }
    return OpenMonitor(taken: key)
  }
}
