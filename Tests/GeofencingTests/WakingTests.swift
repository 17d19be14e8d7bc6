import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// A receiver of something at rest that is silent for a while, as when it is released to save power.
@Suite struct `After a silence at rest` {
  /// An engine with one circle of 50 m around the centre, satisfied.
  private func engine() throws -> ConditionEngine {
    var engine = ConditionEngine()
    _ = engine.add(
      try Condition(shape: .circle(CircularGeographicCondition(center: centre, radius: 50))),
      as: home, assuming: .satisfied, at: at(0))
    return engine
  }

  private static let silences = [30.0, 60, 183, 400]

  /// In a reflection speeds are worse too.
  @Test(arguments: silences, [2.0, 5, 20])
  func `a reflection with noisy speeds is none of it`(silence: Double, length: Double) throws {
    for seed: UInt64 in 1...10 {
      var engine = try engine()
      var receiver = WanderingReceiver(seed: seed)
      var random = SplitMix64(seed: seed)
      _ = engine.judge(seconds(0, 600).map { receiver.report($0) })
      let back = 600 + silence
      let fixes = seconds(back, back + 120).map { second in
        let isReflected = second < back + length
        let velocity = (0.4 * random.normal(), 0.4 * random.normal())
        return isReflected
          ? receiver.report(second, east: 100, velocity: velocity) : receiver.report(second)
      }
      let (transitions, refused) = engine.judge(fixes)
      #expect(transitions == [])
      #expect(refused == seconds(back, back + length))
    }
  }

  /// As seen by who looks at a released receiver now and then.
  @Test func `a look goes on while fixes contradict what was believed`() throws {
    var engine = try engine()
    _ = engine.judge(seconds(0, 600).map { report($0, speed: 0.05, course: 90) })
    #expect(!engine.isConfirming)
    _ = engine.judge(seconds(783, 787).map { report($0, east: 100, speed: 0.4, course: 90) })
    #expect(engine.isConfirming)
    _ = engine.judge([report(787, speed: 0.05, course: 90)])
    #expect(!engine.isConfirming)
  }

  @Test(arguments: silences) func `who has walked away is told half a minute later`(
    silence: Double
  ) throws {
    var engine = try engine()
    _ = engine.judge(seconds(0, 600).map { report($0, speed: 0.05, course: 90) })
    let way = seconds(0, 60).map { second in
      report(
        600 + silence + second, east: 1.3 * (silence + second), speed: 1.3, course: 90)
    }
    let left = try #require(engine.judge(way).transitions.first)
    #expect(left.kind == .exited)
    #expect(left.date <= at(600 + silence + max(35, 40 - silence + 35)))
    let crossed = at(600 + 50 / 1.3)
    #expect(left.bounds.map { $0.contains(crossed) } ?? (silence < 50 / 1.3))
  }

  @Test(arguments: silences) func `who drives is told at once`(silence: Double) throws {
    var engine = try engine()
    _ = engine.judge(seconds(0, 600).map { report($0, speed: 0.05, course: 90) })
    let way = seconds(0, 20).map { second in
      report(600 + silence + second, east: 12 * (silence + second), speed: 12, course: 90)
    }
    let (transitions, refused) = engine.judge(way)
    #expect(refused == [])
    #expect(try #require(transitions.first).date <= at(600 + silence + 3))
  }

  /// What was wrong by a lot at first isn't known to be so by becoming better.
  @Test(arguments: [20.0, 60]) func `the first word after a cold start is no false one`(
    sigma: Double
  ) throws {
    var told = 0
    for seed: UInt64 in 1...40 {
      var random = SplitMix64(seed: seed)
      var engine = ConditionEngine()
      for (index, radius) in [50.0, 100, 200].enumerated() {
        for (name, distance) in [("inside", radius - 20), ("outside", radius + 20)] {
          _ = engine.add(
            try Condition(
              shape: .circle(
                CircularGeographicCondition(
                  center: centre.moved(by: distance, bearing: 90), radius: radius))),
            as: ConditionKey(monitor: home.monitor, identifier: "\(name)-\(index)"), at: at(0))
        }
      }
      var receiver = WanderingReceiver(seed: seed)
      let first = (sigma * random.normal(), sigma * random.normal())
      let time = random.uniform(20...90)
      let fixes = seconds(0, 600).map { second in
        let share = exp(-second / time)
        receiver.accuracy = 1.515 * hypot(4, sigma * share)
        return receiver.report(second, east: first.0 * share, north: first.1 * share)
      }
      for transition in engine.judge(fixes).transitions {
        told += 1
        let isInside = transition.key.identifier.hasPrefix("inside")
        #expect((transition.state == .satisfied) == isInside, "\(seed) \(transition)")
      }
    }
    #expect(told == 240)
  }
}
