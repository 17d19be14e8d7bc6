import Geofencing
import Positioning
import TestSupport
import Testing

/// How what was rejected reaches whoever asks why.
@Suite struct RejectionTests {
  private var pipeline = LocationPipeline(parameters: PositioningParameters())

  private mutating func take(_ epoch: TPV) -> LocationUpdate? {
    #expect(pipeline.process(.tpv(epoch)) == nil)
    return pipeline.process(.epochComplete(of: "/dev/a"))
  }

  private func short(_ fixes: [RejectedFix]?) -> [String] {
    (fixes ?? []).map { fix in
      let second = fix.timestamp.map { "\(Int(($0 - at(0)).inSeconds))" } ?? "-"
      return "\(second) \(fix.reason)" + (fix.count > 1 ? " \(fix.count)" : "")
    }
  }

  @Test mutating func `a fix brings what was rejected before it, once`() throws {
    #expect(take(report(0))?.rejections == [])
    #expect(take(noFix(1)) == nil)
    #expect(take(report(2, eph: 9000)) == nil)
    #expect(take(report(nil)) == nil)
    #expect(
      short(pipeline.receiverStatus.untoldRejections.fixes)
        == ["1 noFix", "2 inaccurate", "- noTime"])
    let update = try #require(take(report(3)))
    #expect(update.location?.timestamp == at(3))
    #expect(short(update.rejections) == ["1 noFix", "2 inaccurate", "- noTime"])
    #expect(pipeline.receiverStatus.untoldRejections.fixes.isEmpty)
    #expect(take(report(4))?.rejections == [])
  }

  @Test mutating func `it is told as far as the report knew it`() throws {
    _ = take(report(0))
    var far = report(1, north: 1_000_000, eph: 10)
    far.speed = 3
    _ = take(far)
    let jump = try #require(pipeline.receiverStatus.untoldRejections.fixes.first)
    #expect(jump.reason == "impossibleSpeed")
    #expect(jump.coordinate?.latitude == 57)
    let accuracy = 10 / 2.4477 * 1.5096
    #expect(abs(try #require(jump.horizontalAccuracy) - accuracy) < 0.001)
    #expect(jump.speed == 3)
    var wild = report(2)
    (wild.latitude, wild.speed) = (.nan, .nan)
    _ = take(wild)
    let last = try #require(pipeline.receiverStatus.untoldRejections.fixes.last)
    #expect(last.reason == "outOfRange" && last.coordinate == nil && last.speed == nil)
  }

  @Test mutating func `an hour without a fix is two of them and a number`() throws {
    _ = take(report(0))
    var told: [RejectedFix] = []
    for second in 1..<3600 { told += take(noFix(Double(second)))?.rejections ?? [] }
    // That there is no location was told once, with what was rejected until then.
    #expect(short(told) == ["1 noFix", "11 noFix 10"])
    let update = try #require(take(report(3600)))
    #expect(short(update.rejections) == ["12 noFix", "3599 noFix 3587"])
    #expect((told + update.rejections).reduce(0) { $0 + $1.count } == 3599)
  }

  @Test mutating func `no more than sixteen are kept, the newest`() throws {
    _ = take(report(0))
    for number in 1...50 {
      let second = Double(number) / 10
      _ = take(number.isMultiple(of: 2) ? report(second, eph: 9000) : noFix(second))
    }
    let fixes = pipeline.receiverStatus.untoldRejections.fixes
    #expect(fixes.count == Explanation.evidenceLimit)
    #expect(fixes.last?.timestamp == at(5))
    #expect(fixes.first?.timestamp == at(3.5))
    #expect(fixes.allSatisfy { $0.count == 1 })
  }

  @Test mutating func `what was rejected makes no update of its own`() {
    _ = take(report(0))
    #expect(take(noFix(20))?.location == nil)
    for second in 21..<100 { #expect(take(noFix(Double(second))) == nil) }
  }
}
