import ControlInterface
import Foundation
import Geofencing
import Glibc
import LinuxSystem
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What is recorded, and within which limits.
@Suite struct RecorderTests {
  let folder: TemporaryFolder
  private let uptime = Time()
  private let clockError = Time()
  let need = ReceiverNeed()

  private final class Time: Sendable {
    let value = Mutex(Duration.zero)
  }

  static let banner = #"{"class":"VERSION","release":"3.22","proto_major":3}"#
  static let devices = #"{"class":"DEVICES","devices":[{"path":"/dev/gps0"}]}"#

  init() throws { folder = try TemporaryFolder() }

  func recorder(
    recordings: Int = 10, bytes: Int = 1 << 20, duration: Duration = .seconds(3600)
  ) -> Recorder {
    var storage = Configuration.Storage()
    storage.maximumRecordings = recordings
    storage.maximumRecordingBytes = bytes
    storage.maximumRecordingTime = duration
    return Recorder(
      in: folder.path, limits: { [storage] in storage }, need: need,
      clock: DaemonClock(
        sleeping: ManualClock(), uptime: { [uptime] in uptime.value.withLock { $0 } },
        now: { [uptime, clockError] in
          at(0) + uptime.value.withLock { $0 } + clockError.value.withLock { $0 }
        }))
  }

  private func pass(_ duration: Duration) {
    uptime.value.withLock { $0 += duration }
  }

  func greet(_ recorder: Recorder) {
    recorder.tap.offer(Array(Self.banner.utf8), meaning: .version("3.22"))
    recorder.tap.offer(Array("\(Self.devices)\r".utf8), meaning: .devices(["/dev/gps0"]))
  }

  func report(_ number: Int, to recorder: Recorder) {
    var report = TPV()
    report.time = Timestamp(nanoseconds: Int64(number) * 1_000_000_000)
    recorder.tap.offer(Array("\(Self.line(number))\r".utf8), meaning: .tpv(report))
  }

  static func line(_ number: Int) -> String {
    "{\"class\":\"TPV\",\"mode\":1,\"number\":\(number)}"
  }

  func contents(of name: String, user: Int = 1000) throws -> String {
    try String(contentsOfFile: "\(folder.path)/recordings/\(user)/\(name).json", encoding: .utf8)
  }

  func refusal<Result>(_ body: () async throws -> Result) async -> String {
    do {
      return "no refusal of \(try await body())"
    } catch {
      return "\(error)"
    }
  }

  @Test func `a recording ended when it was stopped, however long nothing had come`() async throws {
    let first = recorder()
    greet(first)
    _ = try await first.start(user: 1000, name: "drive", duration: nil, bytes: nil)
    await first.flush()
    let path = folder.path + "/recordings/1000/drive.json"
    let lastLine = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes([.modificationDate: lastLine], ofItemAtPath: path)
    _ = try await first.stop(user: 1000)
    // Another one knows only what the file says.
    let told = try #require(await recorder().list(user: 1000).first)
    #expect(told.modified > Timestamp(nanoseconds: 1_500_000_000_000_000_000))
  }

  @Test func `a recording whose file is removed ends, with the reason`() async throws {
    let recorder = recorder()
    greet(recorder)
    _ = try await recorder.start(user: 1000, name: "drive", duration: nil, bytes: nil)
    #expect(await recorder.flush())
    try FileManager.default.removeItem(atPath: folder.path + "/recordings")
    #expect(await !recorder.flush())
    #expect(await recorder.status(user: 1000)?.ended == "its file was removed")
    #expect(await recorder.takeFailure() == "'drive' can't go on: its file was removed")
    // The next one is kept again.
    _ = try await recorder.start(user: 1000, name: "drive", duration: nil, bytes: nil)
    #expect(await recorder.flush())
  }

  @Test func `its end is told by the clock as it is, which may have been set meanwhile`()
    async throws
  {
    let recorder = recorder()
    let began = try await recorder.start(user: 1000, name: "drive", duration: nil, bytes: nil).began
    clockError.value.withLock { $0 = .seconds(86_400) }
    pass(.seconds(60))
    let shown = try #require(await recorder.list(user: 1000).first)
    #expect(shown.began == began)
    #expect(shown.until == Timestamp(rfc3339: "2026-01-02T01:00:00Z"))
  }

  @Test func `a recording begins with the banner, whenever gpsd said it`() async throws {
    let recorder = recorder()
    greet(recorder)
    report(1, to: recorder)
    let begun = try await recorder.start(user: 1000, name: "drive", duration: nil, bytes: nil)
    #expect(begun.underWay)
    #expect(begun.until == Timestamp(rfc3339: "2026-01-01T01:00:00Z"))
    report(2, to: recorder)
    recorder.tap.offer(Array("{\"class\":\"AIS\"}".utf8), meaning: .other)
    report(3, to: recorder)
    pass(.seconds(5))
    let ended = try await recorder.stop(user: 1000)
    #expect(ended.ended == "stopped")
    #expect(!ended.underWay)
    #expect(ended.lines == 4)
    #expect(ended.dropped == 0)
    let expected = [Self.banner, Self.devices, Self.line(2), Self.line(3), ""]
      .joined(separator: "\n")
    #expect(try contents(of: "drive") == expected)
    #expect(ended.bytes == expected.utf8.count)
    report(4, to: recorder)
    await recorder.flush()
    #expect(try contents(of: "drive") == expected)

    var status = stat()
    #expect(stat(folder.path + "/recordings/1000/drive.json", &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    #expect(stat(folder.path + "/recordings/1000", &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
  }

  @Test func `the receiver is needed while something is recorded`() async throws {
    let recorder = recorder(duration: .seconds(60))
    #expect(!need.reasons.isNeeded)
    for _ in 0..<2 {
      _ = try await recorder.start(user: 1000, name: nil, duration: nil, bytes: nil)
      #expect(need.reasons.isNeeded)
      #expect(need.reasons.keepsReceiver)
      pass(.seconds(60))
      await recorder.flush()
      #expect(!need.reasons.isNeeded)
    }
  }

  @Test func `before gpsd has said who it is nothing is recorded`() async throws {
    let recorder = recorder()
    _ = try await recorder.start(user: 1000, name: "early", duration: nil, bytes: nil)
    report(1, to: recorder)
    greet(recorder)
    report(2, to: recorder)
    _ = try await recorder.stop(user: 1000)
    #expect(
      try contents(of: "early")
        == [Self.banner, Self.devices, Self.line(2), ""].joined(separator: "\n"))
  }

  @Test func `a recording ends when its time is over`() async throws {
    let recorder = recorder()
    greet(recorder)
    _ = try await recorder.start(user: 1000, name: nil, duration: .seconds(60), bytes: nil)
    pass(.milliseconds(59_999))
    #expect(await recorder.flush())
    report(1, to: recorder)
    pass(.milliseconds(1))
    #expect(await !recorder.flush())
    let ended = try #require(await recorder.status(user: 1000))
    #expect(ended.name == "2026-01-01T000000.000Z")
    #expect(ended.ended == "its time is over")
    #expect(ended.lines == 3)
    #expect(await recorder.status(user: 1001) == nil)
    #expect(await recorder.status(user: nil) == ended)
  }

  @Test func `a recording ends at its size, with a whole line`() async throws {
    let recorder = recorder()
    greet(recorder)
    _ = try await recorder.start(user: 1000, name: "small", duration: nil, bytes: 4096)
    for number in 0..<1000 { report(number, to: recorder) }
    #expect(await !recorder.flush())
    let ended = try #require(await recorder.status(user: 1000))
    #expect(ended.ended == "it has reached its 4096 bytes")
    #expect((4050...4096).contains(ended.bytes))
    let text = try contents(of: "small")
    #expect(text.utf8.count == ended.bytes)
    #expect(text.hasSuffix("}\n"))
    #expect(text.split(separator: "\n").count == ended.lines)
  }

  @Test func `what the disk is too slow for is dropped and counted, never waited for`()
    async throws
  {
    let recorder = recorder(bytes: 10 << 20)
    greet(recorder)
    _ = try await recorder.start(user: 1000, name: "slow", duration: nil, bytes: nil)
    let offered = 100_000
    for number in 0..<offered { report(number, to: recorder) }
    #expect(recorder.tap.signal.latest > 0)
    let ended = try await recorder.stop(user: 1000)
    let (lines, dropped) = (try #require(ended.lines), try #require(ended.dropped))
    #expect(dropped > 0)
    #expect(lines + dropped == offered + 2)
    #expect(ended.bytes <= RecordingTap.maximumQueue)
    #expect(ended.bytes > RecordingTap.maximumQueue - 100)
  }

  @Test func `what is no text, or would be two lines, is dropped`() async throws {
    let recorder = recorder()
    greet(recorder)
    _ = try await recorder.start(user: 1000, name: "odd", duration: nil, bytes: nil)
    recorder.tap.offer([0x7B, 0xFF, 0x7D], meaning: .tpv(TPV()))
    recorder.tap.offer(Array("{\r}".utf8), meaning: .tpv(TPV()))
    let ended = try await recorder.stop(user: 1000)
    #expect(ended.dropped == 2)
    #expect(ended.lines == 2)
  }

  @Test func `none is begun where recordings are turned off`() async throws {
    let recorder = recorder(recordings: 0)
    #expect(
      await refusal {
        try await recorder.start(user: 0, name: "a", duration: nil, bytes: nil)
      } == "recordings are turned off (MaximumRecordings=0)")
    #expect(await recorder.list(user: nil).isEmpty)
  }

  @Test func `one recording at a time, and only within the limits`() async throws {
    let recorder = recorder(recordings: 2, bytes: 10_000, duration: .seconds(600))
    func start(
      _ name: String?, user: UInt32 = 1000, duration: Duration? = nil, bytes: Int? = nil
    ) async -> String {
      await refusal {
        try await recorder.start(user: user, name: name, duration: duration, bytes: bytes)
      }
    }
    for name in ["", ".", "..", ".hidden", "a/b", "../x", "ä", String(repeating: "a", count: 129)] {
      let wrong = "a recording's name is 1 to 128 characters of A-Z a-z 0-9 . _ -, the first no dot"
      #expect(await start(name) == wrong)
      #expect(await refusal { try await recorder.read(name, of: 1000, from: 0) } == wrong)
      #expect(await refusal { try await recorder.remove(name, of: 1000) } == wrong)
    }
    for (duration, given) in [
      (.zero, "0 s"), (.seconds(-1), "-1 s"), (.milliseconds(500), "0.5 s"),
      (.seconds(601), "10 min 1 s"),
    ] as [(Duration, String)] {
      #expect(
        await start("a", duration: duration)
          == "a recording may last from 1 s to 10 min 0 s (MaximumRecordingSec=), not \(given)")
    }
    for bytes in [-1, 0, 4095, 10_001, .max] {
      #expect(
        await start("a", bytes: bytes)
          == "a recording may have from 4096 to 10000 bytes (MaximumRecordingBytes=), not \(bytes)")
    }
    #expect(await recorder.list(user: nil).isEmpty)

    _ = try await recorder.start(user: 1000, name: "a", duration: nil, bytes: nil)
    #expect(
      await start("b")
        == "'a' is being recorded already; 'geofenced ctl record stop' ends it")
    #expect(await start("b", user: 1001) == "another user's recording is under way")
    #expect(
      await refusal { try await recorder.stop(user: 1001) }
        == "only root may stop another user's recording")
    #expect(
      await refusal { try await recorder.remove("a", of: 1000) }
        == "'a' is being recorded; stop it first")
    _ = try await recorder.stop(user: 0)
    #expect(
      await refusal { try await recorder.stop(user: 1000) }
        == "nothing is being recorded")
    #expect(await start("a") == "there is a recording 'a' already; choose another name")
    // Another user's may have the same name.
    _ = try await recorder.start(user: 1001, name: "a", duration: nil, bytes: nil)
    _ = try await recorder.stop(user: 1001)
    #expect(await start("c").hasPrefix("there are 2 recordings, the most that MaximumRecordings="))
    #expect(await recorder.list(user: nil).map(\.user) == [1000, 1001])
    #expect(await recorder.list(user: 1001).map(\.name) == ["a"])
    #expect(
      await refusal { try await recorder.remove("b", of: 1000) }
        == "there is no recording 'b' of user 1000; 'geofenced ctl record list' shows all")
    _ = try await recorder.remove("a", of: 1000)
    #expect(await recorder.list(user: nil).map(\.user) == [1001])
    _ = try await recorder.start(user: 1000, name: "c", duration: nil, bytes: nil)
  }
}
