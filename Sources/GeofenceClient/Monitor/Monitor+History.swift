internal import ControlInterface
public import FoundationEssentials
internal import Geofencing

extension Monitor {
  /// What happened to this monitor's conditions, as far as the log still has it, oldest first.
  ///
  /// ```swift
  /// for try await event in monitor.history(from: .now - 7 * 86_400, kinds: [.exited]) {
  ///   if let visit = event.visit { print(event.identifier, visit.began, visit.ended ?? "") }
  /// }
  /// ```
  ///
  /// Looking back acknowledges nothing, and changes nothing for loops over ``events``. It needs the service: while
  /// that is away, a loop throws ``MonitorError/serviceUnavailable(_:)``.
  ///
  /// - Parameters:
  ///   - identifier: Of which condition; nil is all, also those that aren't watched any more.
  ///   - from: The earliest ``Event/date``; nil is wherever the log begins.
  ///   - until: The latest one; nil is the present end of the log.
  ///   - kinds: Of which kinds; nil is all.
  public nonisolated func history(
    of identifier: String? = nil, from: Date? = nil, until: Date? = nil,
    kinds: Set<Event.Kind>? = nil
  ) -> History {
    History(
      service: service, monitor: name, identifier: identifier, from: from, until: until,
      kinds: kinds)
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
    fileprivate let from: Date?
    fileprivate let until: Date?
    fileprivate let kinds: Set<Event.Kind>?

    /// Begins at the oldest one.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// One loop.
    public struct Iterator: AsyncIteratorProtocol {
      private let history: History
      private var page: ArraySlice<Event> = []

      /// The number of the last event that was read; nil behind the end.
      private var last: Int64? = 0

      fileprivate init(_ history: History) { self.history = history }

      /// The next event; nil behind the last one, and when the task is cancelled.
      public mutating func next() async throws(MonitorError) -> Event? {
        try await next(isolation: #isolation)
      }

      /// The next event; nil behind the last one, and when the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(MonitorError) -> Event? {
        while page.isEmpty, let since = last { try await read(after: since) }
        return page.popFirst()
      }

      /// A date as the service has it; what is out of its range is before or after all.
      private static func timestamp(_ date: Date) -> Timestamp {
        Timestamp(date) ?? Timestamp(nanoseconds: date.timeIntervalSince1970 < 0 ? .min : .max)
      }

      /// Reads the next events, some at a time.
      private mutating func read(after since: Int64) async throws(MonitorError) {
        last = nil
        guard history.kinds?.isEmpty != true else { return }
        if let identifier = history.identifier {
          try MonitorError.check(identifier, as: "identifier")
        }
        var parameters = ControlInterface.Events.Parameters(
          monitor: history.monitor, identifier: history.identifier, since: since)
        parameters.kinds = history.kinds?.compactMap { EventKind(rawValue: $0.rawValue) }
        parameters.from = history.from.map(Self.timestamp)
        parameters.until = history.until.map(Self.timestamp)
        let reply: ControlInterface.Events.Reply
        do {
          reply = try await history.service.call(ControlInterface.Events.self, parameters)
        } catch let error as MonitorError {
          throw error
        } catch {
          // The task was cancelled.
          return
        }
        page = reply.events.map { Event($0) }[...]
        last = [reply.lagged?.last, reply.events.last?.sequence].compactMap(\.self).max()
      }
    }
  }
}
