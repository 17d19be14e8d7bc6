import EventDelivery
import LinuxSystem

/// Writes events to the journal.
struct JournalService: Service {
  let name = "journal"
  let configuration: ConfigurationStore
  let source: Monitoring
  let status: StatusReporter
  let clock: DaemonClock

  func run() async throws {
    let (configuration, status) = (configuration, status)
    let sink = JournalSink(
      showsCoordinates: { configuration.current.journal.coordinates },
      isWaiting: { status.noteJournal(isWaiting: $0) })
    while !Task.isCancelled {
      await configuration.whileEqual(
        \.journal.isEnabled,
        run: { current in
          guard current.journal.isEnabled else {
            // Nothing to do until the configuration changes: so an earlier failure of the journal is over.
            status.noteJournal(failure: nil)
            try? await source.signal.wait(after: .max)
            return
          }
          await Delivery(to: sink, from: source, clock: clock.sleeping) {
            status.noteJournal(failure: $0)
          }.run()
        })
    }
  }
}
