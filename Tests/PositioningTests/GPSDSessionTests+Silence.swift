import Testing

@testable import Positioning

/// What a session makes of a gpsd, or of a receiver, that says nothing.
extension `A gpsd session` {
  @Test func `asks after silence, and gives up a gpsd that doesn't answer`() {
    var session = watchingSession()
    var now = start + .seconds(10)
    session.timeOut(now: now)
    #expect(
      drain(&session, at: now) == [
        .event(.silent), .send(Array("?DEVICES;\n".utf8) + GPSDLines.watchRequest),
        .read(timeout: .seconds(10)),
      ])
    now += .seconds(10)
    session.timeOut(now: now)
    #expect(
      session.next(now: now)
        == .close(GPSDSession.Ending(reason: "gpsd doesn't answer: is it hanging?")))
  }

  /// Until the machine was awake again, nothing could be heard.
  @Test func `waits anew where the end of a silence is noticed late`() {
    var session = watchingSession()
    session.timeOut(now: start + .seconds(3_600))
    let now = start + .seconds(3_600)
    #expect(drain(&session, at: now) == [.read(timeout: .seconds(10))])
    // Who sleeps again and again would never tell it.
    let later = now + .seconds(3_600)
    session.timeOut(now: later)
    #expect(drain(&session, at: later).first == .event(.silent))
  }

  @Test(arguments: [
    (GPSDLines.noDevices, ReceiverStatus.silence(of: [])),
    (GPSDLines.devices, "the receiver is silent: /dev/gps0"),
  ])
  func `is patient with a gpsd that answers without reports`(answer: [UInt8], reason: String) {
    var session = watchingSession()
    session.timeOut(now: start + .seconds(10))
    _ = drain(&session, at: start + .seconds(10))
    session.receive(answer, now: start + .seconds(11))
    #expect(drain(&session, at: start + .seconds(11)).last == .read(timeout: .seconds(60)))
    session.timeOut(now: start + .seconds(71))
    #expect(
      session.next(now: start + .seconds(71))
        == .close(GPSDSession.Ending(reason: reason, isSilence: true)))
  }

  @Test func `goes on as before when reports come again`() {
    var session = watchingSession()
    session.timeOut(now: start + .seconds(10))
    session.receive(GPSDLines.devices, now: start + .seconds(11))
    _ = drain(&session, at: start + .seconds(11))
    let later = start + .seconds(70)
    session.receive(GPSDLines.tpv(), now: later)
    _ = drain(&session, at: later)
    session.timeOut(now: later + .milliseconds(100))
    #expect(
      drain(&session, at: later + .milliseconds(100)) == [
        .event(.epochComplete(of: "/dev/gps0")), .read(timeout: .milliseconds(9_900)),
      ])
  }

  @Test func `takes other messages for life, but not for reports`() {
    var session = watchingSession()
    session.receive(GPSDLines.sky, now: start + .seconds(9))
    #expect(drain(&session, at: start + .seconds(9)).last == .read(timeout: .seconds(1)))
  }

  @Test func `waits no longer for a receiver that has reported`() {
    var session = watchingSession()
    session.receive(GPSDLines.tpv(), now: start)
    _ = drain(&session, at: start)
    session.timeOut(now: start + .seconds(10))
    _ = drain(&session, at: start + .seconds(10))
    session.receive(GPSDLines.noDevices, now: start + .seconds(11))
    #expect(
      drain(&session, at: start + .seconds(11)).last == .read(timeout: .seconds(10)))
  }
}
