import Foundation
import Glibc
import SQLite
import Testing

@testable import MonitorStorage

// Each of these runs in a process of its own, which gives up root's privileges: root may write
// everywhere.
@Suite struct `A database that can't be written` {
  @Test func `is refused with its directory`() async {
    await #expect(processExitsWith: .success) {
      if getuid() == 0 { try #require(setuid(65_534) == 0) }
      let directory = try StateDirectory()
      try #require(chmod(directory.path, 0o500) == 0)
      let error = #expect(throws: StorageError.self) { _ = try directory.open() }
      #expect(error?.description.contains(directory.path) == true)
      try #require(chmod(directory.path, 0o700) == 0)
    }
  }

  @Test(arguments: ["geofenced.db", "geofenced.db-wal", "geofenced.db-shm"])
  func `is refused where it can be read`(name: String) async {
    await #expect(processExitsWith: .success) { [name = name as String] in
      if getuid() == 0 { try #require(setuid(65_534) == 0) }
      let (directory, other) = (try StateDirectory(), try StateDirectory())
      do {
        let open = try directory.open()
        try open.connection.run(
          "INSERT INTO consumer (name, cursor) VALUES ('left in the log', 1)")
        for file in try directory.files {
          try directory.bytes(file).write(to: URL(fileURLWithPath: other.path + "/" + file))
        }
        withExtendedLifetime(open) {}
      }
      try #require(chmod(other.path + "/" + name, 0o400) == 0)
      let error = #expect(throws: StorageError.self) { _ = try other.open() }
      #expect(error?.description.contains("have to belong to the user of the daemon") == true)
      try #require(chmod(other.path + "/" + name, 0o600) == 0)
      let database = try other.open()
      #expect(database.setAside == nil)
      #expect(try EventLog(database).consumers().count == 1)
    }
  }

  @Test func `whose name it can't be given says why, and blames no owner`() {
    let error = #expect(throws: SQLiteError.self) {
      try MonitorDatabase.name("/dev/null/geofenced.db", from: "/dev/null/geofenced.db.new")
    }
    #expect(error?.isInaccessible == false)
    #expect(error?.message.hasSuffix("can't be given its name: Not a directory") == true)
  }
}
