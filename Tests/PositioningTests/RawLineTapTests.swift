import Synchronization
import Testing

@testable import Positioning

@Suite struct RawLineTapTests {
  @Test func `a tap is offered each message as gpsd wrote it, and nothing else`() {
    let lines = Mutex<[String]>([])
    let now = ContinuousClock.now
    var session = GPSDSession(
      GPSDSettings(), patience: .seconds(60), counters: GPSDCounters(),
      tap: { line, _ in lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } },
      now: now)
    let messages = [
      GPSDLines.banner, GPSDLines.devices, GPSDLines.watching, GPSDLines.sky, GPSDLines.tpv(1),
      GPSDLines.tpv(2),
    ]
    session.receive(messages[0] + messages[1], now: now)
    session.receive(Array("no message\r\n{\"class\":\"TPV\",\r\n".utf8), now: now)
    session.receive(messages[2] + messages[3] + messages[4] + messages[5].prefix(20), now: now)
    var events = 0
    loop: while true {
      switch session.next(now: now) {
      case .event: events += 1
      case .send: continue
      case .read, .close: break loop
      }
    }
    #expect(events == 4)
    #expect(
      lines.withLock { $0 }
        == messages.prefix(5).map { String(decoding: $0.dropLast(), as: UTF8.self) })
  }
}
