import Geofencing
import TestSupport
import Testing

/// Whatever the receiver does, what is told of a condition is a legal path through the states.
@Suite struct `A random walk` {
  @Test(arguments: UInt64(0)..<24) func `is told as a path through the states`(seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed &* 7919 &+ 1)
    var engine = ConditionEngine(parameters: .leaping)
    var paths: [ConditionKey: Path] = [:]
    let keys = (0..<6).map { ConditionKey(monitor: monitor, identifier: "c\($0)") }
    var second = 0.0
    var fixes: [Location] = []
    func add(_ key: ConditionKey) throws -> [Transition] {
      let state = [ConditionState.unknown, .satisfied, .unsatisfied].randomElement(using: &random)
      let condition = try circle(
        .random(in: 20...120, using: &random),
        enterAfter: [nil, .zero, .seconds(20)].randomElement(using: &random) ?? nil,
        confidence: [nil, 0.5, 0.9].randomElement(using: &random) ?? nil)
      let addition = engine.add(condition, as: key, assuming: state ?? .unknown, at: at(second))
      var end: [Transition] = []
      if case .replaced(let transition?) = addition { end = [transition] }
      return end
    }
    func check(_ transitions: [Transition]) throws {
      for transition in transitions {
        try #require(paths[transition.key]).take(transition)
        if transition.kind != .unmonitored, transition.kind != .undetermined {
          #expect(transition.location == fixes.last)
          #expect(transition.date == fixes.last?.timestamp)
        }
      }
    }
    for _ in 0..<1500 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<2:
        let key = keys.randomElement(using: &random) ?? home
        try check(add(key))
        paths[key] = Path(state: engine[key]?.status.state ?? .unmonitored)
      case 2:
        let key = keys.randomElement(using: &random) ?? home
        try check(engine.remove(key, because: .removed, at: at(second)).map { [$0] } ?? [])
        paths[key] = nil
      case 3..<6:
        try check(engine.advance(to: at(second + .random(in: 0...2000, using: &random))))
      default:
        let isJump = Int.random(in: 0..<50, using: &random) == 0
        let step: Double = [1.0, 1, 1, 2, 15, 70, 700].randomElement(using: &random) ?? 1
        second += isJump ? Double.random(in: -3000...100, using: &random) : step
        let previous = fixes.last.map { centre.distance(to: $0.coordinate) } ?? 0
        let metres =
          Bool.random(using: &random)
          ? abs(previous + .random(in: -30...30, using: &random))
          : .random(in: -200...200, using: &random)
        let accuracy = [nil, 2.0, 5, 40, 300].randomElement(using: &random) ?? nil
        let next = fix(second, min(metres, 250), accuracy: accuracy, afterJump: isJump)
        fixes.append(next)
        try check(engine.process(next))
      }
      for (key, path) in paths { #expect(engine[key]?.status.state == path.state) }
    }
    #expect(fixes.count > 1000)
  }

  /// What has been told of one condition.
  final class Path {
    private(set) var state: ConditionState
    private var known: ConditionState?
    private var visit: Visit?

    init(state: ConditionState) {
      self.state = state
      if state != .unknown { known = state }
    }

    func take(_ transition: Transition) throws {
      #expect(transition.previousState == state)
      if let bounds = transition.bounds { #expect(bounds.lowerBound <= bounds.upperBound) }
      switch transition.kind {
      case .determined:
        #expect(state == .unknown)
        #expect(known == nil || known == transition.state)
        #expect(transition.state == .satisfied || transition.state == .unsatisfied)
      case .entered:
        #expect(state != .satisfied && known == .unsatisfied && transition.state == .satisfied)
      case .exited:
        #expect(state != .unsatisfied && known == .satisfied && transition.state == .unsatisfied)
      case .undetermined:
        #expect(state == .satisfied || state == .unsatisfied)
        #expect(transition.state == .unknown)
      case .crossed:
        #expect(state == .unsatisfied && transition.state == .unsatisfied)
        #expect(transition.bounds != nil && transition.visit == nil)
      case .unmonitored:
        #expect(transition.state == .unmonitored && transition.reason != nil)
      }
      if let visit, transition.state != .satisfied {
        #expect(transition.visit == visit)
        if let duration = transition.duration {
          #expect(duration >= .zero)
        } else {
          // The clock went back: the last fix that counted was before the visit began.
          #expect(transition.date < visit.began + .seconds(600))
        }
        self.visit = nil
      } else {
        #expect(transition.duration == nil)
      }
      if transition.state == .satisfied {
        #expect(visit == nil)
        #expect(transition.visit != nil)
        visit = transition.visit
        known = .satisfied
      } else if transition.state == .unsatisfied {
        known = .unsatisfied
      }
      state = transition.state
    }
  }
}
