package import LinuxSystem

/// Fixes from a live gpsd.
///
/// It stays with gpsd whatever happens to it: each loss is told as ``SourceEvent/disconnected(_:)``
/// with its reason, and tried again after a delay that doubles up to a limit, with a random part, so
/// that many clients don't come back at the same moment.
/// Nothing runs between two calls of `next`: there is no task and no buffer behind the loop, and no
/// report is dropped on this side.
package struct GPSDSource: LocationSource {
  private let settings: GPSDSettings
  private let clock: any Clock<Duration>
  private let random: @Sendable () -> Double
  private let tap: RawLineTap?
  private let poller: Poller
  private let counters: GPSDCounters

  /// A gpsd; nothing is connected before the first loop, and each has a connection of its own.
  ///
  /// - Parameters:
  ///   - clock: what the delays between attempts are slept on.
  ///   - tap: gets every line of gpsd that is a message.
  ///   - poller: the one that waits for gpsd.
  ///   - counters: what counts what goes wrong.
  ///   - random: a number from 0 up to 1, for the random part of the delays.
  package init(
    _ settings: GPSDSettings, clock: any Clock<Duration> = ContinuousClock(),
    tap: RawLineTap? = nil, poller: Poller = .shared,
    counters: GPSDCounters = GPSDCounters(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.settings = settings
    self.clock = clock
    self.tap = tap
    self.poller = poller
    self.counters = counters
    self.random = random
  }

  /// What went wrong so far, for people who wonder.
  package var statistics: GPSDStatistics { counters.statistics }

  package func makeAsyncIterator() -> Iterator { Iterator(source: self) }

  package func hasMore(_ iterator: inout Iterator?) -> Bool {
    iterator?.connection?.session.hasMore ?? false
  }

  /// Connects, reads and waits while the next event is asked for; its end closes the connection.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate struct Connection {
      let socket: StreamSocket
      var session: GPSDSession
    }

    private let source: GPSDSource
    fileprivate var connection: Connection?
    private var delay: Duration?
    private var delays: Backoff
    private var patience: Backoff
    private var isFinished = false

    /// How many bytes were read since others had their turn on the poller's thread.
    private var readBytes = 0

    /// Some hundred reports: a gpsd that sends without end, and nothing that ends a burst, isn't to keep
    /// everybody else waiting.
    private static let longestTurn = 65_536

    fileprivate init(source: GPSDSource) {
      self.source = source
      delays = source.settings.delays
      patience = source.settings.patience
    }

    package mutating func next(isolation actor: isolated (any Actor)?) async -> SourceEvent? {
      while !isFinished {
        do {
          if let event = try await advance() { return event }
        } catch {
          // Only cancellation gets here, and it ends the source.
          isFinished = true
          connection = nil
        }
      }
      return nil
    }

    /// Goes one step further; nil when that brought no event.
    ///
    /// - Throws: only `CancellationError`.
    private mutating func advance() async throws -> SourceEvent? {
      try Task.checkCancellation()
      guard let action = connection?.session.next(now: .now) else { return try await connect() }
      switch action {
      case .event(let event):
        return event
      case .send(let bytes):
        try await onSocket { socket, session in
          try await socket.write(bytes, timeout: GPSDSettings.connectTimeout)
        }
      case .read(let timeout):
        if readBytes >= Self.longestTurn {
          readBytes = 0
          await source.poller.yield()
        }
        var count = 0
        try await onSocket { socket, session in
          if let bytes = try await socket.read(timeout: timeout) {
            count = bytes.count
            session.receive(bytes, now: .now)
          } else {
            session.timeOut(now: .now)
          }
        }
        readBytes += count
      case .close(let ending):
        return lose(ending)
      }
      return nil
    }

    /// Uses the socket; its failure is the connection's end, which the session tells next.
    private mutating func onSocket(
      _ body: (StreamSocket, inout GPSDSession) async throws -> Void
    ) async throws {
      guard var connection else { return }
      self.connection = nil
      do {
        try await body(connection.socket, &connection.session)
      } catch let error as CancellationError {
        throw error
      } catch {
        connection.session.end("the connection to gpsd broke: \(error)")
      }
      self.connection = connection
    }

    private mutating func connect() async throws -> SourceEvent? {
      if let delay {
        try await source.clock.sleep(for: delay)
        self.delay = nil
      }
      let settings = source.settings
      do {
        let socket = try await StreamSocket.connect(
          host: settings.host, port: settings.port, timeout: GPSDSettings.connectTimeout,
          on: source.poller)
        connection = Connection(
          socket: socket,
          session: GPSDSession(
            settings, patience: patience.delay, counters: source.counters, tap: source.tap,
            now: .now))
        return nil
      } catch let error as CancellationError {
        throw error
      } catch {
        return lose(
          GPSDSession.Ending(
            reason: "gpsd at \(settings.address) can't be reached: \(error)"))
      }
    }

    /// Closes the connection and chooses when to try again.
    private mutating func lose(_ ending: GPSDSession.Ending) -> SourceEvent {
      if connection?.session.hasReported == true {
        delays.reset()
        patience.reset()
      }
      connection = nil
      source.counters.update { $0.failures += 1 }
      if ending.isSilence {
        // gpsd is well: the next connection lasts longer instead of coming later.
        _ = patience.next()
        delays.reset()
      }
      delay = delays.next() * (0.5 + source.random() / 2)
      return .disconnected(ending.reason)
    }
  }
}
