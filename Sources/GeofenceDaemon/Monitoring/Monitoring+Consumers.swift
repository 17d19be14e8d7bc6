import ControlInterface
import EventDelivery
import Geofencing
import MonitorStorage

/// How far the program's own consumers have read the log: the journal and the events sockets.
extension Monitoring {
  /// Registers a consumer, and returns the number of the last event that it was given; 0 for a new one.
  ///
  /// A consumer that may have lost events, because the machine was restarted before they were on its disk, gets them
  /// again. Events that it misses because they are removed from the log are noted from now on.
  func register(_ consumer: EventConsumer) throws -> Int64 {
    guard var cursor = try log.place(of: consumer.name)?.cursor else {
      // If the disk is full, it begins all the same.
      try? log.setCursor(of: consumer.name, reading: consumer.user, to: 0)
      syncing[consumer] = place(of: consumer, given: 0, synced: 0)
      return 0
    }
    guard consumer.syncDelay != nil else { return cursor }
    let stored = try log.syncedPlace(of: consumer.name)
    let synced = min(cursor, stored?.sequence ?? cursor)
    if let stored, let boot = clock.boot, stored.boot != boot, synced < cursor {
      // Events that have left the log can't be given again.
      let oldest = try log.oldest()?.sequence ?? log.lastSequence + 1
      let lost = min(cursor, oldest - 1)
      if lost > synced {
        try? log.note(Lagged(first: synced + 1, last: lost), missedBy: consumer.name)
      }
      cursor = synced
    }
    syncing[consumer] = place(of: consumer, given: cursor, synced: synced)
    return cursor
  }

  private func place(
    of consumer: EventConsumer, given: Int64, synced: Int64
  ) -> SyncingPlace? {
    guard let delay = consumer.syncDelay, clock.boot != nil else { return nil }
    return SyncingPlace(given: given, synced: synced, delay: delay, at: clock.uptime())
  }

  /// Stores up to which event a consumer was given events.
  func setCursor(of consumer: EventConsumer, to sequence: Int64) throws {
    syncing[consumer]?.give(sequence, at: clock.uptime())
    do {
      try keep(consumer, at: sequence)
    } catch {
      storageFailure = StorageError.text(error)
      throw error
    }
  }

  /// Stores which events are on the disks of their consumers by now.
  func settleConsumers() {
    for consumer in syncing.keys {
      guard syncing[consumer]?.settle(at: clock.uptime()) == true,
        let given = syncing[consumer]?.given
      else { continue }
      // If this fails, a consumer gets more events again than necessary, which does no harm.
      try? keep(consumer, at: given)
    }
  }

  private func keep(_ consumer: EventConsumer, at sequence: Int64) throws {
    let synced = clock.boot.flatMap { boot in
      syncing[consumer].map { SyncedPlace(sequence: $0.synced, boot: boot) }
    }
    try log.setCursor(
      of: consumer.name, reading: consumer.user, to: sequence, synced: synced)
  }

  /// How far all consumers have read the log, or those that read it for one user.
  func places(visibleTo user: UInt32?) throws -> [ConsumerPlace] {
    try log.consumers(of: user)
  }

  /// About how many consumers that miss events the operator is told at a time.
  private static let maximumToTell = 1_000

  /// Remembers which consumers have begun to miss events, until ``takeBeginningToLag()``.
  func note(_ retention: Retention) {
    if retention.dropped > 0 { recent.removeAll() }
    beginningToLag += retention.beginning.prefix(
      max(0, Self.maximumToTell - beginningToLag.count))
  }

  /// The consumers that have begun to miss events since this was called last.
  func takeBeginningToLag() -> [ConsumerPlace] {
    defer { beginningToLag = [] }
    return beginningToLag
  }
}

/// The consumers that users have named.
extension Monitoring {
  /// A named consumer, which is made if there is none.
  ///
  /// - Parameter since: the event after which a new one begins; nil to begin with the oldest.
  /// - Throws: ``ControlError`` when a quota is reached or nothing can be stored.
  func consumer(
    _ key: ConsumerKey, reading filter: EventReader.Filter, since: Int64?
  ) throws -> ConsumerPlace {
    if let stored = try log.place(of: key.storedName) { return stored }
    guard try log.countOfNamedConsumers(of: key.owner) < settings.limits.maximumConsumersPerUser
    else {
      throw ControlError(
        .quotaExceeded,
        "user \(key.owner) has \(settings.limits.maximumConsumersPerUser) consumers, the most that "
          + "MaximumConsumersPerUser= allows; 'geofenced ctl consumer remove' removes one")
    }
    let cursor = min(max(0, since ?? 0), log.lastSequence)
    // A consumer that begins with the oldest event misses nothing, whichever that is.
    var lagged: Lagged?
    let oldest = try log.oldest()?.sequence ?? log.lastSequence + 1
    if cursor > 0, oldest - 1 > cursor {
      lagged = Lagged(first: cursor + 1, last: oldest - 1)
    }
    let new = ConsumerPlace(key: key, filter: filter, cursor: cursor, lagged: lagged)
    do {
      try log.add(new)
    } catch {
      throw storingFailed("no consumer was made", error)
    }
    return new
  }

  /// The named consumers of a user, or of all.
  func consumers(of owner: UInt32?) throws -> [ConsumerPlace] {
    try log.namedConsumers(of: owner)
  }

  /// Removes a named consumer.
  ///
  /// The events that it had read are no reason to start the unit of its monitor. A consumer of all monitors
  /// doesn't count, as it may have been for something else.
  ///
  /// - Throws: `noSuchConsumer`, or `persistenceUnavailable`.
  func removeConsumer(_ key: ConsumerKey) throws {
    let wasThere: Bool
    do {
      if let name = key.monitor, let read = try log.place(of: key.storedName)?.cursor {
        try noteLaunch(of: MonitorKey(user: key.owner, name: name), through: read)
      }
      wasThere = try log.remove(key)
    } catch {
      throw storingFailed("nothing was removed", error)
    }
    guard wasThere else { throw noSuchConsumer(key) }
  }

  /// Makes durable what consumers have acknowledged.
  ///
  /// - Throws: `noSuchConsumer`, or `persistenceUnavailable`; then nothing was acknowledged.
  func acknowledge(_ sequence: Int64, by key: ConsumerKey, _ connected: ConnectedConsumers) throws {
    let stored: ConsumerPlace?
    do {
      stored = try log.place(of: key.storedName)
    } catch {
      connected.forget(key)
      throw ControlError(
        .persistenceUnavailable, "nothing was acknowledged, reading failed: \(error)")
    }
    guard let stored else {
      connected.forget(key)
      throw noSuchConsumer(key)
    }
    // Another call may have tried to write this acknowledgement with its own, and failed: then it isn't noted any more.
    if stored.cursor < sequence { connected.note(sequence, of: key) }
    do {
      try connected.writePending { try log.acknowledge($0) }
    } catch {
      throw storingFailed("nothing was acknowledged", error)
    }
  }

  private func noSuchConsumer(_ key: ConsumerKey) -> ControlError {
    ControlError(
      .noSuchConsumer,
      "there is no consumer '\(key.name)'"
        + (key.monitor.map { " of monitor '\($0)'" } ?? " of all monitors")
        + "; 'geofenced ctl consumer list' shows those that are")
  }
}
