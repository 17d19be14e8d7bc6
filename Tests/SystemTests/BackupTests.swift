import Foundation
import Geofencing
import TestSupport
import Testing

extension AsAProcess {
  /// A copy of the database that was made while the daemon runs, as the guide says.
  @Suite struct BackupTests {
    @Test func `a copy that is put into an empty directory goes on from where it was made`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        for identifier in ["home", "gone", "office"] {
          try await daemon.add(identifier, "--assuming", "satisfied")
        }
        _ = try await daemon.ctl("remove", "gone")
        #expect(try await daemon.ctl("events", "--as", "log").lines.count == 1)
        let (list, consumers) = (
          try await daemon.ctl("list", "--json").output,
          try await daemon.ctl("consumer", "list", "--json").output
        )
        let copy = daemon.folder + "/copy.db"
        let backup = try await Command([
          "sqlite3", daemon.stateDirectory + "/geofenced.db", ".backup '\(copy)'",
        ]).run()
        #expect(backup.status == 0, "\(backup.errors)")

        // What comes afterwards isn't in it.
        try await daemon.add("late", "--assuming", "satisfied")
        _ = try await daemon.ctl("remove", "office")
        await daemon.stop()
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: daemon.stateDirectory) {
          try files.removeItem(atPath: daemon.stateDirectory + "/" + name)
        }
        try files.moveItem(atPath: copy, toPath: daemon.stateDirectory + "/geofenced.db")
        try await daemon.start()
        #expect(try await daemon.ctl("list", "--json").output == list)
        #expect(try await daemon.ctl("consumer", "list", "--json").output == consumers)
        _ = try await daemon.ctl("remove", "home")
        let next = try await daemon.ctl("events", "--as", "log", "--json").lines
        #expect(try next.map { try event($0).sequence } == [2])
      }
    }
  }
}
