internal import ControlInterface
internal import LinuxSystem
internal import Varlink

/// Where the receiver is, as a sequence.
///
/// ```swift
/// func follow() async throws {
///   for try await update in LocationUpdates.liveUpdates() {
///     if let location = update.location { print(location.coordinate) }
///     if update.isStationary { break }
///   }
/// }
/// ```
///
/// Nothing runs before the loop begins, and leaving the loop stops the updates; at the top level of main.swift, where
/// Swift keeps what a loop reads from, they stop with the program. The first update is what is
/// known already: during a pause a location as old as the last look at the receiver, up to `PauseProbeSec=`
/// (three minutes), so look at its timestamp. Without a configuration it says that the receiver is at
/// rest, and no other comes before it moves; a loop with a configuration of its own finds out by itself,
/// has the receiver in use meanwhile, and so begins with ``LocationUpdate/isStationary`` false.
///
/// While a program is slow, sixteen updates or more wait for it. Of those beyond, only the newest is kept, and says how
/// many were missed. So a program that takes seconds for each looks at the timestamp.
///
/// While geofenced can't be reached, one update without a location says so, and the loop goes on when it is back. A
/// service that accepts the connection and then says nothing looks like a receiver that is silent. The loop ends when
/// its task is cancelled.
public struct LocationUpdates: AsyncSequence, Sendable {
  /// What the loop is given.
  public typealias Element = LocationUpdate

  /// What ends the loop: only `protocolViolation`; all else is told by updates.
  ///
  /// A call that overlaps another one of the same loop, which waits for the service's next word, is refused
  /// with `alreadyOpen`, and the loop goes on.
  public typealias Failure = MonitorError

  fileprivate typealias Replies =
    VarlinkReplySequence<Locations.Reply, Locations.Parameters>.AsyncIterator

  private let configuration: LiveConfiguration?
  private let service: GeofenceService

  /// The updates from now on.
  ///
  /// - Parameters:
  ///   - configuration: What the receiver moves with, for this loop alone; without one, what geofenced
  ///     is configured for.
  ///   - service: Where geofenced is reached.
  public static func liveUpdates(
    _ configuration: LiveConfiguration? = nil, service: GeofenceService = .system
  ) -> LocationUpdates {
    LocationUpdates(configuration: configuration, service: service)
  }

  /// Begins a loop.
  public func makeAsyncIterator() -> Iterator {
    Iterator(configuration: configuration, service: service)
  }

  /// One loop, with a connection of its own.
  public struct Iterator: AsyncIteratorProtocol {
    /// How long a permission that was denied isn't asked for again.
    private static let permissionPause = Duration.seconds(30)

    private let configuration: LiveConfiguration?
    private let service: GeofenceService
    private var replies: Replies?
    private var backoff = Backoff()

    /// How long to wait before the next attempt.
    private var pause: Duration?

    /// The update that told of a trouble that lasts, so that it is told only once.
    private var trouble: LocationUpdate?
    private var isFinished = false

    /// Whether geofenced has answered this loop before.
    private var wasConnected = false

    fileprivate init(configuration: LiveConfiguration?, service: GeofenceService) {
      self.configuration = configuration
      self.service = service
    }

    /// The next update; nil when the task is cancelled.
    public mutating func next() async throws(MonitorError) -> LocationUpdate? {
      try await next(isolation: #isolation)
    }

    /// The next update; nil when the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(MonitorError) -> LocationUpdate? {
      while !isFinished {
        do {
          if let pause { try await service.clock.sleep(for: pause) }
          pause = nil
          return try await receive(isolation: actor)
        } catch VarlinkConnectionError.busy {
          // A copy of this iterator is waiting on the same connection, for example in an actor that is called again
          // meanwhile.
          throw .alreadyOpen(
            "another call waits for this iterator's next update: begin a loop for each that needs "
              + "updates")
        } catch {
          replies = nil
          if let update = try follow(error), !isTold(update) {
            trouble = update
            return update
          }
        }
      }
      return nil
    }

    /// Whether the same trouble was told already, whatever the reason was.
    private func isTold(_ update: LocationUpdate) -> Bool {
      guard var told = trouble else { return false }
      told.disconnection = update.disconnection
      return told == update
    }

    private mutating func receive(
      isolation actor: isolated (any Actor)?
    ) async throws -> LocationUpdate {
      if replies == nil {
        replies = try await service.connect(wasConnected: wasConnected).stream(
          Locations.self, Locations.Parameters(configuration: configuration?.rawValue)
        ).makeAsyncIterator()
      }
      guard let reply = try await replies?.next(isolation: actor) else {
        throw VarlinkConnectionError.closed
      }
      backoff.reset()
      wasConnected = true
      trouble = nil
      return LocationUpdate(reply)
    }

    /// The update that tells the program of an error; nil if the loop has ended.
    private mutating func follow(_ error: any Error) throws(MonitorError) -> LocationUpdate? {
      var update = LocationUpdate(location: nil)
      switch MonitorError.translating(error) {
      case is CancellationError:
        isFinished = true
        return nil
      case MonitorError.authorizationDenied(let sentence):
        update.authorizationDenied = true
        update.disconnection = sentence
        pause = Self.permissionPause
      case let error as MonitorError where error.isTransient:
        update.receiverDisconnected = true
        update.disconnection = error.description
        pause = backoff.next()
      case let error:
        isFinished = true
        throw error as? MonitorError ?? .protocolViolation("\(error)")
      }
      return update
    }
  }
}
