import GeofenceCommands
import GeofenceDaemon
import Geofencing
import Positioning
import Testing

struct ReplayExpiryTests {
  private func report(_ second: Int64) -> SourceEvent {
    var report = TPV()
    report.time = Timestamp(seconds: 1_700_000_000 + second)
    (report.mode, report.latitude, report.longitude, report.eph) = (3, 47, 8, 5)
    return .tpv(report)
  }

  private func circle(expires: Timestamp? = nil) throws -> Condition {
    let center = try Coordinate(validLatitude: 47, longitude: 8)
    return try Condition(
      shape: .circle(CircularGeographicCondition(center: center, radius: 100)), expires: expires)
  }

  /// As the daemon has it, which looks after the time every few seconds.
  @Test func `what is forgotten in a silence comes before the end of a condition in it`() throws {
    let soon = Timestamp(nanoseconds: 1_700_000_300_000_000_000)
    let late = Timestamp(nanoseconds: 1_700_005_000_000_000_000)
    var replay = Replay(
      watching: [
        ("always", try circle()), ("late", try circle(expires: late)),
        ("soon", try circle(expires: soon)),
      ], configuration: Configuration())
    var events = [0, 1, 6000].flatMap { replay.take(report($0)) }
    events += replay.finish()
    #expect(
      events.map(brief) == [
        "always determined", "late determined", "soon determined", "soon unmonitored",
        "always undetermined", "late undetermined", "late unmonitored", "always determined",
      ])
    let dates = events.map(\.transition.date)
    #expect(dates == dates.sorted())
  }

  /// As the daemon has it, whose clock goes on; also where the receiver has another name then, and another time.
  @Test(arguments: [("a", 0), ("b", 7_000_000)] as [(String, Int64)])
  func `what is forgotten and what ends is told where a recording ends without fixes`(
    device: String, offset: Int64
  ) throws {
    let soon = Timestamp(nanoseconds: 1_700_000_300_000_000_000)
    var replay = Replay(
      watching: [("always", try circle()), ("soon", try circle(expires: soon))],
      configuration: Configuration())
    func take(_ seconds: some Sequence<Int64>, mode: Int = 1) -> [String] {
      seconds.flatMap { second -> [Event] in
        guard case .tpv(var tpv) = report(second) else { return [] }
        (tpv.device, tpv.mode) = (mode == 3 ? "a" : device, mode)
        return replay.take(.tpv(tpv)) + replay.take(.epochComplete(of: tpv.device))
      }.map(brief)
    }
    func minutes(_ range: ClosedRange<Int64>) -> [Int64] { range.map { offset + 1 + $0 * 60 } }
    let fixes = take([0, 1], mode: 3)
    #expect(fixes == ["always determined", "soon determined"])
    // A date that is wrong doesn't say how late it is.
    let wrong = (0...9).map { offset + 80_000 + $0 }
    let quiet = take(minutes(0...2) + wrong + minutes(3...4))
    #expect(quiet == [])
    let ended = take(minutes(5...8))
    #expect(ended == ["soon unmonitored"])
    let forgotten = take(minutes(9...12)) + replay.finish().map(brief)
    #expect(forgotten == ["always undetermined"])
  }

  /// Another receiver has no fix and reports rarely; or two of one name have clocks that aren't the same.
  @Test func `reports of others let time pass no faster`() throws {
    let end = Timestamp(seconds: 1_700_000_120)
    func told(_ reports: [(second: Int64, device: String?, mode: Int)]) throws -> [String] {
      var replay = Replay(
        watching: [("soon", try circle(expires: end))], configuration: Configuration())
      return reports.flatMap { second, device, mode -> [Event] in
        guard case .tpv(var tpv) = report(second) else { return [] }
        (tpv.device, tpv.mode) = (device, mode)
        return replay.take(.tpv(tpv)) + replay.take(.epochComplete(of: device))
      }.map(brief)
    }
    let rare = (0...100).flatMap { second -> [(Int64, String?, Int)] in
      [(second, "a", 3)] + (second % 60 == 30 ? [(second, "b", 1)] : [])
    }
    let others = try told(rare)
    #expect(others == ["soon determined"])
    let turns = (1...40).flatMap { second -> [(Int64, String?, Int)] in
      [(second, nil, second < 10 ? 3 : 1), (second - 5, nil, 1)]
    }
    let mixed = try told(turns)
    #expect(mixed == ["soon determined"])
  }

  private func brief(_ event: Event) -> String {
    "\(event.transition.key.identifier) \(event.transition.kind)"
  }

  /// What ends at the time of a fix isn't judged by it.
  @Test func `a condition that ends at the very time of a fix ends before it`() throws {
    var replay = Replay(
      watching: [("home", try circle(expires: Timestamp(seconds: 1_700_000_002)))],
      configuration: Configuration())
    var told: [String] = []
    for second in Int64(0)...2 {
      let time = Timestamp(seconds: 1_700_000_000 + second)
      for event in replay.take(report(second)) + replay.take(.epochComplete()) {
        told.append("\(event.transition.kind) \(event.transition.date == time)")
      }
    }
    told += replay.finish().map { "\($0.transition.kind)" }
    #expect(told == ["determined true", "unmonitored true"])
  }
}
