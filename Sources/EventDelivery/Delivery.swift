import Geofencing
import LinuxSystem

/// Delivers every event to one sink, in order and at least once.
///
/// The log keeps the number of the last event that the sink has taken. If something fails before that is stored, the
/// events after it are delivered again; so are those that the sink may have lost in a power failure. A sink that
/// fails is tried again after growing pauses, and doesn't delay other sinks.
package struct Delivery<Sink: EventSink, Source: EventSource>: Sendable {
  private let sink: Sink
  private let source: Source
  private let clock: any Clock<Duration>
  private let report: @Sendable ((any Error)?) -> Void

  /// How many events are read at once.
  private static var pageSize: Int { 256 }

  /// Makes a delivery to a sink.
  ///
  /// - Parameter report: Called with the error when the sink begins to fail, and with nil when it works again.
  package init(
    to sink: Sink, from source: Source, clock: any Clock<Duration>,
    report: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.sink = sink
    self.source = source
    self.clock = clock
    self.report = report
  }

  /// The numbers of the last event told to the sink, and of the last one known to the log; nil until the log was asked.
  private struct Progress {
    var told: Int64?
    var kept: Int64?
  }

  /// Delivers until the task is cancelled.
  package func run() async {
    let consumer = EventConsumer(name: sink.name, syncDelay: sink.syncDelay)
    var progress = Progress()
    await run(as: consumer, &progress)
    // Store the place, so that the last events aren't told again.
    try? await keepPlace(of: consumer, &progress)
  }

  private func run(as consumer: EventConsumer, _ progress: inout Progress) async {
    var backoff = Backoff(from: .milliseconds(250), upTo: .seconds(30))
    var isFailing = false
    while !Task.isCancelled {
      do {
        if progress.told == nil {
          progress.kept = try await source.register(consumer)
          progress.told = progress.kept
        }
        let position = progress.told ?? 0
        // A full disk may prevent this. Then the sink isn't told the same events again, and still gets the next ones.
        var unkept: (any Error)?
        do {
          try await keepPlace(of: consumer, &progress)
        } catch {
          unkept = error
        }
        // Read this before the events, so that an event that comes in between ends the wait below.
        let latest = source.signal.latest
        let (events, lagged) = try await source.events(
          after: position, for: consumer, limit: Self.pageSize)
        if let lagged {
          try await sink.deliver(lagged)
          progress.told = lagged.last
        }
        if let last = events.last {
          try await sink.deliver(events.map(\.event))
          progress.told = last.event.sequence
        }
        if let unkept {
          if !isFailing { report(unkept) }
          isFailing = true
        } else {
          if isFailing { report(nil) }
          isFailing = false
          backoff.reset()
        }
        if events.isEmpty, lagged == nil {
          // Numbers whose events are gone count as read, too.
          try await waitForEvent(
            after: max(position, latest), atMost: unkept == nil ? nil : backoff.next())
        }
      } catch is CancellationError {
        return
      } catch {
        if !isFailing { report(error) }
        isFailing = true
        do {
          try await clock.sleep(for: backoff.next())
        } catch {
          return
        }
      }
    }
  }

  /// Stores in the log how far the sink was told, if that has changed.
  private func keepPlace(of consumer: EventConsumer, _ progress: inout Progress) async throws {
    guard let told = progress.told, told != progress.kept else { return }
    try await source.setCursor(of: consumer, to: told)
    progress.kept = told
  }

  /// Waits for an event after a number, at most for the given time; nil is without a limit.
  private func waitForEvent(after sequence: Int64, atMost pause: Duration?) async throws {
    guard let pause else { return try await source.signal.wait(after: sequence) }
    await waitForFirst(
      { try? await source.signal.wait(after: sequence) }, { try? await clock.sleep(for: pause) })
    try Task.checkCancellation()
  }
}
