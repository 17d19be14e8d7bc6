import TestSupport
import Testing

@testable import Positioning

@Suite struct `A gpsd session` {
  let start = ContinuousClock.now
  private let counters = GPSDCounters()

  private func session(_ change: (inout GPSDSettings) -> Void = { _ in }) -> GPSDSession {
    var settings = GPSDSettings()
    settings.longestEpochGap = settings.epochGap
    change(&settings)
    return GPSDSession(settings, patience: .seconds(60), counters: counters, now: start)
  }

  /// A session that has been greeted and has asked for reports, at its start.
  func watchingSession() -> GPSDSession {
    var session = session()
    session.receive(GPSDLines.banner + GPSDLines.devices + GPSDLines.watching, now: start)
    #expect(
      drain(&session, at: start) == [
        .event(.connected("gpsd 3.22")), .send(GPSDLines.watchRequest),
        .event(.devices(["/dev/gps0"])), .read(timeout: .seconds(10)),
      ])
    return session
  }

  /// Everything there is to do until something must be read, that included.
  func drain(_ session: inout GPSDSession, at now: ContinuousClock.Instant)
    -> [GPSDSession.Action]
  {
    var actions: [GPSDSession.Action] = []
    while true {
      let action = session.next(now: now)
      actions.append(action)
      switch action {
      case .read, .close: return actions
      case .event, .send: continue
      }
    }
  }

  @Test(arguments: [
    (nil, #"?WATCH={"enable":true,"json":true};"#),
    ("/dev/ttyACM0", #"?WATCH={"device":"/dev/ttyACM0","enable":true,"json":true};"#),
    ("a\"b\\c\nd", #"?WATCH={"device":"a\"b\\c\nd","enable":true,"json":true};"#),
  ])
  func `asks for reports when it has been greeted, not before`(device: String?, request: String) {
    var session = session { $0.device = device }
    #expect(session.next(now: start) == .read(timeout: .seconds(5)))
    session.receive(GPSDLines.tpv() + GPSDLines.banner, now: start)
    #expect(session.next(now: start) == .event(.connected("gpsd 3.22")))
    #expect(session.next(now: start) == .send(Array("\(request)\n".utf8)))
    #expect(session.next(now: start) == .read(timeout: .seconds(10)))
    #expect(counters.statistics.connections == 1)
  }

  @Test(arguments: [
    ("", "gpsd accepted the connection but doesn't answer: is it starting, or hanging?"),
    ("SSH-2.0-OpenSSH_9.2\r\n", "what answers there isn't gpsd: it didn't say VERSION"),
    ("{\"class\":\"VERSION\"", "what answers there isn't gpsd: it didn't say VERSION"),
  ])
  func `gives up what doesn't greet it`(text: String, reason: String) {
    var session = session()
    if !text.isEmpty { session.receive(Array(text.utf8), now: start) }
    session.timeOut(now: start + .milliseconds(4_999))
    #expect(drain(&session, at: start + .seconds(4)) == [.read(timeout: .seconds(1))])
    session.timeOut(now: start + .seconds(5))
    #expect(
      drain(&session, at: start + .seconds(5)) == [
        .close(GPSDSession.Ending(reason: reason))
      ])
  }

  @Test func `reads messages however they are cut up`() throws {
    let stream =
      GPSDLines.banner + GPSDLines.devices + GPSDLines.sky + GPSDLines.tpv(1) + GPSDLines.tpv(2)
    func events(pieceSize: Int) -> [GPSDSession.Action] {
      var session = session()
      var actions: [GPSDSession.Action] = []
      for first in stride(from: 0, to: stream.count, by: pieceSize) {
        session.receive(
          Array(stream[first..<min(first + pieceSize, stream.count)]), now: start)
        actions += drain(&session, at: start).dropLast()
      }
      return actions
    }
    let whole = events(pieceSize: stream.count)
    #expect(whole.count == 6)
    guard case .event(.tpv(let report))? = whole.last else {
      throw TestFailure("the last event is \(whole.last as Any)")
    }
    #expect(report.latitude == 40.002)
    for size in [1, 2, 7, 100] { #expect(events(pieceSize: size) == whole, "\(size)") }
  }

  @Test func `says once that an epoch is complete, when nothing more comes`() {
    var session = watchingSession()
    session.receive(GPSDLines.tpv(), now: start)
    _ = session.next(now: start)
    #expect(session.next(now: start) == .read(timeout: .milliseconds(100)))
    // The sky belongs to the same burst.
    let later = start + .milliseconds(60)
    session.receive(GPSDLines.sky, now: later)
    #expect(
      drain(&session, at: later) == [
        .event(.sky(of: "/dev/gps0", used: 1, seen: 2)), .read(timeout: .milliseconds(100)),
      ])
    let end = later + .milliseconds(100)
    session.timeOut(now: end)
    #expect(
      drain(&session, at: end) == [
        .event(.epochComplete(of: "/dev/gps0")), .read(timeout: .milliseconds(10_000 - 160)),
      ])
  }

  @Test func `doesn't wait longer for an epoch because other messages come`() {
    var session = watchingSession()
    session.receive(GPSDLines.tpv(), now: start)
    _ = drain(&session, at: start)
    for (milliseconds, left) in [(50, 50), (99, 1)] {
      let now = start + .milliseconds(milliseconds)
      session.receive(GPSDLines.ship, now: now)
      #expect(drain(&session, at: now) == [.read(timeout: .milliseconds(left))])
    }
    let end = start + .milliseconds(100)
    session.timeOut(now: end)
    #expect(drain(&session, at: end).first == .event(.epochComplete(of: "/dev/gps0")))
  }

  @Test(arguments: [[], GPSDLines.sky])
  func `ends an epoch also while reports without a time come one soon after the other`(
    besides sky: [UInt8]
  ) {
    var session = watchingSession()
    let nothing = GPSDLines.line(#"{"class":"TPV","device":"/dev/gps0","mode":1}"#) + sky
    var ends = 0
    for milliseconds in stride(from: 0, through: 1000, by: 50) {
      let now = start + .milliseconds(milliseconds)
      session.timeOut(now: now)
      session.receive(nothing, now: now)
      ends += drain(&session, at: now).count { $0 == .event(.epochComplete(of: "/dev/gps0")) }
    }
    #expect((9...10).contains(ends))
  }

  @Test func `says of each receiver that its epoch is complete`() {
    var session = watchingSession()
    func take(_ device: String, _ milliseconds: Int) -> [GPSDSession.Action] {
      let now = start + .milliseconds(milliseconds)
      let line =
        #"{"class":"TPV","device":"\#(device)","mode":1,"time":"2026-03-01T00:00:00.000Z"}"#
      session.receive(GPSDLines.line(line), now: now)
      return drain(&session, at: now)
    }
    func timeOut(_ milliseconds: Int) -> [GPSDSession.Action] {
      session.timeOut(now: start + .milliseconds(milliseconds))
      return drain(&session, at: start + .milliseconds(milliseconds))
    }
    for (device, milliseconds, left) in [("b", 0, 100), ("a", 60, 40), ("b", 80, 80)] {
      #expect(take(device, milliseconds).last == .read(timeout: .milliseconds(left)))
    }
    #expect(
      timeOut(160) == [.event(.epochComplete(of: "a")), .read(timeout: .milliseconds(20))])
    #expect(timeOut(180).first == .event(.epochComplete(of: "b")))
    // Neither waits for the other when the connection ends.
    _ = (take("b", 1_000), take("a", 1_001))
    session.end("why")
    #expect(
      drain(&session, at: start + .seconds(2)) == [
        .event(.epochComplete(of: "a")), .event(.epochComplete(of: "b")),
        .close(GPSDSession.Ending(reason: "why")),
      ])
  }

  @Test func `loses no report when many come at once`() {
    var session = watchingSession()
    session.receive((0..<1000).flatMap { GPSDLines.tpv($0) }, now: start)
    let latitudes = drain(&session, at: start).compactMap { action -> Double? in
      if case .event(.tpv(let report)) = action { report.latitude } else { nil }
    }
    #expect(latitudes.count == 1000)
    #expect(latitudes == latitudes.sorted())
  }

  @Test func `skips and counts what is no message`() {
    var session = watchingSession()
    let garbage = GPSDLines.line("$GPGGA,garbage") + GPSDLines.line("{\"class\":\"TPV\",")
    let tooLong = Array(repeating: UInt8(ascii: "x"), count: 1 << 20) + [10]
    for piece in [garbage, tooLong, GPSDLines.tpv(3)] { session.receive(piece, now: start) }
    guard case .event(.tpv(let report)) = session.next(now: start) else {
      Issue.record("the report was lost")
      return
    }
    #expect(report.latitude == 40.003)
    #expect(counters.statistics.undecodableLines == 2)
    #expect(counters.statistics.tooLongLines == 1)
  }

  @Test(arguments: ["x", "x\n"])
  func `gives up endless garbage`(unit: String) {
    var session = session { $0.garbageLimit = 1 << 20 }
    session.receive(GPSDLines.banner, now: start)
    _ = drain(&session, at: start)
    let piece = Array(String(repeating: unit, count: 65_536 / unit.utf8.count).utf8)
    var last = session.next(now: start)
    var received = 0
    while case .read = last, received < 4 << 20 {
      session.receive(piece, now: start)
      received += piece.count
      last = session.next(now: start)
    }
    #expect(
      last == .close(GPSDSession.Ending(reason: "what answers there doesn't speak like gpsd")))
    #expect(received == 1 << 20 + piece.count)
  }

  @Test func `asks again when a receiver comes back, once`() {
    var session = watchingSession()
    // gpsd says so too when it has recognised a receiver that it had opened already.
    session.receive(GPSDLines.device(isActivated: true), now: start)
    #expect(drain(&session, at: start).count == 1)
    session.receive(GPSDLines.device(isActivated: false), now: start)
    #expect(session.next(now: start) == .event(.devices([])))
    session.receive(
      GPSDLines.device(isActivated: true) + GPSDLines.device(isActivated: true), now: start)
    #expect(
      drain(&session, at: start).dropLast() == [
        .send(GPSDLines.watchRequest), .event(.devices(["/dev/gps0"])),
      ])
  }

  @Test func `keeps the names of no more receivers than a computer has`() {
    var session = watchingSession()
    for number in 1...70 {
      session.receive(GPSDLines.device("/dev/gps\(number)", isActivated: true), now: start)
    }
    let lists = drain(&session, at: start).compactMap { action -> [String]? in
      if case .event(.devices(let names)) = action { names } else { nil }
    }
    #expect(lists.map(\.count) == Array(2...64))
  }

  @Test func `ends with what gpsd refused`() {
    var session = session { $0.device = "/dev/none" }
    session.receive(
      GPSDLines.banner
        + GPSDLines.line(#"{"class":"ERROR","message":"No such device as /dev/none"}"#),
      now: start)
    #expect(
      drain(&session, at: start).last
        == .close(GPSDSession.Ending(reason: "gpsd refused: No such device as /dev/none")))
  }

  @Test func `completes the epoch before it ends`() {
    var session = watchingSession()
    session.receive(GPSDLines.tpv() + Array("{\"class\":\"TP".utf8), now: start)
    _ = drain(&session, at: start)
    session.receive([], now: start)
    session.end("too late to be the reason")
    #expect(
      drain(&session, at: start) == [
        .event(.epochComplete(of: "/dev/gps0")),
        .close(GPSDSession.Ending(reason: "gpsd closed the connection")),
      ])
    #expect(session.hasReported)
  }
}
