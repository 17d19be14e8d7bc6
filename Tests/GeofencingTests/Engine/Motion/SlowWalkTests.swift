import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// Somebody who walks slowly, with a receiver that tells little of where to.
@Suite struct `Who walks slowly` {
  /// How far from a fix it is taken to be at most, of those that aren't refused, and how many are.
  private func mostAside(_ fixes: [Location]) -> (metres: Double, refused: Int) {
    var filter = MotionFilter()
    var (metres, refused) = (0.0, 0)
    for fix in fixes {
      guard let estimate = filter.estimate(fix) else {
        refused += 1
        continue
      }
      metres = max(metres, estimate.coordinate.distance(to: fix.coordinate))
    }
    return (metres, refused)
  }

  @Test(arguments: [(20.0, 0.3, 8, 0.9), (25, 0.3, 8, 0.8), (18, 0.4, 12, 0.95)])
  func `away from where it stood, with rare fixes, is followed`(
    interval: Double, noise: Double, standing: Int, speed: Double
  ) throws {
    var engine = try ConditionEngine.insideHome()
    let start = Double(standing) * interval
    let fixes = seconds(0, start + 600, every: interval).map { second in
      second < start
        ? report(
          second, speed: noise,
          course: (second / interval * 137).truncatingRemainder(dividingBy: 360),
          accuracy: 3)
        : report(
          second, north: (second - start + interval) * speed, speed: speed, course: 0, accuracy: 3)
    }
    let (transitions, refused) = engine.judge(fixes)
    #expect(refused.count <= 3)
    let left = try #require(transitions.first)
    #expect(left.kind == .exited && left.date <= at(start + 160))
  }

  /// After a turn it walks on so slowly that it counts as still now and then.
  @Test func `and turns round while it hardly moves is followed, though no course tells it`() {
    var east = 0.0
    let fixes = seconds(0, 600).map { second in
      let isSlow = second > 100 && second.truncatingRemainder(dividingBy: 14) > 8
      let speed = isSlow ? 0.1 : second > 100 ? 0.6 : 0.9
      east += second < 120 ? speed : -speed
      return report(second, east: east, speed: speed)
    }
    let (metres, refused) = mostAside(fixes)
    #expect(metres < 20 && refused == 0, "\(metres) m, \(refused)")
  }

  @Test func `is followed where the speeds are too low all along, and no course corrects them`() {
    let fixes = seconds(0, 1500).map { report($0, east: $0 * 1.15, speed: 0.8, accuracy: 10) }
    let (metres, refused) = mostAside(fixes)
    #expect(metres < 45 && refused == 0, "\(metres) m, \(refused)")
  }

  /// Of fixes that are refused it isn't known whether the speeds lead beside where it is.
  @Test func `isn't who stands among reflections for a minute`() {
    var filter = MotionFilter()
    for second in seconds(0, 100) { _ = filter.estimate(report(second, speed: 0.1)) }
    for second in seconds(100, 170) {
      let aside = second.remainder(dividingBy: 2) == 0 ? 200.0 : -200
      #expect(filter.estimate(report(second, east: aside, speed: 1.2)) == nil)
    }
    for aside in stride(from: 5.0, through: 100, by: 5) {
      var filter = filter
      guard filter.estimate(report(170, north: aside, speed: 1.2)) != nil else { continue }
      #expect(filter.isUnderWay, "\(aside) m")
    }
  }

  /// The speeds of a reflection are its own for as long as it is refused, but where fixes are rare.
  @Test(arguments: [(1.0, true), (5, true), (10, true), (20, false)])
  func `isn't who stands among reflections, unless fixes are rare`(interval: Double, isStill: Bool)
  {
    var filter = MotionFilter()
    for second in seconds(0, 300, every: interval) {
      _ = filter.estimate(report(second, speed: 0.1))
    }
    var isAlwaysStill = true
    for (number, second) in seconds(300, 420, every: interval).enumerated() {
      let aside = number.isMultiple(of: 2) ? 300.0 : -300
      #expect(filter.estimate(report(second, east: aside, speed: 0.8)) == nil)
      if !filter.speedometer.isStill { isAlwaysStill = false }
    }
    #expect(isAlwaysStill == isStill)
  }
}
