import Geofencing
import Positioning
import TestSupport
import Testing

/// Several receivers: one at a time is followed.
@Suite struct `The receiver that is followed` {
  /// Takes epochs and tells of each the receiver whose fix was used, or "-".
  private func used(_ epochs: [TPV], after last: Location? = nil) -> String {
    var filter = FixFilter(parameters: PositioningParameters(), last: last)
    return epochs.map { epoch in
      guard case .success(let location) = filter.take(epoch, satellitesUsed: nil) else {
        return "-"
      }
      return location.device.map { String($0.suffix(1)) } ?? "?"
    }.joined()
  }

  /// Fixes of the two by turns, of which the second lies elsewhere.
  private func both(
    _ seconds: Range<Int>, lag: Double = 0.25, north: Double = 0, ephs: (Double, Double) = (5, 5)
  ) -> [TPV] {
    seconds.flatMap { second in
      [
        report(Double(second), device: "/dev/a", eph: ephs.0),
        report(Double(second) + lag, north: north, device: "/dev/b", eph: ephs.1),
      ]
    }
  }

  private func twice(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test(arguments: [0, 0.25, -0.25, 18, -18, -619_315_200], [0, 20, 500])
  func `is the first, wherever the others are and whatever their clocks say`(
    lag: Double, north: Double
  ) {
    #expect(used(both(0..<100, lag: lag, north: north)) == twice("a-", 100))
  }

  @Test(arguments: [0.0, 3]) func `is another once it has been silent for ten seconds`(
    north: Double
  ) {
    let alone = (10..<30).map { report(Double($0) + 0.25, north: north, device: "/dev/b") }
    // From 9.25 s on, and for good.
    #expect(
      used(both(0..<10, north: north) + alone + both(30..<50, north: north))
        == twice("a-", 10) + twice("-", 9) + twice("b", 11) + twice("-b", 20))
  }

  @Test func `is another after ten seconds of its own, if its clock is set back meanwhile`() {
    let ahead = (0..<5).map { report(3605 + Double($0), device: "/dev/b") }
    let right = (0..<15).map { report(10 + Double($0), device: "/dev/b") }
    #expect(
      used([report(0), report(1)] + ahead + right) == "aa" + twice("-", 15) + twice("b", 5))
  }

  /// It didn't have fixes for all of the years between.
  @Test func `is another after ten seconds of its own, if its clock is set right meanwhile`() {
    let years = 619_315_200.0
    let behind = [2.0, 3, 15].map { report($0 - years, device: "/dev/b") }
    let right = (16..<30).map { report(Double($0), device: "/dev/b") }
    #expect(
      used([report(0), report(1)] + behind + right) == "aa" + twice("-", 13) + twice("b", 4))
  }

  @Test func `stays the same where all have fixes a minute apart`() {
    let fixes = both(0..<20).map { report in
      change(report) { $0.time = $0.time.map { at(($0 - at(0)).inSeconds * 60) } }
    }
    #expect(used(fixes) == twice("a-", 20))
  }

  @Test func `is one that has been twice as accurate for ten seconds`() {
    #expect(used(both(0..<30, ephs: (10, 5.1))) == twice("a-", 30))
    #expect(
      used(both(0..<30, ephs: (10, 5))) == twice("a-", 10) + "ab" + twice("-b", 19))
    // In between it isn't.
    let wavering = (0..<30).flatMap { second in
      both(second..<(second + 1), ephs: (10, second % 10 == 9 ? 6 : 4))
    }
    #expect(used(wavering) == twice("a-", 30))
    #expect(used(both(0..<30, ephs: (.nan, 5))) == twice("a-", 10) + "ab" + twice("-b", 19))
  }

  @Test func `isn't one that is more accurate in another place`() {
    #expect(used(both(0..<60, north: 20, ephs: (20, 5))) == twice("a-", 60))
  }

  @Test func `may be left for a better one while both travel`() {
    // 20 m/s northwards, of which the second one tells half a second later.
    let fixes = both(0..<30, lag: 0.5, ephs: (10, 4)).map { report in
      change(report) {
        $0.speed = 20
        $0.latitude = 47 + (($0.time ?? at(0)) - at(0)).inSeconds * 20 / 111_200
      }
    }
    #expect(used(fixes) == twice("a-", 10) + "ab" + twice("-b", 19))
  }

  @Test(arguments: [-0.25, 0, 0.25])
  func `is the better one whichever tells of a second first`(lag: Double) {
    let used = used(both(0..<60, lag: lag, ephs: (10, 4)))
    #expect(used.prefix(20) == twice("a-", 10))
    #expect(used.suffix(80) == twice("-b", 40))
  }

  /// gpsd was away, the machine was asleep, or the receiver released.
  @Test func `is the same after a time in which nobody was heard`() {
    let first = report(64.25, device: "/dev/b")
    #expect(used(both(0..<5) + [first] + both(65..<80)) == twice("a-", 5) + "-" + twice("a-", 15))
    // But it is another where it doesn't come back.
    let alone = (64..<80).map { report(Double($0) + 0.25, device: "/dev/b") }
    #expect(used(both(0..<5) + alone) == twice("a-", 5) + twice("-", 10) + twice("b", 6))
    // A better one has to be so for ten seconds that were heard.
    #expect(used(both(0..<5, ephs: (10, 4)) + both(64..<70, ephs: (10, 4))) == twice("a-", 11))
    #expect(
      used(both(0..<5, ephs: (10, 4)) + both(64..<84, ephs: (10, 4)))
        == twice("a-", 15) + "ab" + twice("-b", 9))
  }

  @Test func `is another that is always silent between its fixes`() {
    // Some seconds awake in each half minute, of which the first one told last in the first.
    let bursts = (1..<4).flatMap { burst in
      (0..<3).map { report(Double(burst * 30 + $0), device: "/dev/b") }
    }
    #expect(used(both(0..<3) + bursts) == twice("a-", 3) + twice("-", 3) + twice("b", 6))
    let better = (0..<4).flatMap { burst in
      both(burst * 30..<burst * 30 + 3, ephs: (10, 4))
    }
    #expect(used(better) == twice("a-", 6) + "ab" + twice("-b", 5))
  }

  @Test func `isn't given up for reports without a fix around a time in which nobody was heard`() {
    let lost = [2.25, 64.25, 65.25].map { noFix($0, device: "/dev/b") }
    let other = report(65.5, device: "/dev/c")
    #expect(used([report(0)] + lost + [other, report(66)]) == "a----a")
    let found = report(64.25, device: "/dev/b")
    #expect(used([report(0), lost[0], found, lost[2], other, report(66)]) == "a----a")
  }

  @Test func `isn't waited for when it is gone`() throws {
    var filter = FixFilter(parameters: PositioningParameters(), last: nil)
    func isUsed(_ second: Double, _ device: String) -> Bool {
      (try? filter.take(report(second, device: device), satellitesUsed: nil).get()) != nil
    }
    #expect(isUsed(0, "/dev/a") && !isUsed(0.5, "/dev/b"))
    // A list without anybody says nothing of a receiver that gpsd hasn't opened yet.
    for list in [["/dev/b", "/dev/a"], []] {
      filter.note(receivers: list)
      #expect(!isUsed(1, "/dev/b"))
    }
    filter.note(receivers: ["/dev/b"])
    #expect(isUsed(1, "/dev/b") && !isUsed(2, "/dev/a"))
  }

  @Test func `is the same after a restart`() throws {
    var filter = FixFilter(parameters: PositioningParameters(), last: nil)
    let last = try filter.take(report(0, device: "/dev/b"), satellitesUsed: nil).get()
    #expect(used(both(1..<10), after: last) == twice("-b", 9))
  }

  @Test func `is any where receivers have no names`() {
    let fixes = both(0..<10).map { report in change(report) { $0.device = nil } }
    #expect(used(fixes) == twice("?", 20))
  }

  @Test func `is told from a limited number of others`() {
    let others = (0..<1000).map { report(0.5, device: "/dev/\($0)") }
    #expect(used([report(0)] + others + [report(1)]) == "a" + twice("-", 1000) + "a")
  }

  @Test func `one that gpsd lists no more isn't waited for`() {
    for devices in [["/dev/a", "/dev/b"], ["/dev/b"]] {
      var pipeline = LocationPipeline(parameters: PositioningParameters())
      var fixes = 0
      func take(_ report: TPV) -> Location? {
        _ = pipeline.process(.tpv(report))
        return pipeline.process(.epochComplete(of: report.device))?.location
      }
      for second in 1...5 where take(report(Double(second))) != nil { fixes += 1 }
      _ = pipeline.process(.devices(devices))
      let other = take(report(6, device: "/dev/b"))
      #expect(fixes == 5 && (other != nil) == (devices == ["/dev/b"]))
    }
  }
}
