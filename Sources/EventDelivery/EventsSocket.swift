import Geofencing
import JSONCoding
package import LinuxSystem
import Synchronization

/// The socket on which anybody may listen to events: one JSON object a line, and nothing else.
///
/// Each user's connections are one consumer: what none of them has been told yet is told to the next
/// that connects. With several at once, the slowest one's place counts. A user hears of its own
/// monitors, root of all.
package struct EventsSocket<Source: EventSource>: Sendable {
  private let listener: ListeningSocket
  private let source: Source
  private let maximumConnections: Int
  private let clock: any Clock<Duration>
  private let places = Places()

  /// How many events are read at once.
  private static var pageSize: Int { 256 }

  /// How long a subscriber may take nothing before it is dropped; its place is kept.
  private static var patience: Duration { .seconds(30) }

  /// A service on a socket; more connections than the maximum are closed at once.
  package init(
    on listener: ListeningSocket, from source: Source, maximumConnections: Int,
    clock: any Clock<Duration>
  ) {
    self.listener = listener
    self.source = source
    self.maximumConnections = maximumConnections
    self.clock = clock
  }

  /// The name under which a user's place in the log is kept.
  package static func consumer(ofUser user: UInt32) -> String { "events-socket/\(user)" }

  /// How many subscribers are connected.
  package var connections: Int { places.count }

  /// Serves subscribers until the task is cancelled.
  package func run() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let socket: StreamSocket
        do {
          socket = try await listener.accept()
        } catch is CancellationError {
          break
        } catch {
          // Out of descriptors for a moment: don't spin until one is free.
          try? await clock.sleep(for: .milliseconds(100))
          continue
        }
        guard let peer = try? socket.peer,
          let id = places.enter(user: peer.uid, limit: maximumConnections)
        else { continue }
        group.addTask {
          await serve(socket, as: id, user: peer.uid)
          places.leave(id)
        }
      }
      group.cancelAll()
    }
  }

  private func serve(_ socket: StreamSocket, as id: UInt64, user: UInt32) async {
    let consumer = Self.consumer(ofUser: user)
    guard let start = try? await source.cursor(of: consumer) else { return }
    _ = places.move(id, to: start)
    await withTaskGroup { group in
      group.addTask { try? await socket.waitForHangUp() }
      group.addTask { try? await send(to: socket, as: id, user: user, from: start) }
      await group.next()
      group.cancelAll()
    }
  }

  private func send(
    to socket: StreamSocket, as id: UInt64, user: UInt32, from start: Int64
  ) async throws {
    var position = start
    while true {
      try await source.signal.wait(after: position)
      let latest = source.signal.latest
      let events = try await source.events(
        after: position, user: user == 0 ? nil : user, limit: Self.pageSize)
      if !events.isEmpty {
        let lines = try events.reduce(into: [UInt8]()) { lines, event in
          lines += try CanonicalJSON.encode(event)
          lines.append(UInt8(ascii: "\n"))
        }
        try await socket.write(lines, timeout: Self.patience)
        guard try await isTaken(by: socket) else { return }
      }
      // Fewer than asked for: the rest belongs to other users.
      position = events.count < Self.pageSize ? max(latest, position) : position
      if let last = events.last { position = max(position, last.sequence) }
      if let place = places.move(id, to: position) {
        // A place that can't be kept (a full disk) is kept with the next one: events come again.
        try? await source.setCursor(of: Self.consumer(ofUser: user), to: place)
      }
    }
  }

  /// Waits until the subscriber has read all that was written; false when it left without.
  ///
  /// What the system has taken is not yet told: a subscriber may close with it unread. No event of
  /// the socket says that it was read, so it is asked for, more and more seldom.
  private func isTaken(by socket: StreamSocket) async throws -> Bool {
    var pause = Duration.milliseconds(1)
    var waited = Duration.zero
    while socket.bytesNotYetTaken > 0 {
      guard waited < Self.patience else { return false }
      try await Poller.shared.sleep(for: pause)
      waited += pause
      pause = min(pause * 2, .milliseconds(50))
    }
    // Closing throws the unread away, which looks the same as reading it.
    return !socket.isHungUp
  }
}

/// How far each connected subscriber is.
private final class Places: Sendable {
  private struct State {
    var nextID: UInt64 = 0
    /// Their positions; nil until they are known.
    var subscribers: [UInt64: (user: UInt32, position: Int64?)] = [:]
    var kept: [UInt32: Int64] = [:]
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.subscribers.count } }

  /// Counts a subscriber at once, so that many who come together don't pass the limit; nil when it
  /// is reached.
  func enter(user: UInt32, limit: Int) -> UInt64? {
    state.withLock { state in
      let own = state.subscribers.values.count { $0.user == user }
      // One user can't keep all the others out.
      guard state.subscribers.count < limit, user == 0 || own < max(1, limit / 4) else {
        return nil
      }
      defer { state.nextID += 1 }
      state.subscribers[state.nextID] = (user, nil)
      return state.nextID
    }
  }

  func leave(_ id: UInt64) {
    state.withLock { $0.subscribers[id] = nil }
  }

  /// Notes a subscriber's progress; the user's place in the log when that has changed.
  func move(_ id: UInt64, to position: Int64) -> Int64? {
    state.withLock { state in
      guard let user = state.subscribers[id]?.user else { return nil }
      state.subscribers[id]?.position = position
      let place = state.subscribers.values.filter { $0.user == user }.compactMap(\.position).min()
      guard let place, place > state.kept[user] ?? -1 else { return nil }
      state.kept[user] = place
      return place
    }
  }
}
