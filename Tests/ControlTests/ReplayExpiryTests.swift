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
      events.map { "\($0.transition.key.identifier) \($0.transition.kind)" } == [
        "always determined", "late determined", "soon determined", "soon unmonitored",
        "always undetermined", "late undetermined", "late unmonitored", "always determined",
      ])
    let dates = events.map(\.transition.date)
    #expect(dates == dates.sorted())
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
