import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Systemd

@Suite struct `The journal` {
  @Test func `standard error is the journal only if it is what the service manager connected`()
    throws
  {
    let folder = try TemporaryFolder()
    let files = try ["one", "other"].map { name in
      try Data().write(to: URL(filePath: folder.path + "/" + name))
      return open(folder.path + "/" + name, O_RDONLY | O_CLOEXEC)
    }
    defer { for file in files { close(file) } }
    var status = stat()
    try #require(fstat(files[0], &status) == 0)
    let stream = "\(status.st_dev):\(status.st_ino)"
    #expect(Journal.isJournal(files[0], by: stream))
    #expect(!Journal.isJournal(files[1], by: stream))
    #expect(!Journal.isJournal(files[0], by: nil))
    #expect(!Journal.isJournal(files[0], by: "x"))
    #expect(!Journal.isJournal(-1, by: stream))
  }

  @Test(arguments: [
    ("MESSAGE", true), ("GEOFENCE_STATE", true), ("A1_", true),
    (String(repeating: "A", count: 64), true), (String(repeating: "A", count: 65), false),
    ("", false), ("_PID", false), ("1A", false), ("message", false), ("A=B", false),
    ("A\nB", false), ("ÄB", false), ("A B", false),
  ])
  func `takes only names that it keeps`(name: String, valid: Bool) {
    #expect(Journal.isValidName(name) == valid)
    if !valid {
      #expect(throws: Errno(EINVAL)) { try Journal.send([("MESSAGE", "x"), (name, "x")]) }
    }
  }

  @Test func `takes neither an empty entry nor an endless one`() {
    #expect(throws: Errno(EINVAL)) { try Journal.send([]) }
    #expect(throws: Errno(EINVAL)) {
      try Journal.send(Array(repeating: ("MESSAGE", "x"), count: 257))
    }
  }

  @Test func `is told apart from none at all`() async throws {
    try requirePrivateMounts()
    await #expect(processExitsWith: .success) {
      try mountEmptyRun()
      #expect(!Journal.isAvailable)
      #expect(throws: Errno.noSuchFile) { try Journal.send([("MESSAGE", "lost")]) }
      // A socket that nobody holds any more is no journal either.
      try FileManager.default.createDirectory(
        atPath: "/run/systemd/journal", withIntermediateDirectories: true)
      do { _ = try DatagramSocket(path: "/run/systemd/journal/socket") }
      #expect(throws: Errno.connectionRefused) { try Journal.send([("MESSAGE", "lost")]) }
    }
  }

  @Test func `gets every byte of every field`() async throws {
    try requirePrivateMounts()
    await #expect(processExitsWith: .success) {
      try mountEmptyRun()
      try FileManager.default.createDirectory(
        atPath: "/run/systemd/journal", withIntermediateDirectories: true)
      let journal = try DatagramSocket(path: "/run/systemd/journal/socket")
      try Journal.send([
        ("MESSAGE", "Entered home"), ("SYSLOG_IDENTIFIER", "geofenced"), ("EMPTY", ""),
        ("TWO", "lines\nPRIORITY=0"), ("NUL", "a\0b=c"),
      ])
      // https://systemd.io/JOURNAL_NATIVE_PROTOCOL/: a value with a line break is preceded by its
      // size in eight bytes, the lowest first.
      var expected = Array("MESSAGE=Entered home\nSYSLOG_IDENTIFIER=geofenced\nEMPTY=\nTWO\n".utf8)
      expected += [16, 0, 0, 0, 0, 0, 0, 0]
      expected += Array("lines\nPRIORITY=0\nNUL=a\0b=c\n".utf8)
      #expect(journal.receive() == expected)
    }
  }
}

/// Cancels the test where a process may not have a `/run` of its own.
private func requirePrivateMounts() throws {
  let probe = Process()
  probe.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
  probe.arguments = ["--mount", "true"]
  probe.standardError = FileHandle.nullDevice
  do {
    try probe.run()
  } catch {
    try Test.cancel("unshare is missing")
  }
  probe.waitUntilExit()
  if probe.terminationStatus != 0 { try Test.cancel("a private /run needs root") }
}

/// Gives this thread an empty `/run` that nobody else sees.
private func mountEmptyRun() throws {
  typealias Unshare = @convention(c) (CInt) -> CInt
  typealias Mount =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?
    ) -> CInt
  // The Glibc module lacks both (sched.h needs _GNU_SOURCE).
  let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
  let mount = unsafeBitCast(try #require(dlsym(nil, "mount")), to: Mount.self)
  let newNamespace: CInt = 0x20000
  let privateForAll: UInt = 1 << 18 | 1 << 14
  try #require(unshare(newNamespace) == 0)
  try #require(mount("none", "/", nil, privateForAll, nil) == 0)
  try #require(mount("tmpfs", "/run", "tmpfs", 0, nil) == 0)
}
