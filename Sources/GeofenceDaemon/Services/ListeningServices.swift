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

/// Brings events to the journal.
struct JournalService: Service {
  let name = "journal"
  let configuration: ConfigurationStore
  let source: LogEventSource
  let status: StatusReporter
  let clock: DaemonClock

  func run() async throws {
    while !Task.isCancelled {
      let version = configuration.version.latest
      let isEnabled = configuration.current.journal.isEnabled
      await withTaskGroup { group in
        if isEnabled { group.addTask { try? await deliver() } }
        group.addTask { await waitForSwitch(from: isEnabled, since: version) }
        await group.next()
        group.cancelAll()
      }
    }
  }

  private func deliver() async throws {
    let configuration = configuration
    let sink = JournalSink { configuration.current.journal.coordinates }
    try await Delivery(to: sink, from: source, clock: clock.sleeping) { failure in
      status.note(failure, of: sink.name)
    }.run()
  }

  private func waitForSwitch(from isEnabled: Bool, since version: Int64) async {
    var version = version
    while (try? await configuration.version.wait(after: version)) != nil {
      version = configuration.version.latest
      if configuration.current.journal.isEnabled != isEnabled { return }
    }
  }
}
