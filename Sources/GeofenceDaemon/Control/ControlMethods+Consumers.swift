import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage
import Varlink

/// The methods about consumers with a name, which get what they missed when they come back.
extension ControlMethods {
  /// How many events a consumer may have that it hasn't acknowledged.
  private static let window = 100

  func consume(
    _ parameters: Consume.Parameters, _ call: VarlinkCall, _ replies: VarlinkReplies<EventsReply>
  ) async throws -> EventsReply {
    let key = try key(parameters.name, call)
    // Root gets everybody's events unless it names a user or a monitor.
    let isEverybodys = call.user == 0 && parameters.user == nil && parameters.monitor == nil
    let filter = EventReader.Filter(
      user: isEverybodys ? nil : key.owner, monitor: parameters.monitor)
    let logID = await monitoring.logID
    guard call.wantsMore else {
      guard !connected.isConnected(key) else { throw ConnectedConsumers.inUse(key) }
      let stored = try await stored(key, reading: filter, since: parameters.since, call)
      let page = try await page(after: stored.cursor, for: stored, limit: Self.window)
      return EventsReply(page: page, log: logID)
    }
    let holder = try connected.hold(key)
    defer { connected.release(holder, of: key) }
    let stored = try await stored(key, reading: filter, since: parameters.since, call)
    var position = stored.cursor
    var unacknowledged: [Int64] = []
    var isFirst = true
    while true {
      let seen = holder.changes.latest
      guard let acknowledged = connected.acknowledged(key, by: holder) else { throw removed(key) }
      unacknowledged.removeAll { $0 <= acknowledged }
      // An event that was acknowledged before it was sent isn't wanted.
      position = max(position, acknowledged)
      let room = Self.window - unacknowledged.count
      let latest = monitoring.signal.latest
      if room > 0, isFirst || latest > position {
        let page = try await page(after: position, for: stored, limit: room)
        // Root may have removed the consumer since this call began.
        guard page.hasPlace else { throw removed(key) }
        if isFirst || !page.events.isEmpty || page.lagged != nil {
          try await replies.send(EventsReply(page: page, log: logID))
          isFirst = false
        }
        unacknowledged += page.events.map(\.sequence)
        position = max(position, page.end)
      }
      // While the window is full, only an acknowledgement is waited for.
      let known = unacknowledged.count < Self.window ? position : .max
      await waitForFirst(
        { try? await monitoring.signal.wait(after: known) },
        { try? await holder.changes.wait(after: seen) })
      try Task.checkCancellation()
    }
  }

  private func removed(_ key: ConsumerKey) -> ControlError {
    ControlError(.noSuchConsumer, "the consumer '\(key.name)' was removed")
  }

  /// A consumer, which is made if there is none.
  private func stored(
    _ key: ConsumerKey, reading filter: EventReader.Filter, since: Int64?, _ call: VarlinkCall
  ) async throws -> ConsumerPlace {
    let stored = try await inTurn(of: call) {
      try await monitoring.consumer(key, reading: filter, since: since)
    }
    // Root may read its own events or everybody's, but one consumer can't read first one and then the other.
    guard stored.filter == filter else {
      throw VarlinkError.invalidParameter(
        "user",
        message: stored.filter.user == nil
          ? "the consumer '\(key.name)' reads everybody's events: name no user, or use another name"
          : "the consumer '\(key.name)' reads root's events: name user 0, or use another name")
    }
    return stored
  }

  private func page(
    after position: Int64, for consumer: ConsumerPlace, limit: Int
  ) async throws -> EventReader.Page {
    try await monitoring.reader.page(
      after: position, matching: consumer.filter, limit: limit, of: consumer.name)
  }

  func acknowledge(
    _ parameters: Acknowledge.Parameters, _ call: VarlinkCall
  ) async throws -> Acknowledge.Reply {
    let key = try key(parameters.name, call)
    if let log = parameters.log, await monitoring.logID != log { return Acknowledge.Reply() }
    // Not the signal's number: a quick consumer may have read an event in the log before the signal tells of it.
    let latest = await monitoring.latestSequence
    guard (0...latest).contains(parameters.sequence) else {
      throw VarlinkError.invalidParameter(
        "sequence",
        message: "there is no event #\(parameters.sequence) to acknowledge: \(newest(latest))")
    }
    connected.note(parameters.sequence, of: key)
    try await monitoring.acknowledge(parameters.sequence, by: key, connected)
    return Acknowledge.Reply()
  }

  func consumers(
    _ parameters: Consumers.Parameters, _ call: VarlinkCall
  ) async throws -> Consumers.Reply {
    let consumers = try await monitoring.consumers(of: visibleUser(parameters.user, call))
    let waiting = try await queries.waiting(for: consumers)
    return Consumers.Reply(
      consumers: consumers.compactMap { stored in
        stored.key.map { key in
          NamedConsumer(
            user: key.owner, monitor: key.monitor, consumer: key.name, cursor: stored.cursor,
            waiting: waiting[stored.name] ?? 0, connected: connected.isConnected(key),
            lagged: stored.lagged)
        }
      })
  }

  func removeConsumer(
    _ name: ConsumerName, _ call: VarlinkCall
  ) async throws -> RemoveConsumer.Reply {
    let key = try key(name, call)
    let holder = connected.holder(of: key)
    try await inTurn(of: call) { try await monitoring.removeConsumer(key) }
    launches.changes.advance()
    connected.remove(key, from: holder)
    return RemoveConsumer.Reply()
  }

  private func key(_ name: ConsumerName, _ call: VarlinkCall) throws -> ConsumerKey {
    let owner = try owner(name.user, call)
    try check(monitor: name.monitor)
    guard Identifier.isValid(name.consumer) else {
      throw VarlinkError.invalidParameter(
        "consumer",
        message: "the name of a consumer is \(Identifier.rule)")
    }
    return ConsumerKey(owner: owner, monitor: name.monitor, name: name.consumer)
  }
}
