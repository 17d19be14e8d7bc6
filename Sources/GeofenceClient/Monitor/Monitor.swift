internal import ControlInterface
internal import LinuxSystem
internal import Varlink

/// A named set of conditions that geofenced watches, and the events of it.
///
/// ```swift
/// let monitor = try await Monitor("trip")
/// try await monitor.add(
///   CircularGeographicCondition(center: home, radius: 150), identifier: "home")
/// for try await event in await monitor.events {
///   print(event.identifier, event.state)
/// }
/// ```
///
/// Conditions and events outlive the program and the machine's reboots. A program that was away opens
/// its monitor by name again and gets every event that it missed.
public actor Monitor {
  /// The monitor's name.
  public nonisolated let name: String

  /// The name of the consumer as which this program reads.
  public nonisolated let consumer: String

  /// The events that are here, shared with the loops over them.
  nonisolated let queue = WatchedState(EventQueue())

  typealias Replies = VarlinkReplySequence<Consume.Reply, Consume.Parameters>.AsyncIterator

  let service: GeofenceService
  private let place: OpenMonitor

  /// The call of `Consume`; nil while there is no connection.
  var replies: Replies?
  private(set) var isReading = false
  private var readingBackoff = Backoff()

  /// How many of the last attempts in a row found another reader, and how many of all since the last reply.
  private var takenCount = 0
  private var takenTotal = 0

  /// The connection for acknowledgements and questions, while it isn't in use.
  var acknowledger: VarlinkConnection?
  private var isAcknowledging = false
  private var acknowledgingBackoff = Backoff()
  var askingBackoff = Backoff()

  /// Opens a monitor, or creates it.
  ///
  /// Each name makes a durable consumer, which begins where `beginning` says and stays until
  /// it is removed; a user may have 100 of them (`MaximumConsumersPerUser=`). Use the same name at each
  /// start, and ``removeConsumer(ofMonitor:consumer:service:)`` for one that isn't needed any more.
  ///
  /// An open monitor keeps one of the user's connections to the service, as loops over updates and sessions
  /// do, and another one while events wait; a user may have 64 of them (`MaximumConnectionsPerUser=`), and each call
  /// needs one for a moment. Once a loop was cancelled while it waited for an event it keeps none, and another process may
  /// read as the consumer, until the next loop begins.
  ///
  /// A monitor that is open in this process, or read by another one, is waited for for some three
  /// seconds: a loop that was cancelled a moment ago may still have it.
  ///
  /// - Parameters:
  ///   - name: 1 to 128 characters of `A-Z a-z 0-9 . _ -`. A monitor belongs to the user.
  ///   - consumer: As whom its events are read. Each consumer gets every event; a program that is one
  ///     of several readers of a monitor gives itself a name of its own.
  ///   - beginning: Where a consumer begins that is new; one that there is goes on where it was.
  ///   - service: Where geofenced is reached.
  /// - Throws: ``MonitorError``, or `CancellationError`. A service that doesn't answer is given up after
  ///   half a minute, with ``MonitorError/serviceUnavailable(_:)``.
  public init(
    _ name: String, consumer: String = "default", beginning: Beginning = .oldest,
    service: GeofenceService = .system
  ) async throws {
    try MonitorError.check(name, as: "monitor")
    try MonitorError.check(consumer, as: "consumer")
    self.name = name
    self.consumer = consumer
    self.service = service
    place = try await OpenMonitor.open(name, consumer: consumer, service: service)
    // The first reply comes at once, and shows that the consumer is this program's.
    try await service.patiently { while try await !receive(firstFrom: beginning) {} }
  }

  /// Where a consumer begins that is new.
  public enum Beginning: Sendable, Hashable {
    /// With the oldest event that is kept.
    case oldest

    /// With the first one that happens from now on.
    case now
  }

  /// Acknowledges an event, and all before it, without taking the next one.
  ///
  /// For a program that handles an event and ends. When it returns, that is on the service's disk, and
  /// the event doesn't come again; a loop that goes on does this by itself. From then on no loop is given
  /// the event or one before it, also if it hasn't had them yet.
  ///
  /// It works in a task that is cancelled too; the service has five seconds to answer then.
  ///
  /// - Parameter event: One of this monitor's: numbers are those of the log, so another one's would
  ///   acknowledge what nobody has read. One of a log that isn't the service's any more, which doesn't come again
  ///   anyway, acknowledges nothing.
  /// - Throws: ``MonitorError``, or `CancellationError`; then the event may come again.
  public func acknowledge(_ event: Event) async throws {
    guard event.monitor.isEmpty || event.monitor == name else {
      throw MonitorError.invalidName(
        "event #\(event.sequence) is of monitor '\(event.monitor)', not of '\(name)'")
    }
    try await service.acknowledge(acknowledgement(event.sequence, log: event.log))
    queue.change { $0.removeAll(through: event) }
  }

  private func acknowledgement(_ sequence: Int, log: String) -> Acknowledge.Parameters {
    Acknowledge.Parameters(
      ConsumerName(monitor: name, consumer: consumer), sequence: Int64(sequence), log: log)
  }

  /// The next event of a loop, when all is acknowledged that the loops have done with; nil when the
  /// task is cancelled, and when there is none and the loop is to end then.
  ///
  /// Nothing runs in the background: a loop that needs an event reads it from the service. One loop at a time does so,
  /// and the others wait; when it is cancelled, another one takes over.
  func nextEvent(
    of loop: EventQueue.Loop, endsWhenRead: Bool
  ) async throws(MonitorError) -> Event? {
    queue.change { $0.finishEvent(of: loop) }
    do {
      while true {
        try Task.checkCancellation()
        let (state, version) = queue.current
        guard state.hasLoop(loop) else {
          throw MonitorError.consumerRemoved(
            "the consumer '\(consumer)' was removed while its events were read")
        }
        if let due = state.due {
          if isAcknowledging {
            try await queue.changes.wait(after: version)
          } else {
            try await acknowledge(due)
          }
        } else if let event = queue.update({ $0.take(by: loop) }) {
          return event
        } else if endsWhenRead, try await hasRead(state) {
          // Only if nothing has changed meanwhile: another loop may have left something to do for this one.
          if queue.changes.latest == version { return nil }
        } else if queue.changes.latest != version {
          continue
        } else if isReading || state.isFull {
          try await queue.changes.wait(after: version)
        } else {
          // A user may have only some dozens of connections, so a loop that waits keeps one of them.
          acknowledger = nil
          try await receiveUnlessDue()
        }
      }
    } catch let error as MonitorError {
      throw error
    } catch is CancellationError {
      await acknowledgeAtEnd()
      return nil
    } catch {
      throw .protocolViolation("\(error)")
    }
  }

  /// Acknowledges the events that a cancelled loop has done with; if that fails, they come again.
  private func acknowledgeAtEnd() async {
    let state = queue.current.value
    guard let due = state.due else { return }
    do {
      try await service.acknowledge(acknowledgement(due.sequence, log: due.log))
      queue.change { $0.remove(due) }
    } catch {
      noteRemoval(MonitorError.translating(error), after: state.generation)
    }
  }

  /// Notes that the consumer was removed, if an error says so; loops that begin afterwards make it again.
  private func noteRemoval(_ error: any Error, after generation: Int) {
    guard case MonitorError.consumerRemoved = error else { return }
    queue.change { $0.beginAnew(after: generation) }
    if !isReading { replies = nil }
  }

  /// Reads what the service sends next, or returns when a loop leaves for which an acknowledgement has waited.
  private func receiveUnlessDue() async throws {
    // Set here, before another loop can look at it.
    isReading = true
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { _ = try await self.receive() }
      group.addTask { [queue] in
        try await queue.changes.wait { queue.current.value.isLeftDue }
      }
      try await group.next()
    }
  }

  /// Reads what the service sends next; false when that failed and is worth another attempt.
  ///
  /// - Parameter beginning: where a new consumer begins, if nothing was read before. Then only a consumer in use is
  ///   tried again, as its reader may be about to go.
  private func receive(firstFrom beginning: Beginning? = nil) async throws -> Bool {
    let isFirst = beginning != nil
    let generation = queue.current.value.generation
    isReading = true
    defer {
      isReading = false
      queue.change { _ in }
    }
    do {
      if replies == nil { replies = try await consume(from: beginning) }
      guard let replies else { throw VarlinkConnectionError.closed }
      repeat {
        guard let reply = try await replies.next(isolation: self) else {
          throw VarlinkConnectionError.closed
        }
        let isCurrent = try queue.change { queue throws(MonitorError) in
          // Sent before the consumer was removed: it comes again to the one that is made anew.
          guard queue.generation == generation else { return false }
          try queue.append(reply)
          return true
        }
        readingBackoff.reset()
        (takenCount, takenTotal) = (0, 0)
        guard isCurrent else {
          self.replies = nil
          break
        }
        // Takes everything that has come: for each event that is acknowledged, the service sends another one by itself.
      } while !isFirst && replies.hasArrived && !queue.current.value.isFull
      return true
    } catch {
      replies = nil
      guard let error = MonitorError.translating(error) as? MonitorError else {
        // Cancelled with a loop that left, which closes the connection. For a moment the service still knows
        // this monitor as a reader, so attempts are counted anew.
        takenCount = 0
        readingBackoff.reset()
        throw error
      }
      if case .consumerRemoved = error { queue.change { $0.beginAnew(after: generation) } }
      // Counts only attempts in a row: after another failure it is counted anew.
      takenCount = error.isInUse ? takenCount + 1 : 0
      takenTotal = error.isInUse ? takenTotal + 1 : 0
      let mayPass =
        takenCount <= Backoff.attemptsAtTakenName && takenTotal <= Backoff.attemptsWithLeavingLoops
      guard error.isInUse ? mayPass : !isFirst && error.isTransient else { throw error }
      try await service.clock.sleep(for: readingBackoff.next())
      return false
    }
  }

  /// - Parameter beginning: where a new consumer begins; nil if it was read before, so that it misses nothing.
  private func consume(from beginning: Beginning?) async throws -> Replies {
    let connection = try await service.connect(wasConnected: beginning == nil)
    // A number beyond the newest event means the newest one.
    let parameters = Consume.Parameters(
      ConsumerName(monitor: name, consumer: consumer), since: beginning == .now ? .max : nil)
    return connection.stream(Consume.self, parameters, prompt: .first).makeAsyncIterator()
  }

  /// Makes an acknowledgement durable, or waits before it is tried again.
  private func acknowledge(_ due: EventQueue.Acknowledgement) async throws {
    let generation = queue.current.value.generation
    isAcknowledging = true
    defer {
      isAcknowledging = false
      queue.change { _ in }
    }
    do {
      let connection = try await takeAcknowledger()
      try await connection.call(Acknowledge.self, acknowledgement(due.sequence, log: due.log))
      queue.change { $0.remove(due) }
      // Not kept with the last event in hand: if the loop is left there, the connection would stay open.
      acknowledger = queue.current.value.hasSeveral ? connection : nil
      acknowledgingBackoff.reset()
    } catch {
      let error = MonitorError.translating(error)
      noteRemoval(error, after: generation)
      guard let error = error as? MonitorError, error.isTransient else { throw error }
      // The user may have no connection left because all of them read, as this one does: give it up.
      if case .tooManyRequests = error, !isReading { replies = nil }
      try await service.clock.sleep(for: acknowledgingBackoff.next())
    }
  }
}
