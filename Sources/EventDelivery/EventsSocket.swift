import Geofencing
import JSONCoding
package import LinuxSystem

/// The socket on which every user may listen to events; it sends one JSON object per line.
///
/// A line is an event, or `{"lagged":…}` with the range of events that were removed from the log before the user was
/// told of them.
///
/// All connections of a user count as one consumer: the next connection is told what none of them was told yet. If
/// there are several at the same time, the place of the slowest counts. A user is told the events of its own
/// monitors, root those of all.
package struct EventsSocket<Source: EventSource>: Sendable {
  private let listener: ListeningSocket
  private let source: Source
  private let maximumConnections: Int
  private let maximumConnectionsPerUser: Int
  private let loop: EventLoop
  private let promptness: Duration
  private let patience: Duration
  private let places = SubscriberPlaces()

  /// How many events are read at once.
  private static var pageSize: Int { 256 }

  /// The most bytes that are sent in one piece, about seven events.
  private static var pieceSize: Int { 4_096 }

  /// The most lines that may be sent before the first of them was read.
  ///
  /// A place is stored once all that was sent was read, and that a piece was read is known only when all of it was. So
  /// a subscriber that isn't prompt is sent one line at a time, and a prompt one at most twice as much as it has read
  /// in time. Both get on, however long they take for a line and whatever becomes of the connection.
  private static var mostLines: Int { 128 }

  /// Makes the service on a socket; connections above the limits are closed at once.
  ///
  /// - Parameters:
  ///   - maximumConnections: The most connections of root, and of all other users together.
  ///   - maximumConnectionsPerUser: The most connections of one user other than root.
  ///   - loop: The loop in which events are read and sent; events told in it are sent without waking a thread.
  ///   - promptness: The time in which a subscriber has to read to be sent more at once; one that looks once a second
  ///     does.
  ///   - patience: How long a subscriber may read nothing before it is dropped; its place is kept.
  package init(
    on listener: ListeningSocket, from source: Source, maximumConnections: Int,
    maximumConnectionsPerUser: Int, loop: EventLoop,
    promptness: Duration = .milliseconds(1500), patience: Duration = .seconds(30)
  ) {
    self.listener = listener
    self.source = source
    self.maximumConnections = maximumConnections
    self.maximumConnectionsPerUser = maximumConnectionsPerUser
    self.loop = loop
    self.promptness = promptness
    self.patience = patience
  }

  /// The name under which a user's place in the log is kept.
  package static func consumer(ofUser user: UInt32) -> String { prefix + String(user) }

  /// The user whose place is kept under a name; nil for other names.
  package static func user(ofConsumer name: String) -> UInt32? {
    name.hasPrefix(prefix) ? UInt32(name.dropFirst(prefix.count)) : nil
  }

  private static var prefix: String { "events-socket/" }

  /// The number of connected subscribers.
  package var connections: Int { places.count }

  /// Whether a user has a connection.
  package func isConnected(user: UInt32) -> Bool { places.has(user) }

  /// Serves subscribers until the task is cancelled.
  package func run() async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled, let socket = try? await listener.accept(on: loop.poller) {
        guard let user = try? socket.user,
          let id = places.enter(
            user: user, limit: maximumConnections, limitPerUser: maximumConnectionsPerUser)
        else { continue }
        group.addTask {
          await loop.run {
            await serve(socket, as: id, user: user)
            places.leave(id)
          }
        }
      }
      group.cancelAll()
    }
  }

  private func serve(_ socket: StreamSocket, as id: UInt64, user: UInt32) async {
    let consumer = EventConsumer(
      name: Self.consumer(ofUser: user), user: user == 0 ? nil : user)
    guard let start = try? await source.register(consumer) else { return }
    _ = places.move(id, to: start)
    let reading = Reading(from: start)
    await waitForFirst(
      { try? await socket.waitForHangUp() },
      { try? await loop.run { try await send(to: socket, consumer, from: start, reading) } },
      {
        try? await loop.run {
          try await confirm(socket, as: id, user, consumer, from: start, reading)
        }
      })
  }

  /// The numbers of the last events sent to a subscriber, read by it, and read promptly.
  private struct Reading {
    let sent: SequenceSignal
    let taken: SequenceSignal
    let prompt: SequenceSignal

    init(from start: Int64) {
      sent = SequenceSignal(latest: start)
      taken = SequenceSignal(latest: start)
      prompt = SequenceSignal(latest: start)
    }
  }

  /// Sends events as they come, and announces how far it is.
  private func send(
    to socket: StreamSocket, _ consumer: EventConsumer, from start: Int64, _ reading: Reading
  ) async throws {
    var position = start
    // The number of lines that may be unread, and the number sent since all was read.
    var (window, unread) = (1, 0)
    while true {
      try await source.signal.wait(after: position)
      let latest = source.signal.latest
      let (events, lagged) = try await source.events(
        after: position, for: consumer, limit: Self.pageSize)
      var lines = try Self.lines(events, lagged)[...]
      while var piece = lines.popFirst() {
        if unread >= window { try await reading.taken.wait(after: position - 1) }
        if unread > 0, reading.taken.latest >= position {
          let isPrompt = reading.prompt.latest >= position
          window = isPrompt ? min(max(window, 2 * unread), Self.mostLines) : 1
          unread = 0
        }
        unread += 1
        while unread < window, let next = lines.first,
          piece.bytes.count + next.bytes.count <= Self.pieceSize
        {
          piece = (piece.bytes + next.bytes, next.last)
          lines.removeFirst()
          unread += 1
        }
        try await socket.write(piece.bytes, timeout: patience)
        position = piece.last
        reading.sent.announce(position)
      }
      // Without events, all the new ones belong to other users.
      if events.isEmpty, lagged == nil { position = max(latest, position) }
      reading.sent.announce(position)
    }
  }

  /// The lines of events, each with the number of its last event.
  private static func lines(
    _ events: [LoggedEvent], _ lagged: Lagged?
  ) throws -> [(bytes: [UInt8], last: Int64)] {
    var lines = events.map { event in
      (bytes: Array(event.body.utf8) + [lineEnd], last: event.event.sequence)
    }
    if let lagged {
      lines.insert(
        (try CanonicalJSON.encode(["lagged": lagged]) + [lineEnd], lagged.last), at: 0)
    }
    return lines
  }

  /// Stores the place of a subscriber whenever it has read all that was sent.
  private func confirm(
    _ socket: StreamSocket, as id: UInt64, _ user: UInt32, _ consumer: EventConsumer,
    from start: Int64, _ reading: Reading
  ) async throws {
    var position = start
    while true {
      try await reading.sent.wait(after: position)
      // Take this before waiting: what is sent meanwhile has to be read, too, and is confirmed the next time.
      position = reading.sent.latest
      let began = ContinuousClock.now
      guard try await isTaken(by: socket) else { return }
      if began.duration(to: .now) <= promptness { reading.prompt.announce(position) }
      reading.taken.announce(position)
      if let place = places.move(id, to: position) {
        do {
          try await source.setCursor(of: consumer, to: place)
        } catch {
          // If a place can't be stored (a full disk), it is stored with the next one; until then events may come again.
          places.forgetPlace(of: user)
        }
      }
    }
  }

  private static var lineEnd: UInt8 { UInt8(ascii: "\n") }

  /// Waits until the subscriber has read all that was written; false if it left before.
  ///
  /// What the system has accepted isn't told yet: a subscriber may close its connection without reading it. The system
  /// doesn't report that it was read, so this asks for it, with growing pauses.
  private func isTaken(by socket: StreamSocket) async throws -> Bool {
    var backoff = Backoff(from: .milliseconds(1), upTo: .milliseconds(50))
    var reading = ReadingProgress(patience: patience)
    while socket.bytesNotYetTaken > 0 {
      let pause = backoff.next()
      guard reading.goesOn(after: pause, left: socket.bytesNotYetTaken) else { return false }
      try await loop.poller.sleep(for: pause)
    }
    // Closing drops unread bytes, which looks the same as reading them.
    return !socket.isHungUp
  }
}
