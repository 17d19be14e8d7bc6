import Geofencing
import TestSupport
import Testing

@testable import Positioning

@Suite struct `A position that rests on no satellite` {
  /// Which of the reports, one a second, are fixes, with so many satellites told of before each.
  private func fixes(
    _ counts: [[Int]], device: String? = "/dev/a", after last: Location? = nil,
    _ body: (inout TPV) -> Void = { _ in }
  ) -> [Bool] {
    var pipeline = LocationPipeline(parameters: PositioningParameters(), lastFix: last)
    let fixes = counts.enumerated().map { second, counts in
      for count in counts { _ = pipeline.process(.sky(of: device, used: count, seen: 9)) }
      _ = pipeline.process(.tpv(change(report(Double(second)), body)))
      return pipeline.process(.epochComplete(of: "/dev/a"))?.location != nil
    }
    #expect(Set(pipeline.receiverStatus.rejected.keys).isSubset(of: [.noSatellites]))
    return fixes
  }

  @Test func `is left out until there are some again`() {
    #expect(fixes([[8], [8], [0], [0], [5], []]) == [true, true, false, false, true, true])
  }

  /// A Quectel EG25-G tells gpsd of GPS and Galileo one after the other.
  @Test func `isn't one that rests on those of another system`() {
    #expect(fixes([[5, 0], [5, 0], [0, 5]]) == [true, true, true])
  }

  /// A u-blox tells of them with every tenth position, and before that of a tunnel.
  @Test func `is believed where nothing was told of since the position before`() {
    #expect(fixes([[8], [0], [], [], [9]]) == [true, false, true, true, true])
  }

  @Test func `is believed where the receiver doesn't say which it uses`() {
    #expect(fixes([[0], [0], [0]]) == [true, true, true])
    #expect(fixes([[], []]) == [true, true])
  }

  @Test func `is believed where it rests on something else`() {
    for status in 3...8 {
      #expect(fixes([[8], [0], [0]]) { $0.status = status } == [true, true, true])
    }
    for status in 1...2 { #expect(fixes([[8], [0]]) { $0.status = status } == [true, false]) }
  }

  @Test func `is believed after a minute: then it is the count that is wrong`() {
    let fixes = fixes([[8]] + Array(repeating: [0], count: 70))
    #expect(fixes.firstIndex(of: false) == 1)
    #expect(fixes.lastIndex(of: false) == 61)
    #expect(fixes.count { !$0 } == 61)
  }

  @Test func `is left out after each loss anew`() {
    let counts = [[8], [0], [0]] + Array(repeating: [8], count: 100) + [[0], [0], [8]]
    let fixes = fixes(counts)
    #expect(fixes.indices.filter { !fixes[$0] } == [1, 2, 103, 104])
  }

  @Test func `isn't the first after a loss, when the count is still that of the loss`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    let events = [(8, report(0)), (0, noFix(1)), (0, report(2)), (0, report(3))].flatMap {
      [
        SourceEvent.sky(of: "/dev/a", used: $0, seen: 9), .tpv($1), .epochComplete(of: "/dev/a"),
      ]
    }
    let fixes = events.compactMap { pipeline.process($0)?.location?.timestamp }
    #expect(fixes == [at(0), at(2)])
    #expect(pipeline.receiverStatus.rejected == [.noFix: 1, .noSatellites: 1])
  }

  /// Where it went straight on already when the daemon ended.
  @Test(arguments: [8, 0, nil])
  func `is left out after a start too, by the satellites of the last fix`(used: Int?) throws {
    var filter = FixFilter(parameters: PositioningParameters())
    let last = try filter.take(report(-9), satellitesUsed: used).get()
    #expect(fixes([[0], [0], [7]], after: last) == [used != 8, used != 8, true])
    #expect(fixes([[], [0], [0]], after: last) == [true, used != 8, used != 8])
  }

  @Test func `isn't known by the satellites of another receiver`() {
    #expect(fixes([[8], [0], [0]], device: "/dev/b") == [true, true, true])
  }

  @Test func `isn't known by what was told before the receiver was released`() {
    var use = SatelliteUse()
    use.take(used: 8, by: "/dev/a")
    let isFirstExtrapolated = use.take(report(0))
    #expect(!isFirstExtrapolated)
    use.take(used: 0, by: "/dev/a")
    let wasExtrapolated = use.take(report(1))
    #expect(wasExtrapolated)
    use.take(used: 0, by: "/dev/a")
    use.forget()
    let isExtrapolated = use.take(report(2))
    #expect(use.used(by: "/dev/a") == nil && !isExtrapolated)
    use.take(used: 0, by: "/dev/a")
    let isKnownAgain = use.take(report(3))
    #expect(isKnownAgain)
  }

  @Test func `is doubted for a minute anew after the receiver was released`() {
    var use = SatelliteUse()
    for (used, second) in [(8, 0.0), (0, 1)] {
      use.take(used: used, by: "/dev/a")
      _ = use.take(report(second))
    }
    use.forget()
    for (second, isExpected) in [(100.0, true), (160, true), (161, false)] {
      use.take(used: 0, by: "/dev/a")
      let isExtrapolated = use.take(report(second))
      #expect(isExtrapolated == isExpected)
    }
  }

  /// As a Garmin does it: a fix by all that it says, but for the count of satellites.
  @Test(arguments: [("1", 3), ("2", 3), ("6", 5)])
  func `is told from others in NMEA 0183 too`(quality: String, count fixesExpected: Int) {
    var reader = NMEAReader()
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    var events: [SourceEvent] = []
    let seen = reader.read(Array(nmea("GPGSV,1,1,09").utf8)[...], into: &events)
    #expect(seen)
    for (second, count) in ["07", "07", "00", "00", "04"].enumerated() {
      let position = "4800.000\(second),N,01100.0000,E"
      for sentence in [
        "GPGGA,12000\(second),\(position),\(quality),\(count),1.5,500.0,M,47.0,M,,",
        "GPRMC,12000\(second),A,\(position),20.0,0.0,010126,,,A",
      ] {
        let isRead = reader.read(Array(nmea(sentence).utf8)[...], into: &events)
        #expect(isRead)
      }
    }
    reader.finish(into: &events)
    let fixes = events.compactMap { pipeline.process($0)?.location?.coordinate.latitude }
    #expect(fixes.count == fixesExpected)
    let rejected = pipeline.receiverStatus.rejected[.noSatellites] ?? 0
    #expect(rejected == 5 - fixesExpected)
  }
}
