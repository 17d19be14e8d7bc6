import ControlInterface
import Foundation
import Glibc
import LinuxSystem
import SQLite
import TestSupport
import Testing

extension InTrouble {
  /// What a daemon finds in its state directory, and didn't leave there.
  @Suite struct BadStateTests {
    @Test func `a database that is garbage is set aside with a loud error and a new one works`()
      async throws
    {
      var random = SplitMix64(seed: 2)
      let garbage = Data((0..<20_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      try await DaemonProcess.with(DaemonProcess.withoutReceiver, isStarted: false) { daemon in
        try FileManager.default.createDirectory(
          atPath: daemon.stateDirectory, withIntermediateDirectories: false)
        try garbage.write(to: URL(filePath: daemon.database))
        try await daemon.start()
        #expect(daemon.log.contains("The event log was damaged, was set aside as "))
        let aside = try FileManager.default.contentsOfDirectory(atPath: daemon.stateDirectory)
          .filter { $0.contains(".damaged-") }
        #expect(aside.count == 1)
        let path = daemon.stateDirectory + "/" + (aside.first ?? "")
        #expect(try Data(contentsOf: URL(filePath: path)) == garbage)
        try await daemon.add("home")
        try await daemon.crash()
        #expect(try await daemon.status().conditions == 1)
      }
    }

    @Test func `conditions of a database that is set aside are watched on, and the status says so`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.add("home")
        try await daemon.add("away")
        #expect(try await daemon.ctl("remove", "away").status == 0)
        await daemon.stop()
        // Its events would get numbers that they had.
        try Connection(path: daemon.database).execute("DELETE FROM sqlite_sequence")
        try await daemon.start()
        #expect(daemon.log.contains("conditions that were saved: 1"))
        #expect(try await daemon.ctl("list").lines.contains { $0.contains("default/home") })
        let status = try await daemon.status()
        #expect(status.conditions == 1 && status.lastSequence == 0)
        let damaged = try #require(status.storage.setAside)
        #expect(damaged.hasPrefix(daemon.database + ".damaged-"))
        #expect(try await daemon.ctl("status").output.contains("was set aside as \(damaged)"))
        // It is told until somebody has seen to it, also behind a restart.
        try await daemon.crash()
        #expect(try await daemon.status().storage.setAside == damaged)
        try FileManager.default.removeItem(atPath: damaged)
        #expect(try await daemon.status().storage.setAside == nil)
      }
    }

    @Test func `the log of a database that is gone is told of until it is taken away`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.add("home")
        daemon.kill(SIGKILL)
        _ = await daemon.end()
        try FileManager.default.removeItem(atPath: daemon.database)
        try await daemon.start()
        let status = try await daemon.status()
        #expect(status.conditions == 0)
        let left = try #require(status.storage.setAside)
        #expect(left.hasPrefix(daemon.database + ".damaged-") && left.hasSuffix("-wal"))
        try FileManager.default.removeItem(atPath: left)
        #expect(try await daemon.status().storage.setAside == nil)
      }
    }

    @Test func `files and sockets are private, whatever the shell lets others do`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver, isStarted: false) { daemon in
        try daemon.launch(by: ["sh", "-c", #"umask 0; exec "$@""#, "sh"])
        try await daemon.wait(for: "answer") { try? await daemon.status() }
        try await daemon.add("home")
        for (path, mode) in [
          (daemon.stateDirectory, 0o700), (daemon.database, 0o600), (daemon.controlSocket, 0o660),
          (daemon.eventsSocket, 0o660),
        ] {
          let attributes = try FileManager.default.attributesOfItem(atPath: path)
          #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
      }
    }

    @Test(arguments: [false, true])
    func `root by hand leaves the service's state directory alone`(isLink: Bool) async throws {
      guard getuid() == 0 else { try Test.cancel("only root could write there all the same") }
      try await DaemonProcess.with(DaemonProcess.withoutReceiver, isStarted: false) { daemon in
        let directory = isLink ? daemon.folder + "/elsewhere" : daemon.stateDirectory
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: false)
        try #require(chown(directory, 65_534, 65_534) == 0)
        if isLink { try #require(symlink(directory, daemon.stateDirectory) == 0) }
        try daemon.launch()
        #expect(await daemon.end() == 1)
        #expect(daemon.log.contains("geofenced run: the state directory belongs to user 65534: "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
      }
    }

    @Test func `a socket from the service manager that has another name is refused`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver, isStarted: false) { daemon in
        let path = daemon.folder + "/control"
        try daemon.launch(by: ["systemd-socket-activate", "--listen=\(path)"])
        // It starts the daemon when somebody connects.
        try await daemon.wait(for: "socket") {
          try? await StreamSocket.connect(toPath: path)
        }
        #expect(await daemon.end() == 1)
        #expect(
          daemon.log.contains(
            "geofenced run: the socket '\(path)' from the service manager is not used: "))
      }
    }

    @Test func `a stored condition that makes no sense is named, and not forgotten`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        try await daemon.add("home")
        await daemon.stop()
        try Connection(path: daemon.database).execute("UPDATE condition SET radius = -1")
        let before = try Data(contentsOf: URL(filePath: daemon.database))
        try daemon.launch()
        #expect(await daemon.end() == 1)
        let user = getuid()
        #expect(
          daemon.log.contains(
            "geofenced run: \(daemon.database): the condition 'home' of monitor 'default' of user "
              + "\(user) can't be read: was it stored by a newer geofenced? "))
        #expect(try Data(contentsOf: URL(filePath: daemon.database)) == before)
        // What it advises helps.
        let advised = try #require(daemon.log.split(separator: "\"").dropLast().last)
        try Connection(path: daemon.database).execute(String(advised))
        try await daemon.start()
        #expect(try await daemon.ctl("list").lines == [])
      }
    }
  }
}
