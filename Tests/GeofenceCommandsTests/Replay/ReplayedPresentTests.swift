import GeofenceDaemon
import Geofencing
import JSONCoding
import Positioning
import TestSupport
import Testing

@testable import GeofenceCommands

/// What a replay says of where a recording ends.
struct ReplayedPresentTests {
  private func circle(_ radius: Double = 100) throws -> Condition {
    try Shapes.circle(latitude: 47, longitude: 8, radius: radius)
  }

  /// A replay of fixes in the middle of circles, and of a report without one.
  private func replay(of conditions: [(identifier: String, condition: Condition)]) -> Replay {
    var replay = Replay(watching: conditions, configuration: Configuration())
    for second in 0..<3 {
      var report = TPV()
      report.time = at(Double(second))
      (report.mode, report.latitude, report.longitude, report.eph) = (second < 2 ? 3 : 1, 47, 8, 5)
      _ = replay.take(.tpv(report)) + replay.take(.epochComplete())
    }
    _ = replay.finish()
    return replay
  }

  @Test func `a condition says why nothing happens to it, and what was left out last`() throws {
    let present = try #require(replay(of: [("home", try circle())]).present.first)
    #expect(
      present.text.hasPrefix(
        """
        At the end default/home is satisfied (circle of 100 m)

          What came since the last usable fix was left out, see below.
          Nothing happens because the last fix agrees with the state: 100 m inside
        """), "\(present.text)")
    #expect(present.text.hasSuffix(": the receiver had no position (noFix, ±3.1 m)\n\n"))
    let json = try CanonicalJSON.text(present)
    #expect(json.hasPrefix(#"{"identifier":"home","lastFixAge":1,"monitor":"default","present":{"#))
    #expect(json.hasSuffix(#","state":"satisfied"}"#))
  }

  @Test func `where it is cut in a silence, what had been forgotten by then is unknown`() throws {
    var replay = replay(of: [("home", try circle())])
    let events = replay.finish(at: at(1) + .seconds(1_800))
    #expect(events.map(\.transition.kind) == [.undetermined])
    let present = try #require(replay.present.first)
    #expect(present.state == .unknown && present.lastFixAge == 1_800)
  }

  @Test func `of many conditions those are told that are nearest`() throws {
    // One around the other: the receiver is deepest in the last ones.
    let conditions = try (0..<25).map { number in
      (identifier: "c\(number)", condition: try circle(1_000 + Double(number)))
    }
    let told = replay(of: conditions).present.map(\.identifier)
    #expect(told == conditions.dropFirst(5).map(\.identifier))
  }

  @Test func `without any fix no daemon is blamed`() throws {
    var replay = Replay(watching: [("home", try circle())], configuration: Configuration())
    _ = replay.finish()
    let text = try #require(replay.present.first).text
    #expect(text.contains("\n  Nothing happens because no usable fix has come.\n"))
  }
}
