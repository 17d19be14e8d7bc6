import Geofencing
import LinuxSystem

/// Brings every event to one sink, in order and at least once.
///
/// The cursor is kept in the log after the sink has taken the events: whatever happens in between,
/// they come again. So do, after a power cut, those that the sink may have lost with it. A sink that fails is
/// tried again with growing pauses and holds up nobody else.
package struct Delivery<Sink: EventSink, Source: EventSource>: Sendable {
  private let sink: Sink
  private let source: Source
  private let clock: any Clock<Duration>
  private let report: @Sendable ((any Error)?) -> Void

  /// How many events are read at once.
  private static var pageSize: Int { 256 }

  /// A delivery to a sink.
  ///
  /// - Parameter report: told the error when the sink begins to fail, and nil when it works again.
  package init(
    to sink: Sink, from source: Source, clock: any Clock<Duration>,
    report: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.sink = sink
    self.source = source
    self.clock = clock
    self.report = report
  }

  /// How far the sink was told, and how much of that the log knows; nil until the log was asked.
  private struct Progress {
    var told: Int64?
    var kept: Int64?
  }

  /// Delivers until the task is cancelled.
  package func run() async {
    let consumer = EventConsumer(name: sink.name, syncDelay: sink.syncDelay)
    var progress = Progress()
    await run(as: consumer, &progress)
    // What was told last needn't be told again.
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
        // A full disk keeps this from the log, but neither has the sink told again nor keeps it from
        // what comes next.
        var unkept: (any Error)?
        do {
          try await keepPlace(of: consumer, &progress)
        } catch {
          unkept = error
        }
        // Asked before reading: an event that comes in between ends the wait below.
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
          // Numbers whose events are gone count as read.
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

  /// Has the log know how far the sink was told, if it doesn't.
  private func keepPlace(of consumer: EventConsumer, _ progress: inout Progress) async throws {
    guard let told = progress.told, told != progress.kept else { return }
    try await source.setCursor(of: consumer, to: told)
    progress.kept = told
  }

  /// Waits until there is an event after a number, for some time at most.
  private func waitForEvent(after sequence: Int64, atMost pause: Duration?) async throws {
    guard let pause else { return try await source.signal.wait(after: sequence) }
    await waitForFirst(
      { try? await source.signal.wait(after: sequence) }, { try? await clock.sleep(for: pause) })
    try Task.checkCancellation()
  }
}
