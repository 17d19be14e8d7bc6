import Foundation
import GeofenceDaemon
import Glibc
import Positioning
import Testing

/// The drop-ins beside the main file of a configuration.
struct ConfigurationDropInTests {
  @Test func `drop-ins are read after the main file in the order of their names`() throws {
    let folder = try ConfigurationFolder(
      "[Receiver]\nPort=1\nHost=main\nDevice=main\n",
      dropIns: [
        "20-b.conf": "[Receiver]\nPort=20\n", "10-a.conf": "[Receiver]\nPort=10\nHost=a\n",
        "9-c.conf": "[Receiver]\nPort=9\nDevice=\n", "99-no.conf.bak": "[Receiver]\nPort=99\n",
        ".hidden.conf": "[Receiver]\nPort=98\n",
      ])
    let configuration = try #require(folder.load().configuration)
    #expect(configuration.receiver.gpsd.port == 9)
    #expect(configuration.receiver.gpsd.host == "a")
    #expect(configuration.receiver.gpsd.device == nil)
  }

  @Test func `a drop-in whose name isn't UTF-8 is an error`() throws {
    let folder = try ConfigurationFolder("")
    let name = (folder.main + ".d/").utf8CString.dropLast() + [-1] + ".conf".utf8CString
    close(open(Array(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    let (configuration, lines) = folder.load()
    #expect(configuration == nil)
    #expect(lines == ["geofenced.conf.d/\u{FFFD}.conf: the name isn't UTF-8: rename the file"])
  }

  @Test func `drop-ins that are too many, or can't be listed, are refused`() throws {
    let folder = try ConfigurationFolder("")
    for number in 0...256 { try folder.write(Data(), "geofenced.conf.d/\(number).conf") }
    #expect(folder.load().lines == ["geofenced.conf.d: there are 257 files: keep at most 256"])
    try FileManager.default.removeItem(atPath: folder.main + ".d")
    try folder.write(Data(), "geofenced.conf.d")
    #expect(
      folder.load().lines == ["geofenced.conf.d: the directory can't be read: Not a directory"])
  }

  @Test func `a drop-in that may not be read is an error that says who has to`() async {
    // In a process of its own, which gives up root's privileges.
    await #expect(processExitsWith: .success) {
      let folder = try ConfigurationFolder("", dropIns: ["mine.conf": ""])
      let modes: [(String, mode_t)] = [
        (folder.path, 0o755), (folder.main, 0o644), (folder.main + ".d", 0o755),
        (folder.main + ".d/mine.conf", 0),
      ]
      for (path, mode) in modes { try #require(chmod(path, mode) == 0) }
      if getuid() == 0 { try #require(seteuid(65_534) == 0) }
      let lines = folder.load().lines
      try #require(seteuid(getuid()) == 0)
      #expect(
        lines == [
          "geofenced.conf.d/mine.conf: this user may not read it: the daemon's user, 'geofenced' for "
            + "the system's service, has to be able to, and to enter its folder"
        ])
    }
  }

  @Test func `a drop-in that is a link to nothing is told of, and left out`() throws {
    let folder = try ConfigurationFolder("[Receiver]\nPort=1\n")
    try FileManager.default.createSymbolicLink(
      atPath: folder.main + ".d/away.conf", withDestinationPath: folder.path + "/nothing")
    let (configuration, lines) = folder.load()
    #expect(configuration?.receiver.gpsd.port == 1)
    #expect(
      lines == ["geofenced.conf.d/away.conf: warning: the link leads nowhere: it is left out"])
  }

  @Test func `a configuration that is a link to nothing is refused, also one that may be missing`()
    throws
  {
    let folder = try ConfigurationFolder("")
    for name in ["", ".d"] {
      let path = folder.main + name
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: folder.path + "/nothing")
      #expect(folder.load().lines.contains("geofenced.conf\(name): the link leads nowhere"))
    }
  }

  @Test func `what is not a file of a sane size is refused`() throws {
    let folder = try ConfigurationFolder("", dropIns: ["a.conf": ""])
    try FileManager.default.createDirectory(
      atPath: folder.main + ".d/b.conf", withIntermediateDirectories: false)
    try folder.write(Data(count: 1_048_577), "geofenced.conf.d/c.conf")
    #expect(mkfifo(folder.main + ".d/d.conf", 0o600) == 0)
    #expect(
      folder.load().lines == [
        "geofenced.conf.d/b.conf: the file can't be read: this is a directory",
        "geofenced.conf.d/c.conf: the file is larger than 1048576 bytes",
        "geofenced.conf.d/d.conf: the file can't be read: this is not a regular file",
      ])
  }
}
