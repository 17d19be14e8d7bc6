import TestSupport
import Testing

@testable import Geofencing

/// Receivers with a fix in ten seconds or more, of what stops in between.
@Suite struct StopsBetweenFixesTests {
  /// A van that has stood, is seen once on its way, and stands elsewhere with the next fix.
  @Test(arguments: [10.0, 12, 15]) func `where it stops is believed, though no direction is told`(
    interval: Double
  ) throws {
    let way = 12 * interval
    var fixes = (0..<15).map { report(Double($0) * interval, east: -300, speed: 0.1) }
    fixes.append(report(15 * interval, east: way * 0.6 - 300, speed: 12))
    fixes += (16..<20).map { report(Double($0) * interval, east: way * 1.1 - 300, speed: 0.1) }
    var engine = ConditionEngine()
    #expect(engine.judge(fixes).refused == [])
  }

  /// Half a minute is the time in which there may have been a trip between two stops.
  @Test(arguments: [30.0, 29.99, 29.5])
  func `a trip between two stops may come some milliseconds early`(
    interval: Double
  ) throws {
    var fixes = (0..<6).map { report(Double($0) * 30, speed: 0.1, course: 10) }
    fixes += (0..<4).map {
      report(150 + Double($0 + 1) * interval, east: 120, speed: 0.1, course: 10)
    }
    var engine = ConditionEngine()
    #expect(engine.judge(fixes).refused == [])
  }

  /// A jam: it stands at every fix, twice each time, and moves on in between.
  @Test(arguments: [8.0, 10, 15]) func `hops from stop to stop are believed`(
    interval: Double
  ) throws {
    var fixes = (0..<5).map {
      report(Double($0) * interval, east: (Double($0) - 4.5) * 9 * interval, speed: 9)
    }
    fixes += (5..<25).map {
      report(Double($0) * interval, east: Double(($0 - 4) / 2) * 30, speed: 0.1)
    }
    var engine = ConditionEngine()
    #expect(engine.judge(fixes).refused == [])
  }

  @Test func `a reflection while it waits is no hop to where it lies`() throws {
    var fixes = (0..<5).map { report(Double($0) * 10, east: Double($0 - 5) * 90, speed: 9) }
    fixes += (5..<12).map { report(Double($0) * 10, speed: 0.1) }
    fixes += (12..<14).map { report(Double($0) * 10, east: 45, speed: 0.1) }
    fixes += (14..<20).map { report(Double($0) * 10, speed: 0.1) }
    let beside = try CircularGeographicCondition(
      center: centre.moved(by: 45, bearing: 90), radius: 15)
    var engine = engine(try Condition(shape: .circle(beside)))
    let (transitions, refused) = engine.judge(fixes)
    #expect(refused == [])
    #expect(transitions.map(\.state) == [.unsatisfied])
  }

  @Test func `what has stood for long doesn't hop`() throws {
    var fixes = (0..<20).map { report(Double($0) * 10, speed: 0.1) }
    fixes.append(report(200, east: 45, speed: 0.1))
    var engine = ConditionEngine()
    #expect(engine.judge(fixes).refused == [200])
  }
}
