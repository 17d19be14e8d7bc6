import LinuxSystem
import MonitorStorage
import SQLite

/// Keeps the write-ahead log of the database short, while nobody waits for that.
struct WriteAheadLogService: Service {
  let name = "write-ahead log"
  let monitoring: Monitoring
  let checkpointer: Checkpointer
  let clock: DaemonClock

  /// How long nothing has to be written before it begins: what is written at the same time waits for the
  /// same disk.
  static let quiet = Duration.seconds(1)

  func run() async throws {
    var seen: Int64 = 0
    while true {
      try await monitoring.longLogs.wait(after: seen)
      try await waitForQuiet()
      seen = monitoring.longLogs.latest
      // What fails is tried again when more was written, and a commit does it in the end.
      do {
        try await checkpointer.run()
      } catch let error as SQLiteError where error.isOfDevice {
        await monitoring.doubtWriteAheadLog()
      } catch {
        // As above: a full disk, or too many open files.
      }
    }
  }

  private func waitForQuiet() async throws {
    var written: Int64
    repeat {
      written = monitoring.steps.latest
      try await clock.sleeping.sleep(for: Self.quiet)
    } while monitoring.steps.latest != written
  }
}
