import GeofenceCommands
import GeofenceDaemon
import Geofencing
import Positioning
import Testing

struct ReplayEndTests {
  /// What ends at the time of a fix isn't judged by it.
  @Test func `a condition that ends at the very time of a fix ends before it`() throws {
    let circle = try CircularGeographicCondition(
      center: Coordinate(validLatitude: 47, longitude: 8), radius: 100)
    var replay = Replay(
      watching: [
        ("home", try Condition(shape: .circle(circle), expires: Timestamp(seconds: 1_700_000_002)))
      ], configuration: Configuration())
    var told: [String] = []
    for second in 0...2 {
      var report = TPV()
      report.time = Timestamp(seconds: 1_700_000_000 + Int64(second))
      (report.mode, report.latitude, report.longitude, report.eph) = (3, 47, 8, 5)
      for event in replay.take(.tpv(report)) + replay.take(.epochComplete()) {
        told.append("\(event.transition.kind) \(event.transition.date == report.time)")
      }
    }
    told += replay.finish().map { "\($0.transition.kind)" }
    #expect(told == ["determined true", "unmonitored true"])
  }
}
