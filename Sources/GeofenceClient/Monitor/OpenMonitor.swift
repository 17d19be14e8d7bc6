internal import Synchronization

/// The right to read a monitor as a consumer, of which a process has one as long as it lives.
final class OpenMonitor: Sendable {
  private struct Key: Hashable {
    let service: String
    let monitor: String
    let consumer: String
  }

  private static let open = Mutex<Set<Key>>([])

  private let key: Key

  /// - Throws: `alreadyOpen`.
  init(_ monitor: String, consumer: String, service: GeofenceService) throws(MonitorError) {
    key = Key(service: service.identity, monitor: monitor, consumer: consumer)
    let isNew = Self.open.withLock { [key] in $0.insert(key).inserted }
    guard isNew else {
      throw .alreadyOpen(
        "the monitor '\(monitor)' is open in this process as consumer '\(consumer)': share that "
          + "one, or name another consumer")
    }
  }

  deinit { _ = Self.open.withLock { [key] in $0.remove(key) } }
}
