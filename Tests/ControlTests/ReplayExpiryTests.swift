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
    let shape = Condition.Shape.circle(
      try CircularGeographicCondition(
        center: Coordinate(validLatitude: 47, longitude: 8), radius: 100))
    let soon = Timestamp(nanoseconds: 1_700_000_300_000_000_000)
    let late = Timestamp(nanoseconds: 1_700_005_000_000_000_000)
    var replay = Replay(
      watching: [
        ("always", try Condition(shape: shape)),
        ("late", try Condition(shape: shape, expires: late)),
        ("soon", try Condition(shape: shape, expires: soon)),
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
}
