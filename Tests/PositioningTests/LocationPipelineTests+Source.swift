import Geofencing
import TestSupport
import Testing

@testable import Positioning

/// What is known of the source and of the receiver.
extension `The location pipeline` {
  @Test func `knows which positions are refused until one is believed`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    /// The status behind a position so many steps of 1.1 m north.
    func doubt(_ second: Double, north: Double) -> PositionDoubt? {
      _ = pipeline.process(.tpv(report(second, north: north + second / 10, speed: 0)))
      _ = pipeline.process(.epochComplete(of: "/dev/a"))
      return pipeline.receiverStatus.doubt
    }
    #expect(doubt(0, north: 0) == nil && doubt(1, north: 0) == nil)
    for second in 2...31 {
      let told = doubt(Double(second), north: 9000)
      #expect(told?.count == second - 1 && told?.time == .seconds(second - 2))
      #expect(told?.believedAfter == .seconds(30))
      #expect(told?.reason == .impossibleSpeed && told.map { Int($0.distance / 100) } == 100)
    }
    #expect(doubt(32, north: 9000) == nil)
    // What contradicts each other never is, however long that goes on.
    for second in 33...150 {
      _ = doubt(Double(second), north: second.isMultiple(of: 2) ? 0 : 20_000)
    }
    #expect(pipeline.receiverStatus.doubt?.count == 118)
    #expect(pipeline.receiverStatus.doubt?.time == .seconds(117))
    // Without a position nothing is clearer, and with a clock that leaps nothing longer.
    _ = pipeline.process(.tpv(noFix(151)))
    _ = pipeline.process(.epochComplete(of: "/dev/a"))
    #expect(doubt(200_000, north: -20_000)?.time == .seconds(117))
    pipeline.release()
    #expect(pipeline.receiverStatus.doubt == nil)
  }

  @Test func `keeps why nothing was heard of the receiver through looks that only reach gpsd`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    _ = pipeline.process(.connected("gpsd 3.22"))
    for _ in 1...2 { _ = pipeline.process(.tpv(report(0))) }
    pipeline.release()
    #expect(pipeline.receiverStatus.disconnection == nil)
    for _ in 1...2 {
      _ = pipeline.process(.connected("gpsd 3.22"))
      _ = pipeline.process(.disconnected("gone"))
      _ = pipeline.process(.connected("gpsd 3.22"))
      pipeline.release()
      #expect(pipeline.receiverStatus.disconnection == "gone")
      _ = pipeline.process(.connected("gpsd 3.22"))
      #expect(pipeline.receiverStatus.disconnection == "gone")
    }
    _ = pipeline.process(.tpv(report(1)))
    _ = pipeline.process(.epochComplete(of: "/dev/a"))
    #expect(pipeline.receiverStatus.disconnection == nil)
    pipeline.release()
    #expect(pipeline.receiverStatus.disconnection == nil)
    // Also where it was lost in use, and released before anything was heard of it.
    _ = pipeline.process(.connected("gpsd 3.22"))
    _ = pipeline.process(.tpv(report(2)))
    _ = pipeline.process(.epochComplete(of: "/dev/a"))
    _ = pipeline.process(.disconnected("gone"))
    _ = pipeline.process(.connected("gpsd 3.22"))
    #expect(pipeline.receiverStatus.disconnection == nil)
    pipeline.release()
    #expect(pipeline.receiverStatus.disconnection == "gone")
    // Silence tells of it as well.
    _ = pipeline.process(.tpv(report(3)))
    _ = pipeline.process(.epochComplete(of: "/dev/a"))
    _ = pipeline.process(.silent)
    pipeline.release()
    #expect(pipeline.receiverStatus.disconnection == ReceiverStatus.silence(of: []))
    // What is wrong in one look may be another thing in the next.
    _ = pipeline.process(.connected("gpsd 3.22"))
    _ = pipeline.process(.disconnected("gone"))
    pipeline.release()
    _ = pipeline.process(.connected("gpsd 3.22"))
    #expect(pipeline.receiverStatus.trouble == "gone")
    _ = pipeline.process(.silent)
    #expect(pipeline.receiverStatus.trouble == ReceiverStatus.silence(of: []))
  }

  @Test func `a gpsd that is reached again isn't told as one that can't be`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    pipeline.release()
    _ = pipeline.process(.disconnected("refused"))
    pipeline.release()
    #expect(pipeline.receiverStatus.disconnection == "refused")
    _ = pipeline.process(.connected("gpsd 3.22"))
    #expect(pipeline.receiverStatus.disconnection == nil)
    pipeline.release()
    #expect(pipeline.receiverStatus.disconnection == nil)
  }

  @Test func `knows the receiver's status`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    let events: [SourceEvent] = [
      .connected("gpsd 3.22"), .devices(["/dev/a"]), .sky(of: "/dev/a", used: 7, seen: 12),
      .tpv(report(1)),
      .tpv(report(1)), .epochComplete(of: "/dev/a"), .tpv(noFix(2)), .tpv(report(3, eph: 1e6)),
      .epochComplete(of: "/dev/a"), .tpv(report(nil)), .epochComplete(of: "/dev/a"),
      .tpv(report(0)),
      .epochComplete(of: "/dev/a"), .tpv(report(1.5, device: "/dev/b")),
      .epochComplete(of: "/dev/b"),
    ]
    for event in events { _ = pipeline.process(event) }
    var status = pipeline.receiverStatus
    #expect(status.source == "gpsd 3.22")
    #expect(status.devices == ["/dev/a"])
    #expect(status.satellitesUsed == 7 && status.satellitesSeen == 12)
    #expect(status.accepted == 1)
    #expect(
      status.rejected == [.noFix: 1, .inaccurate: 1, .noTime: 1, .notNewer: 1, .otherReceiver: 1])
    // What another receiver says is no evidence.
    #expect(
      status.untoldRejections.fixes.map(\.reason) == ["noFix", "inaccurate", "noTime", "notNewer"])
    #expect(status.lastFix?.timestamp == at(1))
    #expect(status.lastFix?.satellitesUsed == 7)
    #expect(status.mode == 3)
    _ = pipeline.process(.silent)
    status = pipeline.receiverStatus
    #expect(status.isSilent && status.mode == 0)
    #expect(status.satellitesUsed == nil && status.satellitesSeen == nil)
    _ = pipeline.process(.sky(of: "/dev/a", used: 7, seen: 12))
    _ = pipeline.process(.disconnected("why"))
    status = pipeline.receiverStatus
    #expect(status.source == nil && status.disconnection == "why" && status.mode == 0)
    #expect(status.satellitesUsed == nil && status.satellitesSeen == nil)
    #expect(status.lastFix?.timestamp == at(1))
    _ = pipeline.process(.connected("gpsd 3.25"))
    status = pipeline.receiverStatus
    #expect(status.source == "gpsd 3.25" && status.disconnection == nil)
    // The source is back; of the receiver nothing has been heard yet.
    #expect(
      status.silence
        == "gpsd has no receiver: is it plugged in? 'systemctl status gpsd' says why, and "
        + "'systemctl restart gpsd.socket' tries again")
    _ = pipeline.process(.devices(["/dev/a"]))
    #expect(pipeline.receiverStatus.silence == "the receiver is silent: /dev/a")
    for event in [.tpv(noFix(9)), .epochComplete(of: "/dev/a")] as [SourceEvent] {
      _ = pipeline.process(event)
    }
    #expect(pipeline.receiverStatus.silence == nil)
  }

  @Test func `stays available whatever the clock of another receiver says`() {
    let both = (0..<5).flatMap { second -> [SourceEvent] in
      [
        .tpv(report(Double(second))), .tpv(report(Double(second) + 18, device: "/dev/b")),
        .epochComplete(of: "/dev/a"),
      ]
    }
    #expect(updates(both) == (0..<5).map { "fix \($0)" })
  }

  /// A cold one without the leap seconds is ahead of it, and one without a battery knows no time.
  @Test(arguments: [nil, -7200, 0, 18, 7200], [1, 10])
  func `stays available beside a receiver without a fix`(lag: Double?, perSecond: Int) {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    var told: [String] = []
    func take(_ report: TPV) {
      for event in [.tpv(report), .epochComplete(of: report.device)] as [SourceEvent] {
        if let update = pipeline.process(event) { told.append(short(update)) }
      }
    }
    func lack(_ second: Int) {
      for part in 0..<perSecond {
        let time = lag.map { Double(second) + $0 + Double(part) / Double(perSecond) }
        take(noFix(time, device: "/dev/b"))
      }
    }
    _ = pipeline.process(.sky(of: "/dev/a", used: 7, seen: 12))
    for second in 0..<30 {
      take(report(Double(second)))
      lack(second)
    }
    #expect(told == (0..<30).map { "fix \($0)" })
    #expect(pipeline.receiverStatus.mode == 3)
    #expect(pipeline.receiverStatus.rejected == [.otherReceiver: 30 * perSecond])
    #expect(pipeline.receiverStatus.untoldRejections.fixes.isEmpty)
    // The other one's reports are all that shows that it is silent.
    for second in 30..<50 { lack(second) }
    #expect(told.dropFirst(30) == (lag == nil && perSecond == 1 ? [] : ["none"]))
    for second in 50..<150 where told.count == 30 { lack(second) }
    #expect(told.dropFirst(30) == ["none"])
    #expect(pipeline.receiverStatus.mode == 1)
    take(report(150))
    take(noFix(lag.map { 150 + $0 }, device: "/dev/b"))
    #expect(told.dropFirst(30) == ["none", "fix 150"])
    #expect(pipeline.receiverStatus.mode == 3)
  }
}
