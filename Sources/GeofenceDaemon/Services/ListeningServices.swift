import EventDelivery
import LinuxSystem
import Varlink

/// Serves the control socket.
struct ControlService: Service {
  let name = "control"
  let server: VarlinkServer
  let listener: ListeningSocket

  func run() async throws {
    await server.run(on: listener)
  }
}

/// Serves the events socket.
struct EventsSocketService: Service {
  let name = "events socket"
  let socket: EventsSocket<LogEventSource>

  func run() async throws {
    try await socket.run()
  }
}

/// Brings events to the journal, but for those of the time while it is turned off.
struct JournalService<Source: EventSource>: Service {
  let name = "journal"
  let configuration: ConfigurationStore
  let source: Source
  let status: StatusReporter
  let clock: DaemonClock

  func run() async throws {
    while !Task.isCancelled {
      await configuration.whileEqual(
        \.journal.isEnabled,
        run: { current in
          if current.journal.isEnabled {
            await deliver()
          } else {
            await passOver()
          }
        })
    }
  }

  private func deliver() async {
    let configuration = configuration
    let sink = JournalSink { configuration.current.journal.coordinates }
    try? await Delivery(to: sink, from: source, clock: clock.sleeping) { failure in
      status.note(failure, of: sink.name)
    }.run()
  }

  /// Goes along with the log without a word: what happens now isn't told when it is turned on.
  private func passOver() async {
    status.note(nil, of: JournalSink.consumer.name)
    while !Task.isCancelled {
      let latest = source.signal.latest
      // A place that can't be kept is kept with the next event.
      try? await source.setCursor(of: JournalSink.consumer, to: latest)
      try? await source.signal.wait(after: latest)
    }
  }
}
