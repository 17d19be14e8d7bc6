import ControlInterface
import Foundation
import Glibc
import Positioning
import TestSupport
import Testing

@testable import GeofenceDaemon

/// The files that recordings are kept in.
extension RecorderTests {
  @Test func `satellites are recorded as they were at each position, when they are others`()
    async throws
  {
    let recorder = recorder()
    greet(recorder)
    func tell(_ used: Int, _ seen: Int, of device: String? = nil) {
      let line = "{\"class\":\"SKY\",\"used\":\(used),\"seen\":\(seen)}"
      recorder.tap.offer(Array(line.utf8), meaning: .sky(of: device, used: used, seen: seen))
    }
    tell(5, 9)
    _ = try await recorder.start(user: 1000, name: "drive", duration: nil, bytes: nil)
    // Constellation by constellation, with every position.
    for number in 1...3 {
      for used in number == 2 ? [5, 3] : [3, 5] { tell(used, 9) }
      report(number, to: recorder)
    }
    tell(5, 8)
    report(4, to: recorder)
    // Another gpsd begins anew, and so does another recording.
    greet(recorder)
    report(5, to: recorder)
    tell(5, 8)
    report(6, to: recorder)
    tell(1, 1)
    _ = try await recorder.stop(user: 1000)
    _ = try await recorder.start(user: 1000, name: "next", duration: nil, bytes: nil)
    tell(5, 8)
    report(7, to: recorder)
    _ = try await recorder.stop(user: 1000)
    _ = try await recorder.start(user: 1000, name: "tunnel", duration: nil, bytes: nil)
    // What uses none says so of each position, once it is known to count them; each receiver by itself.
    for (number, used) in [0, 0, 5, 0, 0, 5, 5].enumerated() {
      tell(used, 9)
      tell(0, 2, of: "/dev/b")
      report(number, to: recorder)
    }
    _ = try await recorder.stop(user: 1000)
    // A position in two parts, the second with a system of which none is used.
    _ = try await recorder.start(user: 1000, name: "parts", duration: nil, bytes: nil)
    for number in 1...2 {
      tell(6, 9)
      report(number, to: recorder)
      tell(0, 8)
      report(number, to: recorder)
    }
    _ = try await recorder.stop(user: 1000)
    /// The numbers of the reports, and of the satellites.
    func told(_ name: String) throws -> [String] {
      try contents(of: name).split(separator: "\n").filter { $0.contains(/SKY|TPV/) }
        .map {
          String(
            $0.filter { $0.isNumber || $0 == "," }.split(separator: ",").suffix(2).joined(
              separator: ","))
        }
    }
    #expect(try told("drive") == ["5,9", "1,1", "1,2", "1,3", "5,8", "1,4", "1,5", "5,8", "1,6"])
    #expect(try told("next") == ["5,8", "1,7"])
    #expect(try told("parts") == ["6,9", "1,1", "1,1", "1,2", "1,2"])
    #expect(
      try told("tunnel") == [
        "0,9", "1,0", "1,1", "5,9", "1,2", "0,9", "1,3", "0,9", "1,4", "5,9", "1,5", "1,6",
      ])
  }

  @Test func `a recording begins with the receivers that came and went since gpsd listed them`()
    async throws
  {
    let recorder = recorder()
    greet(recorder)
    /// The line of a receiver that came or went.
    func tell(_ name: String, _ isActivated: Bool) -> String {
      let activated = isActivated ? "\"2026-01-01T00:00:00Z\"" : "0"
      let line = "{\"class\":\"DEVICE\",\"path\":\"\(name)\",\"activated\":\(activated)}"
      recorder.tap.offer(Array(line.utf8), meaning: .device(name, activated: isActivated))
      return line
    }
    _ = tell("/dev/gps1", true)
    let came = tell("/dev/gps2", true)
    let went = tell("/dev/gps1", false)
    _ = try await recorder.start(user: 1000, name: "drive", duration: nil, bytes: nil)
    report(1, to: recorder)
    _ = try await recorder.stop(user: 1000)
    #expect(
      try contents(of: "drive")
        == [Self.banner, Self.devices, came, went, Self.line(1), ""].joined(separator: "\n"))
    // A new list has them all.
    greet(recorder)
    _ = try await recorder.start(user: 1000, name: "next", duration: nil, bytes: nil)
    report(2, to: recorder)
    _ = try await recorder.stop(user: 1000)
    #expect(
      try contents(of: "next")
        == [Self.banner, Self.devices, Self.line(2), ""].joined(separator: "\n"))
  }

  @Test func `a recording is read in whole lines, also while it is under way`() async throws {
    let recorder = recorder()
    greet(recorder)
    _ = try await recorder.start(user: 1000, name: "long", duration: nil, bytes: nil)
    for number in 0..<5000 { report(number, to: recorder) }
    var (text, offset, pages): (String, Int?, Int) = ("", 0, 0)
    while let from = offset {
      let page = try await recorder.read("long", of: 1000, from: from)
      #expect(page.text.isEmpty || page.text.hasSuffix("}\n"))
      #expect(page.text.utf8.count <= Recorder.chunkSize)
      text += page.text
      offset = page.next
      pages += 1
    }
    #expect(pages > 2)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines == [Self.banner, Self.devices] + (0..<5000).map(Self.line))
    for far in [1 << 40, Int.max] {
      let page = try await recorder.read("long", of: 1000, from: far)
      #expect(page.text.isEmpty && page.next == nil)
    }
    await #expect(throws: ControlError.self) {
      try await recorder.read("long", of: 1000, from: -1)
    }
    await #expect(throws: ControlError.self) {
      try await recorder.read("long", of: 1001, from: 0)
    }
  }

  @Test func `a full disk ends the recording with the reason and a whole line`() async throws {
    let recorder = recorder()
    greet(recorder)
    _ = try await recorder.start(user: 1000, name: "full", duration: nil, bytes: nil)
    #expect(await recorder.flush())
    try fill("full")
    report(1, to: recorder)
    #expect(await !recorder.flush())
    let ended = try #require(await recorder.status(user: 1000))
    #expect(ended.ended?.hasPrefix("writing failed: No space left on device") == true)
    #expect(ended.lines == 2)
    #expect(try contents(of: "full") == "\(Self.banner)\n\(Self.devices)\n")
    _ = try await recorder.start(user: 1000, name: "again", duration: nil, bytes: nil)
  }

  /// Puts the device that is always full in the place of a recording's open file.
  private func fill(_ name: String) throws {
    let path = "\(folder.path)/recordings/1000/\(name).json"
    let number = try #require(
      try openDescriptors().first { $0.value == path }?.key)
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    #expect(dup2(full, number) == number)
    #expect(fcntl(number, F_SETFD, FD_CLOEXEC) == 0)
  }

  @Test func `a crash leaves whole lines only`() async throws {
    let before = recorder()
    greet(before)
    _ = try await before.start(user: 1000, name: "crash", duration: nil, bytes: nil)
    report(1, to: before)
    await before.flush()
    let path = folder.path + "/recordings/1000/crash.json"
    let whole = try contents(of: "crash")
    try (whole + "{\"class\":\"TP").write(toFile: path, atomically: false, encoding: .utf8)
    try "no line".write(
      toFile: folder.path + "/recordings/1000/half.json", atomically: false, encoding: .utf8)
    let after = recorder()
    #expect(try contents(of: "crash") == whole)
    #expect(try contents(of: "half") == "")
    // A file may have been made longer before what belongs there was written.
    let unwritten = String(repeating: "\0", count: 200_000)
    try (whole + unwritten).write(toFile: path, atomically: false, encoding: .utf8)
    _ = recorder()
    #expect(try contents(of: "crash") == whole)
    #expect(await after.list(user: nil).map(\.bytes) == [whole.utf8.count, 0])
    #expect(await after.status(user: nil) == nil)
  }

  @Test func `a recording that can't be begun leaves room for the next`() async throws {
    let recorder = recorder()
    let path = try folder.write(Data(), "recordings")
    let refusal = await refusal {
      try await recorder.start(user: 1000, name: "a", duration: nil, bytes: nil)
    }
    #expect(refusal.hasPrefix("no recording was begun in \(path): "))
    #expect(!need.reasons.isNeeded)
    #expect(await recorder.status(user: nil) == nil)
    try FileManager.default.removeItem(atPath: path)
    _ = try await recorder.start(user: 1000, name: "a", duration: nil, bytes: nil)
    #expect(need.reasons.isNeeded)
  }

  @Test func `a recording that can't be read or removed stays, and the reason is told`() async {
    // In a process of its own, which gives up root's privileges.
    await #expect(processExitsWith: .success) {
      let tests = try RecorderTests()
      let recorder = tests.recorder()
      _ = try await recorder.start(user: 1000, name: "kept", duration: nil, bytes: nil)
      tests.greet(recorder)
      let ended = try await recorder.stop(user: 1000)
      let folders = ["", "/recordings", "/recordings/1000"].map { tests.folder.path + $0 }
      let file = folders[2] + "/kept.json"
      // What is there may be seen by anybody.
      for folder in folders { try #require(chmod(folder, 0o555) == 0) }
      try #require(chmod(file, 0) == 0)
      if getuid() == 0 { try #require(seteuid(65_534) == 0) }
      let reading = await tests.refusal { try await recorder.read("kept", of: 1000, from: 0) }
      let removal = await tests.refusal { try await recorder.remove("kept", of: 1000) }
      #expect(reading == "the recording 'kept' can't be read: Permission denied")
      #expect(removal == "the recording 'kept' can't be removed: Permission denied")
      #expect(await recorder.list(user: 1000) == [ended])

      try #require(seteuid(getuid()) == 0)
      for folder in folders { try #require(chmod(folder, 0o700) == 0) }
      try #require(chmod(file, 0o600) == 0)
      #expect(try await recorder.read("kept", of: 1000, from: 0).next == ended.bytes)
      #expect(try await recorder.remove("kept", of: 1000) == ended)
    }
  }

  @Test func `links and strange names in the folder are no recordings`() async throws {
    let recorder = recorder()
    let path = folder.path + "/recordings/1000"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/recordings/root", withIntermediateDirectories: true)
    try "secret\n".write(
      toFile: folder.path + "/secret", atomically: true, encoding: .utf8)
    for name in ["1000/link.json", "root/a.json", "1000/.json", "1000/b c.json", "1000/d.txt"] {
      #expect(symlink(folder.path + "/secret", folder.path + "/recordings/" + name) == 0)
    }
    #expect(await recorder.list(user: nil).isEmpty)
    await #expect(throws: ControlError.self) {
      try await recorder.read("link", of: 1000, from: 0)
    }
    await #expect(throws: ControlError.self) {
      try await recorder.start(user: 1000, name: "link", duration: nil, bytes: nil)
    }
    #expect(try String(contentsOfFile: folder.path + "/secret", encoding: .utf8) == "secret\n")
  }
}
