import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

/// A disk that is full for a while.
///
/// One after the other, and beside ``InTrouble``: each waits for disks most of the time.
@Suite(.serialized, .timeLimit(.minutes(20))) struct StorageTroubleTests {
  @Test func `while the disk is full it says so and judges on, and stores all of it later`()
    async throws
  {
    let gpsd = try GPSDProcess.orCancel()
    try await withSmallDisk { daemon in
      let drive = try await begin(daemon, gpsd)

      try fill(daemon.stateDirectory)
      try await daemon.judge(drive.epochs.dropFirst(5), of: gpsd, but: 2)
      let failing = try await daemon.status()
      #expect(failing.storage.failure?.contains("full") == true)
      // The first few may find room where earlier ones were; nobody hears of what isn't durable.
      #expect(failing.storage.pending > 0)
      #expect(Int64(failing.storage.pending) + failing.lastSequence == 24)
      #expect(try await daemon.events().count == Int(failing.lastSequence))
      let refused = try await daemon.ctl("remove", "place-1")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("nothing was removed, storing failed: "))
      #expect(try await daemon.ctl("list", "--json").lines.count == 8)
      #expect(try await daemon.ctl("status").output.contains("FAILS: "))
      try await daemon.waitForLog("Events can't be stored and wait in memory: ")

      unlink(daemon.stateDirectory + "/ballast")
      try await daemon.waitForStatus("end of the trouble") { $0.storage.failure == nil }
      let events = try await daemon.events().map(event)
      let passed = (1...8).flatMap { ["entered place-\($0)", "exited place-\($0)"] }
      #expect(events.map(brief) == (1...8).map { "determined place-\($0)" } + passed)
      #expect(events.map(\.sequence) == Array(1...24))
      try await daemon.crash()
      #expect(try await daemon.events().map(event) == events)
    }
  }

  @Test func `a full disk is forgotten when there is room again, though nothing waits`()
    async throws
  {
    try await withSmallDisk(DaemonProcess.withoutReceiver) { daemon in
      try fill(daemon.stateDirectory)
      let place = ["add", "--lat", "48", "--lon", "16", "--radius", "100"]
      let refused = try await daemon.ctl(place)
      #expect(refused.errors.contains("nothing was added, storing failed: "))
      #expect(try await daemon.status().storage.failure != nil)
      #expect(try await daemon.status().conditions == 0)
      unlink(daemon.stateDirectory + "/ballast")
      try await daemon.waitForStatus("end of the trouble") { $0.storage.failure == nil }
      #expect(try await daemon.ctl(place).status == 0)
    }
  }

  @Test func `a start on a full disk fails with the reason, and spoils nothing for the next`()
    async throws
  {
    try await withSmallDisk { daemon in
      try daemon.configure(DaemonProcess.withoutReceiver)
      func failToStart() async throws {
        let result = try await daemon.runAnother()
        #expect(result.status == 1)
        let beginning = "geofenced run: \(daemon.database): the disk is full or failing: "
        #expect(result.errors.hasPrefix(beginning), "\(result.errors)")
      }
      try fill(daemon.stateDirectory)
      for _ in 1...2 { try await failToStart() }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: daemon.stateDirectory).sorted()
          == ["ballast", "lock"])
      unlink(daemon.stateDirectory + "/ballast")
      try await daemon.start()
      let place = ["add", "--lat", "48", "--lon", "16", "--radius", "100"]
      #expect(try await daemon.ctl(place).status == 0)
      daemon.kill(SIGTERM)
      #expect(await daemon.end() == 0)

      try fill(daemon.stateDirectory)
      try await failToStart()
      unlink(daemon.stateDirectory + "/ballast")
      try await daemon.start()
      #expect(try await daemon.status().conditions == 1)
      #expect(!daemon.log.contains("damaged"))
    }
  }

  @Test func `a damaged log on a full disk is told of when there is room`() async throws {
    try await withSmallDisk { daemon in
      try daemon.configure(DaemonProcess.withoutReceiver)
      try Data("no database, and long enough to be looked at: \(UUID())".utf8)
        .write(to: URL(filePath: daemon.database))
      try fill(daemon.stateDirectory)
      let result = try await daemon.runAnother()
      #expect(result.status == 1 && result.errors.contains("full"), "\(result)")
      #expect(FileManager.default.fileExists(atPath: daemon.database))
      unlink(daemon.stateDirectory + "/ballast")
      try await daemon.start()
      try await daemon.waitForLog("The event log was damaged, was set aside as ")
    }
  }

  @Test func `a second daemon on the same state directory is refused, until the first is gone`()
    async throws
  {
    try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
      let second = try await daemon.runAnother(runtime: daemon.folder + "/other")
      #expect(second.status == 1)
      #expect(
        second.errors == "geofenced run: \(daemon.stateDirectory)/lock: another geofenced uses "
          + "this state directory: stop it, or give --state-directory\n")
      #expect(try await daemon.status().conditions == 0)
      try await daemon.crash()
      #expect(try await daemon.status().conditions == 0)
    }
  }

  @Test func `stopping while the disk is full says what is lost`() async throws {
    let gpsd = try GPSDProcess.orCancel()
    try await withSmallDisk(DaemonProcess.configuration(gpsdPort: gpsd.port)) { daemon in
      let drive = Drive(past: [200], spacing: 700)
      try await daemon.watch(drive)
      try fill(daemon.stateDirectory)
      try await gpsd.feed(drive.epochs)
      try await daemon.waitForStatus("events that wait") { $0.storage.pending == 3 }
      daemon.kill(SIGTERM)
      #expect(await daemon.end() == 1)
      try await daemon.waitForLog(
        "Stopped with 3 events lost that could not be stored: the disk is full: ")
    }
  }

  @Test func `a full disk ends a recording with the reason, and judging goes on`() async throws {
    let gpsd = try GPSDProcess.orCancel()
    try await withSmallDisk(DaemonProcess.configuration(gpsdPort: gpsd.port), megabytes: 20) {
      daemon in
      let drive = Drive(past: [200], spacing: 700)
      try await daemon.watch(drive)
      #expect(try await daemon.ctl("record", "start", "full").status == 0)
      try await gpsd.feed(drive.epochs.prefix(5))
      try await daemon.waitForStatus("first event") { $0.lastSequence == 1 }
      // The last room is for events.
      try fill(daemon.stateDirectory, leaving: 15 << 20)
      try await gpsd.feed(drive.epochs.dropFirst(5))
      try await daemon.wait(for: "end of the recording") {
        let status = try await daemon.ctl("record", "status").output
        return status.contains(": the disk is nearly full: it has ") ? true : nil
      }
      try await daemon.waitForLog(
        "A recording ended early: 'full' can't go on: the disk is nearly full")
      let refused = try await daemon.ctl("record", "start", "another")
      #expect(refused.status == 1 && refused.errors.contains("the disk is nearly full: it has "))
      try await daemon.waitForFix(drive.epochs[drive.epochs.count - 3].timestamp)
      try await daemon.waitForStatus("events") { $0.lastSequence == 3 }
      let text = try await daemon.ctl("record", "get", "full").output
      #expect(text.hasPrefix("{\"class\":\"VERSION\""))
      #expect(text.hasSuffix("}\n"))
    }
  }

  /// Starts the daemon with eight places that a drive comes past, and the drive with its first five fixes.
  func begin(_ daemon: DaemonProcess, _ gpsd: GPSDProcess) async throws -> Drive {
    try daemon.configure(DaemonProcess.configuration(gpsdPort: gpsd.port))
    try await daemon.start()
    let drive = Drive(past: Array(repeating: 200, count: 8), spacing: 700)
    try await daemon.watch(drive)
    try await gpsd.feed(drive.epochs.prefix(5))
    try await daemon.waitForStatus("first events") { $0.lastSequence == 8 }
    return drive
  }

  /// A daemon with a state directory on a small file system; it runs where a configuration is given.
  func withSmallDisk(
    _ configuration: String? = nil, megabytes: Int = 2,
    _ body: (DaemonProcess) async throws -> Void
  ) async throws {
    let daemon = try DaemonProcess(configuration: configuration ?? "")
    let directory = daemon.stateDirectory
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false)
    let mounted = try await Command([
      "mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", directory,
    ]).run()
    guard mounted.status == 0 else {
      await daemon.remove()
      try Test.cancel("no file system can be mounted here: \(mounted.errors)")
    }
    do {
      if configuration != nil { try await daemon.start() }
      try await body(daemon)
    } catch {
      await daemon.stop()
      umount2(directory, Int32(MNT_DETACH))
      await daemon.remove()
      throw error
    }
    await daemon.stop()
    umount2(directory, Int32(MNT_DETACH))
    await daemon.remove()
  }

  func size(of path: String) throws -> Int {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return Int(status.st_size)
  }

  /// Leaves no byte free, or so many.
  func fill(_ directory: String, leaving room: Int = 0) throws {
    let ballast = directory + "/ballast"
    let file = open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    try #require(file >= 0)
    let block = [UInt8](repeating: 0, count: 4096)
    while write(file, block, block.count) > 0 {}
    #expect(errno == ENOSPC)
    if room > 0 { #expect(ftruncate(file, try size(of: ballast) - room) == 0) }
  }
}
