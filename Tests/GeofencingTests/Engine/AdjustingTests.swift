import TestSupport
import Testing

@testable import Geofencing

/// That all that is known of a condition outlives a change of what is asked of it.
@Suite struct AdjustingTests {
  @Test(arguments: Array(1...6), [(false, false), (true, false), (false, true)])
  func `a condition that is given another end, or put back, is judged as if it hadn't been`(
    seed: UInt64, kind: (isSparse: Bool, isShaped: Bool)
  ) throws {
    var world = try ExhaustiveTests.World(
      seed: seed, isSparse: kind.isSparse, isBare: seed % 2 == 0, isShaped: kind.isShaped)
    var left = ConditionEngine(parameters: .leaping)
    var adjusted = ConditionEngine(parameters: .leaping)
    adjusted.isExhaustive = seed > 4
    left.isExhaustive = seed > 4
    func key(_ number: Int) -> ConditionKey {
      ConditionKey(monitor: monitor, identifier: "c\(number)")
    }
    let ends = [nil, Timestamp(seconds: 4_000_000_000), Timestamp(seconds: 5_000_000_000)]
    var (events, adjustments) = (0, 0)
    for round in 0..<600 {
      if round == 0 || world.one(in: 30) {
        for number in 0..<(round == 0 ? 40 : 2) {
          let number = round == 0 ? number : Int.random(in: 0..<50, using: &world.random)
          let condition = try world.condition()
          let state: ConditionState = world.one(in: 2) ? .unsatisfied : .unknown
          // By the clock of the fixes, which may be ahead of the last one.
          let since = at(world.now + (world.one(in: 3) ? 0.5 : 0))
          for engine in [0, 1] {
            _ =
              if engine == 0 {
                left.add(condition, as: key(number), assuming: state, at: since, fixTime: since)
              } else {
                adjusted.add(condition, as: key(number), assuming: state, at: since, fixTime: since)
              }
          }
        }
      }
      for _ in 0..<3 {
        let one = key(Int.random(in: 0..<50, using: &world.random))
        guard let old = left[one]?.condition else { continue }
        adjustments += 1
        adjusted.adjust(
          try Condition(
            shape: old.shape, altitude: old.altitude, enterAfter: old.enterAfter,
            exitAfter: old.exitAfter, confidence: old.confidence,
            expires: ends[Int.random(in: 0..<3, using: &world.random)]), as: one)
        let other = key(Int.random(in: 0..<50, using: &world.random))
        guard let kept = adjusted.kept(other) else { continue }
        if world.one(in: 2) {
          _ = adjusted.remove(other, because: .removed, at: at(world.now))
        } else {
          _ = adjusted.add(try world.condition(), as: other, at: at(world.now))
        }
        adjusted.putBack(kept, as: other)
      }
      let fix = world.fix()
      let told = adjusted.process(fix)
      events += told.count
      try #require(rounded(told) == rounded(left.process(fix)), "round \(round)")
      if world.one(in: 60) {
        let later = at(world.now + 700)
        try #require(adjusted.advance(to: later) == left.advance(to: later), "round \(round)")
      }
      guard round % 10 == 0 else { continue }
      for key in left.keys {
        let known = try #require(adjusted[key]).status
        try #require(known == left[key]?.status, "\(key.identifier) in round \(round)")
      }
      let ends = adjusted.keys.compactMap { adjusted[$0]?.condition.expires }
      try #require(adjusted.nextExpiry == ends.min(), "round \(round)")
    }
    #expect(events > 20)
    #expect(adjustments > 500)
  }

  /// Of a million that are removed at once each is kept until that is stored.
  @Test func `what is kept of a condition is small`() {
    #expect(MemoryLayout<KeptCondition>.stride <= 40)
  }

  /// A circle that ends isn't judged as the plain ones are, which differs in the last digits.
  private func rounded(_ transitions: [Transition]) -> [Transition] {
    transitions.map { transition in
      var transition = transition
      transition.probability = transition.probability.map { ($0 * 1e5).rounded() / 1e5 }
      return transition
    }
  }

  @Test func `an exit that is being confirmed is asked for what counts now`() throws {
    var engine = engine(try circle(exitAfter: .seconds(100)), assuming: .satisfied)
    #expect(engine.take("ooooo").isEmpty)
    engine.adjust(try circle(exitAfter: .seconds(5)), as: home)
    #expect(engine.explanation(of: home)?.secondsNeeded == 5)
    #expect(engine.take("o", from: 5).map(\.kind) == [.exited])
  }

  @Test func `with more confidence the last sure position is the one before`() throws {
    // 9 m outside, by positions with a sigma of 3 m: enough for 98 %, and not for 99.99 %.
    var engine = engine(try circle())
    _ = engine.process(fix(0, 109))
    engine.adjust(try circle(confidence: 0.9999), as: home)
    // The way from there to the other side leads through.
    #expect(engine.process(fix(4, -130)).map(\.kind) == [.crossed])
  }
}
