import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// Speeds that nothing can have come to since the last one.
@Suite struct `A speed that comes too suddenly` {
  /// A receiver at rest that is so many metres aside for some seconds, and tells what it seems to travel.
  private func parked(
    aside distance: Double, _ times: Range<Double>, speed: (Double) -> Double?
  ) -> [Location] {
    var receiver = WanderingReceiver(seed: 3)
    receiver.drift = 1
    var before: Coordinate?
    return seconds(0, 900).map { second in
      var fix = receiver.report(second, east: times.contains(second) ? distance : 0)
      let way = before.map { $0.distance(to: fix.coordinate) } ?? 0
      before = fix.coordinate
      fix.speed = speed(way)
      fix.course = nil
      return fix
    }
  }

  @Test(arguments: [60.0, 100, 300], [1.0, 3, 20])
  func `doesn't bear a reflection out`(distance: Double, length: Double) throws {
    var engine = try ConditionEngine.insideHome()
    let (transitions, refused) = engine.judge(
      parked(aside: distance, 500..<(500 + length)) { $0 })
    #expect(transitions == [])
    #expect(refused == seconds(500, 500 + length))
  }

  @Test(arguments: [[500.0], [501], [505, 506], [511], [512]])
  func `or is missing doesn't let a reflection through`(missing: [Double]) throws {
    var engine = try ConditionEngine.insideHome()
    var fixes = parked(aside: 120, 500..<512) { _ in 0 }
    for second in missing { fixes[Int(second)].speed = nil }
    let (transitions, refused) = engine.judge(fixes)
    #expect(transitions == [])
    #expect(refused == seconds(500, 512))
  }

  /// A program that writes 0, or another unit, in some points of a drive at 30 m/s.
  @Test(arguments: [2, 3, 4], [0.0, 8.3])
  func `or is told seldom isn't believed for long where it is wrong`(
    every: Int, speed: Double
  ) throws {
    var engine = ConditionEngine()
    let fixes = seconds(0, 300).map { second in
      let isTold = Int(second).isMultiple(of: every)
      return report(
        second, north: second * 30, speed: isTold ? speed : nil, course: isTold ? 0 : nil)
    }
    let (_, refused) = engine.judge(fixes)
    #expect(refused.count < 30)
    #expect(refused.allSatisfy { $0 < 60 })
  }

  @Test func `is believed as soon as it can be`() throws {
    var speedometer = Speedometer()
    let parameters = DecisionParameters()
    /// The length of the velocity that a fix with a speed and a course gives.
    func velocity(_ second: Double, _ speed: Double) throws -> Double {
      let fix = report(second, east: second * speed, speed: speed, course: 90)
      let reading = speedometer.take(fix, sigma: 4, isContradicted: false, with: parameters)
      return try #require(reading).velocity.length
    }
    for second in 0..<20 { _ = try velocity(Double(second), 5) }
    // 15 m/s² and 1 m/s more for what is rounded.
    #expect(abs(try velocity(20, 21) - 21) < 1e-9)
    for second in 21..<40 { _ = try velocity(Double(second), 5) }
    #expect(abs(try velocity(40, 40) - 5) < 1e-9)
    #expect(abs(try velocity(41, 40) - 5) < 1e-9)
    #expect(abs(try velocity(42, 40) - 40) < 1e-9)
  }

  @Test func `goes on after a restart as if there had been none`() throws {
    let fixes = parked(aside: 100, 500..<502) { $0 }
    var (engine, restarted) = (try ConditionEngine.insideHome(), try ConditionEngine.insideHome())
    for fix in fixes {
      #expect(engine.judge(fix) == restarted.judge(fix), "\(fix)")
      restarted = try restarted.restarted()
    }
  }

  @Test func `counts where somebody says that it may`() throws {
    var parameters = DecisionParameters()
    parameters.maximumAcceleration = 200
    var engine = try ConditionEngine.insideHome()
    engine.parameters = parameters
    let (transitions, _) = engine.judge(parked(aside: 100, 500..<520) { $0 })
    #expect(transitions.map(\.kind) == [.exited, .entered])
  }
}
