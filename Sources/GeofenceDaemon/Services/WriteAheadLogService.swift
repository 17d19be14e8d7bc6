import LinuxSystem
import MonitorStorage
import SQLite

/// Keeps the write-ahead log of the database short, at times when nobody waits for the disk.
struct WriteAheadLogService: Service {
  let name = "write-ahead log"
  let monitoring: Monitoring
  let checkpointer: Checkpointer
  let clock: DaemonClock

  /// It begins when nothing was written for so long: other writes would have to wait for the same disk.
  static let quiet = Duration.seconds(1)

  func run() async throws {
    var seen: Int64 = 0
    while true {
      try await monitoring.longLogs.wait(after: seen)
      try await waitForQuiet()
      seen = monitoring.longLogs.latest
      // After a failure it is tried again when more was written, and in the end a commit does it.
      do {
        try await checkpointer.run()
      } catch let error as SQLiteError where error.isOfDevice {
        await monitoring.doubtWriteAheadLog()
      } catch {
        // As above, for example on a full disk or with too many open files.
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
