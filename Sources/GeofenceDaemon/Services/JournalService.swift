import EventDelivery
import LinuxSystem

/// Brings events to the journal.
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
            // Nothing to do until that changes, and nobody waits for a journal that failed before.
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
