internal import ControlInterface
public import FoundationEssentials
internal import Geofencing
internal import Varlink

extension Monitor {
  /// What happened to this monitor's conditions, as far as the log still has it, in the order of the log.
  ///
  /// See ``history(ofMonitor:of:after:from:until:kinds:service:)``.
  public nonisolated func history(
    of identifier: String? = nil, after event: Event? = nil, from: Date? = nil,
    until: Date? = nil, kinds: Set<Event.Kind>? = nil
  ) -> History {
    Self.history(
      ofMonitor: name, of: identifier, after: event, from: from, until: until, kinds: kinds,
      service: service)
  }

  /// What happened to a monitor's conditions, as far as the log still has it, in the order of the log.
  ///
  /// ```swift
  /// let week = Monitor.history(
  ///   ofMonitor: "errands", from: .now - 7 * 86_400, kinds: [.exited, .undetermined, .unmonitored])
  /// for try await event in week {
  ///   if let visit = event.visit, let ended = visit.ended { print(event.identifier, visit.began, ended) }
  /// }
  /// ```
  ///
  /// Looking back opens no monitor and makes no consumer, acknowledges nothing and changes nothing for loops over
  /// ``events``. It needs the service: while that is away, a loop throws ``MonitorError/serviceUnavailable(_:)``.
  ///
  /// - Parameters:
  ///   - name: The user's monitor; of one that there isn't nothing has happened.
  ///   - identifier: Of which condition; nil is all, also those that aren't watched any more.
  ///   - event: Behind which event it begins, as the last one of an earlier look; nil, and one that another log has
  ///     numbered, is where the log begins. What the log has dropped behind it is told by ``Event/missed`` of the
  ///     first event that is left.
  ///   - from: The earliest ``Event/date``, to the millisecond; nil is wherever the log begins.
  ///   - until: The latest one; without it, what happens during the loop comes too.
  ///   - kinds: Of which kinds; nil is all, an empty set none. A visit ends with one that was ``Event/Kind/exited``,
  ///     ``Event/Kind/undetermined`` or ``Event/Kind/unmonitored``.
  ///   - service: Where geofenced is reached.
  public static func history(
    ofMonitor name: String, of identifier: String? = nil, after event: Event? = nil,
    from: Date? = nil, until: Date? = nil, kinds: Set<Event.Kind>? = nil,
    service: GeofenceService = .system
  ) -> History {
    History(
      service: service, monitor: name, identifier: identifier, event: event, from: from,
      until: until, kinds: kinds)
  }

  /// Events of the past.
  public struct History: AsyncSequence, Sendable {
    /// What the loop is given.
    public typealias Element = Event

    /// What ends the loop before the log does.
    public typealias Failure = MonitorError

    fileprivate let service: GeofenceService
    fileprivate let monitor: String
    fileprivate let identifier: String?
    fileprivate let event: Event?
    fileprivate let from: Date?
    fileprivate let until: Date?
    fileprivate let kinds: Set<Event.Kind>?

    /// Begins with the first one.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// The events after a number, as many as the service sends at once.
    fileprivate func events(after since: Int64) async throws -> ControlInterface.Events.Reply {
      var parameters = ControlInterface.Events.Parameters(monitor: monitor, identifier: identifier)
      parameters.since = since
      parameters.kinds = kinds?.compactMap { EventKind(rawValue: $0.rawValue) }
      parameters.from = from.map(Self.timestamp)
      parameters.until = until.map(Self.timestamp)
      return try await Monitor.ofOwnUser { [parameters, service] user in
        var parameters = parameters
        parameters.user = user
        return try await service.call(ControlInterface.Events.self, parameters)
      }
    }

    /// A date as the service has it; a date out of its range becomes its first or last one.
    private static func timestamp(_ date: Date) -> Timestamp {
      Timestamp(date) ?? Timestamp(nanoseconds: date.timeIntervalSince1970 < 0 ? .min : .max)
    }

    /// One loop.
    public struct Iterator: AsyncIteratorProtocol {
      private let history: History
      private var page: ArraySlice<Event> = []

      /// The number of the last event that was read; nil after the end.
      private var last: Int64?

      /// The log of that event.
      private var log: String?

      /// The events after it that are gone from the log.
      private var missed: Event.Missed?

      /// Whether it isn't known yet if this is still the service's log.
      private var isUnplaced: Bool

      fileprivate init(_ history: History) {
        self.history = history
        log = history.event?.log
        isUnplaced = history.event != nil
        last = history.event.map { Int64($0.sequence) } ?? 0
      }

      /// The next event; nil behind the last one, and when the task is cancelled.
      public mutating func next() async throws(MonitorError) -> Event? {
        try await next(isolation: #isolation)
      }

      /// The next event; nil behind the last one, and when the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(MonitorError) -> Event? {
        if Task.isCancelled { (page, last) = ([], nil) }
        while page.isEmpty, let since = last { try await read(after: since) }
        return page.popFirst()
      }

      /// Reads the next events, some at a time.
      ///
      /// After an error, such as a service that is away for a moment, the next call goes on.
      private mutating func read(after since: Int64) async throws(MonitorError) {
        last = nil
        guard history.kinds?.isEmpty != true else { return }
        try MonitorError.check(history.monitor, as: "monitor")
        if let identifier = history.identifier {
          try MonitorError.check(identifier, as: "identifier")
        }
        var since = since
        do {
          if isUnplaced {
            let status = try await history.service.call(Status.self, Status.Parameters())
            if status.log != log { (since, log) = (0, status.log) }
            isUnplaced = false
          }
          let reply = try await history.events(after: since)
          take(reply, after: since)
        } catch let error as MonitorError {
          if error.isTransient { last = since }
          throw error
        } catch {
          // The task was cancelled.
        }
      }

      /// Takes what the service has after a number: the events, and which ones are gone from the log.
      private mutating func take(_ reply: ControlInterface.Events.Reply, after since: Int64) {
        var events = reply.events.map { Event($0) }
        if let first = events.first {
          let isAnother = since > 0 && log != nil && first.log != log
          log = first.log
          // The number is of another log: begin this one from its start.
          guard !isAnother else {
            (last, missed) = (0, nil)
            return
          }
        }
        if let lagged = reply.lagged, lagged.first <= lagged.last {
          let first = missed?.sequences.lowerBound ?? Int(lagged.first)
          missed = Event.Missed(
            sequences: Swift.min(first, Int(lagged.first))...Int(lagged.last),
            count: missed == nil ? lagged.events : nil)
        }
        if !events.isEmpty {
          events[0].missed = missed
          missed = nil
        }
        page = events[...]
        last = [reply.lagged?.last, reply.events.last?.sequence].compactMap(\.self).max()
      }
    }
  }
}
