import Foundation
import Geofencing
import LinuxSystem
import TestSupport
import Testing

@testable import Positioning

private let fix = "GPRMC,120000,A,4800.0,N,01100.0,E,0,0,010126,,"

/// A file that goes when its test ends.
private final class TemporaryFile {
  private let folder: TemporaryFolder
  var path: String { folder.path + "/recording" }

  init(_ contents: some Sequence<UInt8>) throws {
    folder = try TemporaryFolder()
    try Data(contents).write(to: URL(fileURLWithPath: path))
  }

  convenience init(_ text: String) throws { try self.init(text.utf8) }

  func recording() throws -> Recording { try Recording(path: path) }
}

private func play(_ recording: Recording) async -> [SourceEvent] {
  var events: [SourceEvent] = []
  for await event in recording { events.append(event) }
  return events
}

private func reports(_ recording: Recording) async -> [TPV] {
  await play(recording).compactMap { if case .tpv(let tpv) = $0 { tpv } else { nil } }
}

@Suite struct `Recordings` {
  @Test func `are played until a time, whatever a receiver says without a fix`() async throws {
    func report(_ time: String, _ mode: Int) -> String {
      "{\"class\":\"TPV\",\"mode\":\(mode),\"time\":\"\(time)Z\",\"lat\":1.5,\"lon\":2.5}\n"
    }
    let times = (0...3).map { "2026-01-01T00:00:0\($0).000" }
    // One date is wrong in between.
    let later = "2080-01-06T00:00:00.000"
    let fixes = [times[0], later] + times.dropFirst()
    let file = try TemporaryFile(report(later, 1) + fixes.map { report($0, 2) }.joined())
    for (number, cut) in [(1, true), (3, false)] {
      let end = try #require(Timestamp(rfc3339: times[number] + "Z"))
      let recording = try Recording(path: file.path, until: end)
      let played = await reports(recording)
      #expect(played.compactMap { $0.time?.rfc3339 } == times.prefix(number + 1).map { "\($0)Z" })
      #expect(recording.summary.cut == (cut ? end : nil))
    }
  }

  @Test func `nothing of later fixes is played, nor of a clock that is set back then`()
    async throws
  {
    func date(_ second: Int) -> Timestamp {
      Timestamp(nanoseconds: (1_767_225_600 + Int64(second)) * 1_000_000_000)
    }
    func report(_ second: Int) -> String {
      let time = date(second).rfc3339
      return #"{"class":"TPV","mode":3,"time":"\#(time)","lat":1.5,"lon":2.5}"# + "\n"
        + #"{"class":"SKY","satellites":[{"PRN":1,"used":true}]}"# + "\n"
    }
    let end = date(30)
    let whole = try TemporaryFile((0...30).map(report).joined())
    let expected = await play(try whole.recording())
    // A minute more, and then a time again that was before.
    let longer = try TemporaryFile((Array(0...90) + Array(10...25)).map(report).joined())
    let recording = try Recording(path: longer.path, until: end)
    var played = await play(recording)
    played[0] = expected[0]
    // Where a file ends, its last epoch does.
    #expect(played + [.epochComplete()] == expected && recording.summary.cut == end)
  }

  @Test func `gpsd's JSON is played in order, and again`() async throws {
    let file = try TemporaryFile(
      """
      {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
      {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}
      {"class":"WATCH","enable":true,"json":true}
      {"class":"SKY","satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}]}
      {"class":"PPS","device":"/dev/ttyACM0","real_sec":1}
      {"class":"TPV","mode":2,"time":"2026-01-01T00:00:00.000Z","lat":1.5,"lon":2.5}
      {"class":"TPV","mode":2,"time":"2026-01-01T00:00:0
      """)
    let recording = try file.recording()
    #expect(recording.format == .gpsd)
    let events = await play(recording)
    try #require(events.count == 5)
    #expect(events[0] == .connected("recording \(file.path)"))
    #expect(events[1] == .devices(["/dev/ttyACM0"]))
    #expect(events[2] == .sky(used: 1, seen: 2))
    guard case .tpv(let tpv) = events[3] else { throw TestFailure("\(events[3])") }
    #expect(tpv.latitude == 1.5 && tpv.longitude == 2.5)
    #expect(events[4] == .epochComplete())
    #expect(recording.summary.lines == 7)
    #expect(recording.summary.malformedLines == 1)
    #expect(await play(recording) == events)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `the format shows behind comments, junk and a cut-off line`(end: String) throws {
    let head = ["# Name: test", "4,01100.0,E,0,0,010126,,*5A", "", "{\"class\":\"TP"]
    let json = #"{"class":"TPV","mode":1}"#
    let first = try TemporaryFile((head + [json, nmea(fix)]).joined(separator: end))
    #expect(try first.recording().format == .gpsd)
    let second = try TemporaryFile((head + [nmea(fix), json]).joined(separator: end))
    #expect(try second.recording().format == .nmea)
  }

  @Test(arguments: [(false, 1), (true, 0)])
  func `sentences behind gpsd's greeting count, unless it has read them already`(
    json: Bool, fixes: Int
  ) async throws {
    let file = try TemporaryFile(
      """
      {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
      {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}
      {"class":"WATCH","enable":true,"json":\(json),"nmea":true,"raw":0}
      \(nmea(fix))

      """)
    let recording = try file.recording()
    #expect(await reports(recording).count == fixes)
    #expect(recording.summary.malformedLines == 0)
    #expect(recording.summary.lines == 4)
  }

  @Test func `a recording of gpsd that ends with its greeting is one`() async throws {
    let file = try TemporaryFile(
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n")
    #expect(await reports(try file.recording()).isEmpty)
  }

  @Test func `dates that gpspipe puts before each line don't matter`() async throws {
    let file = try TemporaryFile(
      "2026-01-01 00:00:01: {\"class\":\"TPV\",\"mode\":3,\"lat\":1,\"lon\":2}\n" + nmea(fix) + "\n"
    )
    let recording = try file.recording()
    #expect(await reports(recording).map(\.mode) == [3])
    // The receiver's own sentences among gpsd's messages are neither used nor wrong.
    #expect(recording.summary.malformedLines == 0)
  }

  /// As `gpspipe -wR` mixes them.
  @Test func `a receiver's binary data before a message doesn't matter`() async throws {
    let file = try TemporaryFile(
      """
      {"class":"WATCH","enable":true,"json":true,"raw":2}
      \u{1}b{\u{2}{{ "class" : "TPV","mode":3,"lat":1,"lon":2}
      \u{1}{"class\(nmea(fix))

      """)
    let recording = try file.recording()
    #expect(await reports(recording).map(\.mode) == [3])
    #expect(recording.summary.malformedLines == 0)
  }

  @Test func `the same track in both formats gives the same epochs`() async throws {
    let track = (0..<60).map { number in
      let second = number < 10 ? "0\(number)" : "\(number)"
      return (second: second, minutes: Double(number) / 64, knots: Double(number) / 4)
    }
    let sentences = track.map { point in
      nmea(
        "GPRMC,0000\(point.second),A,480\(point.minutes),N,01100.0,E,\(point.knots),90.0,010126,,")
    }
    let messages = track.map { point in
      let (latitude, speed) = (48 + point.minutes / 60, point.knots * 1852 / 3600)
      return #"""
        {"class":"TPV","mode":2,"status":1,"time":"2026-01-01T00:00:\#(point.second).000Z",\#
        "lat":\#(latitude),"lon":11,"track":90,"speed":\#(speed)}
        """#
    }
    let nmeaFile = try TemporaryFile(sentences.joined(separator: "\n"))
    let jsonFile = try TemporaryFile(messages.joined(separator: "\n"))
    let fromNMEA = await reports(try nmeaFile.recording())
    let fromJSON = await reports(try jsonFile.recording())
    #expect(fromNMEA.count == 60 && fromJSON.count == 60)
    for (a, b) in zip(fromNMEA, fromJSON) {
      #expect(a.time == b.time && a.mode == b.mode && a.status == b.status)
      #expect(abs(try #require(a.latitude) - #require(b.latitude)) < 1e-9)
      #expect(abs(try #require(a.speed) - #require(b.speed)) < 1e-9)
      #expect(a.longitude == b.longitude && a.track == b.track)
    }
  }

  @Test func `binary data and lines without an end cost only themselves`() async throws {
    var bytes = Array((nmea(fix) + "\n").utf8)
    bytes += (0..<100_000).map { UInt8(truncatingIfNeeded: $0 % 241 + 14) }
    bytes += Array(("\n" + nmea(fix.replacing("120000", with: "120001"))).utf8)
    let file = try TemporaryFile(bytes)
    let recording = try file.recording()
    #expect(await reports(recording).count == 2)
    #expect(recording.summary.overlongLines == 1)
    #expect(recording.summary.malformedLines == 0)
    #expect(recording.summary.failure == nil)
  }

  @Test func `lines are whole wherever the chunks end`() async throws {
    let line = #"{"class":"TPV","mode":1,"device":"/dev/ttyACM0"}"# + "\n"
    // A length that shares no factor with that of a chunk, so that every cut comes up.
    #expect(!line.utf8.count.isMultiple(of: 2))
    let file = try TemporaryFile(String(repeating: line, count: 100_000))
    let recording = try file.recording()
    #expect(await reports(recording).count == 100_000)
    #expect(recording.summary.malformedLines == 0)
  }

  @Test func `a pipe is played once`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/recording"
    try #require(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread {
      try? FileHandle(forWritingAtPath: path)?.write(contentsOf: Data((nmea(fix) + "\n").utf8))
    }
    let recording = try Recording(path: path)
    #expect(await reports(recording).count == 1)
    #expect(await play(recording).isEmpty)
  }

  @Test func `leaving the loop and cancelling end the playing`() async throws {
    let file = try TemporaryFile(String(repeating: "{\"class\":\"TPV\",\"mode\":1}\n", count: 100))
    let recording = try file.recording()
    for await event in recording {
      if case .tpv = event { break }
    }
    #expect(recording.summary.lines == 1)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await play(recording)
    }
    #expect(await cancelled.value.isEmpty)
  }

  @Test func `what is no recording is refused by name and reason`() throws {
    let missing = NSTemporaryDirectory() + "no-such-recording"
    #expect(throws: RecordingError.unreadable(path: missing, .noSuchFile)) {
      try Recording(path: missing)
    }
    #expect(throws: RecordingError.directory(path: "/tmp")) { try Recording(path: "/tmp") }
    // Reading it fails where nothing is mapped, as on a bad disk.
    #expect(throws: RecordingError.unreadable(path: "/proc/self/mem", .inputOutput)) {
      try Recording(path: "/proc/self/mem")
    }
    let empty = try TemporaryFile("")
    #expect(throws: RecordingError.empty(path: empty.path)) { try Recording(path: empty.path) }
    let others: [[UInt8]] = [
      Array("hello\n".utf8), Array("\n\n\n".utf8), Array("<html></html>\n".utf8),
      Array("# only\n# comments\n".utf8), Array("{}\n".utf8), Array("$GPRMC*00\n".utf8),
      [UInt8](repeating: 0, count: 3_000_000),
    ]
    for bytes in others {
      let file = try TemporaryFile(bytes)
      #expect(throws: RecordingError.unknownFormat(path: file.path)) {
        try Recording(path: file.path)
      }
    }
  }

  @Test(arguments: [
    ([0x1F, 0x8B, 8, 0], Compression.gzip, "gunzip"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .xz, "unxz"), (Array("BZh91AY".utf8), .bzip2, "bunzip2"),
    ([0x28, 0xB5, 0x2F, 0xFD], .zstd, "unzstd"),
  ])
  func `what is compressed says with what it is unpacked`(
    bytes: [UInt8], compression: Compression, program: String
  ) throws {
    let file = try TemporaryFile(bytes + [UInt8](repeating: 7, count: 100))
    let error = RecordingError.compressed(path: file.path, compression)
    #expect(throws: error) { try Recording(path: file.path) }
    #expect(error.description == "\(file.path): is compressed: unpack it with \(program)")
  }

  @Test func `errors say in one sentence what to do`() {
    #expect(
      RecordingError.unreadable(path: "x.json", .noSuchFile).description
        == "x.json: there is no such file; name a recording, or - for standard input")
    #expect(
      RecordingError.unreadable(path: "x.json", .permissionDenied).description
        == "x.json: can't be read: Permission denied")
  }
}
