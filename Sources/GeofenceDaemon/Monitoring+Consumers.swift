import ControlInterface
import Geofencing
import MonitorStorage

/// The consumers that users have named.
extension Monitoring {
  /// A named consumer, which is made if there is none.
  ///
  /// - Parameter since: where a new one begins: after this event.
  /// - Throws: ``ControlError`` when a quota is reached or nothing can be stored.
  func consumer(
    _ key: ConsumerKey, reading filter: EventReader.Filter, since: Int64?
  ) throws -> StoredConsumer {
    if let stored = try log.consumer(key) { return stored }
    let new = StoredConsumer(
      key: key, filter: filter, cursor: min(max(0, since ?? 0), log.lastSequence))
    do {
      try log.add(new)
    } catch {
      throw ControlError.persistenceUnavailable("no consumer was made, storing failed: \(error)")
    }
    return new
  }

  /// The named consumers of a user, or of all.
  func consumers(of owner: UInt32?) throws -> [StoredConsumer] {
    try log.namedConsumers(of: owner)
  }

  /// Removes a named consumer.
  ///
  /// - Throws: `noSuchConsumer`, or `persistenceUnavailable`.
  func removeConsumer(_ key: ConsumerKey) throws {
    let wasThere: Bool
    do {
      wasThere = try log.remove(key)
    } catch {
      throw ControlError.persistenceUnavailable("nothing was removed, storing failed: \(error)")
    }
    guard wasThere else { throw noSuchConsumer(key) }
  }

  /// Makes durable what consumers have acknowledged.
  ///
  /// - Throws: `noSuchConsumer`, or `persistenceUnavailable`; what waits is tried again with the next
  ///   acknowledgement.
  func acknowledge(_ sequence: Int64, by key: ConsumerKey, _ connected: ConnectedConsumers) throws {
    guard try log.consumer(key) != nil else { throw noSuchConsumer(key) }
    do {
      try connected.writePending { try log.acknowledge($0) }
    } catch {
      throw ControlError.persistenceUnavailable(
        "nothing was acknowledged, storing failed: \(error)")
    }
  }

  private func noSuchConsumer(_ key: ConsumerKey) -> ControlError {
    .noSuchConsumer(
      "there is no consumer '\(key.name)'"
        + (key.monitor.map { " of monitor '\($0)'" } ?? " of all monitors")
        + "; 'geofenced ctl consumer list' shows those that are")
  }
}
