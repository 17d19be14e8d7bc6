import TestSupport
import Testing

@testable import Geofencing

/// That a circle of which little is known is gone on with as any condition is, only faster.
struct RestoringTests {
  /// How far the world has come, and what is kept of it.
  private struct Kept {
    let key: ConditionKey
    let condition: Condition
    let status: ConditionStatus

    var circle: CircularGeographicCondition? {
      guard case .circle(let circle) = condition.shape, condition == Condition(circle: circle),
        status.visit == nil
      else { return nil }
      return circle
    }

    var plain: PlainStatus { status.plain }
  }

  /// What is kept of an engine, in order.
  private func kept(of engine: ConditionEngine) throws -> [Kept] {
    try engine.keys.sorted().map { key in
      let (condition, status) = try #require(engine[key])
      return Kept(
        key: key, condition: condition,
        status: ConditionStatus(status.plain, visit: status.visit))
    }
  }

  /// An engine that goes on with what was kept.
  private func restored(
    _ kept: [Kept], lastFix: Location?, isExhaustive: Bool = false, isFast: Bool = false
  ) -> ConditionEngine {
    var engine = ConditionEngine(parameters: .leaping)
    engine.isExhaustive = isExhaustive
    engine.restore(lastFix: lastFix)
    for one in kept {
      if isFast, let circle = one.circle {
        engine.restore(circle, as: one.key, status: one.plain)
      } else {
        engine.restore(one.condition, as: one.key, status: one.status)
      }
    }
    return engine
  }

  /// The same where each remembers the last fix, if that was outside, whatever its state is.
  private func restoredRemembering(_ kept: [Kept], lastFix: Location?) -> ConditionEngine {
    var engine = restored(kept, lastFix: lastFix, isExhaustive: true)
    guard let lastFix, let estimate = engine.lastEstimate else { return engine }
    for place in engine.awake.indices {
      let judgement = Judgement(
        of: estimate, against: engine.prepared(engine.gates[place].slot), with: engine.parameters)
      engine.awake[place].lastOutside =
        judgement.verdict == .outside
        ? TimedEstimate(time: lastFix.timestamp, estimate: estimate) : nil
    }
    return engine
  }

  private func expectSame(_ a: ConditionEngine, _ b: ConditionEngine) throws {
    try #require(a.keys.sorted() == b.keys.sorted())
    for key in a.keys {
      let (known, other) = (try #require(a[key]), try #require(b[key]))
      try #require(known.condition == other.condition)
      try #require(known.status == other.status, "\(key.identifier)")
      try #require(a.explanation(of: key) == b.explanation(of: key), "\(key.identifier)")
    }
    #expect(a.counts(ofUser: nil) == b.counts(ofUser: nil))
    #expect(a.accuracyLimited(ofUser: nil) == b.accuracyLimited(ofUser: nil))
    #expect(a.doubts == b.doubts)
  }

  private func key(_ number: Int) -> ConditionKey {
    ConditionKey(
      monitor: MonitorKey(user: UInt32(number % 3), name: "m"), identifier: "c\(number)")
  }

  @Test(arguments: Array(1...9) + [65])
  func `what is gone on with fast says and knows the same`(seed: UInt64) throws {
    var world = try ExhaustiveTests.World(seed: seed)
    var engine = ConditionEngine(parameters: .leaping)
    for number in 0..<120 {
      let state: ConditionState =
        world.one(in: 3) ? .unsatisfied : world.one(in: 4) ? .satisfied : .unknown
      _ = engine.add(try world.condition(), as: key(number), assuming: state, at: at(world.now))
    }
    var resting = 0
    for round in 0..<8 {
      let kept = try kept(of: engine)
      var fast = restored(kept, lastFix: engine.lastFix, isFast: true)
      var slow = restored(kept, lastFix: engine.lastFix)
      var all = restoredRemembering(kept, lastFix: engine.lastFix)
      try expectSame(fast, slow)
      #expect(fast.awake.count == slow.awake.count)
      resting += fast.count - fast.awake.count
      if round % 4 == 3 {
        // Silence forgets what was known.
        let later = at(world.now + 700)
        let told = fast.advance(to: later)
        try #require(told == slow.advance(to: later))
        try #require(told == all.advance(to: later))
      }
      for step in 0..<25 {
        let fix = world.fix()
        let told = fast.process(fix)
        try #require(told == slow.process(fix), "fix \(step) of round \(round)")
        try #require(told == all.process(fix), "fix \(step) of round \(round)")
      }
      try expectSame(fast, slow)
      engine = fast
      if round % 4 == 1 { _ = engine.advance(to: at(world.now + 700)) }
    }
    #expect(resting > 300)
  }

  @Test func `what was forgotten in a silence rests`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    for number in 0..<50 {
      let circle = try CircularGeographicCondition(
        center: Coordinate(validLatitude: 48, longitude: 11 + Double(number)), radius: 100)
      _ = engine.add(Condition(circle: circle), as: key(number), at: at(0))
    }
    let far = Location(
      timestamp: at(1), coordinate: try Coordinate(validLatitude: -10, longitude: 0),
      horizontalAccuracy: 5)
    _ = engine.process(far)
    #expect(engine.advance(to: at(2000)).count == 50)
    let kept = try kept(of: engine)
    var next = restored(kept, lastFix: engine.lastFix, isFast: true)
    #expect(next.awake.isEmpty)
    try expectSame(next, restored(kept, lastFix: engine.lastFix))
    var fix = far
    fix.timestamp = at(2001)
    #expect(next.process(fix) == engine.process(fix))
  }

  @Test func `one that is watched already is replaced`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    let status = PlainStatus(
      state: .unsatisfied, knownState: .unsatisfied, watchedSince: nil, isAccuracyLimited: false,
      gapBegan: nil)
    for radius in [100.0, 200] {
      let circle = try CircularGeographicCondition(
        center: Coordinate(validLatitude: 48, longitude: 11), radius: radius)
      engine.restore(circle, as: key(1), status: status)
    }
    #expect(engine.count == 1)
    guard case .circle(let circle) = engine[key(1)]?.condition.shape else {
      throw TestFailure("it is gone")
    }
    #expect(circle.radius == 200)
  }

  @Test func `what is satisfied is believed for as long after fixes that are lost`() throws {
    var before = engine(try circle())
    _ = before.take("ii")
    let status = try #require(before[home]?.status)
    var engine = ConditionEngine(parameters: .leaping)
    engine.restore(lastFix: before.lastFix, lost: .seconds(60))
    engine.restore(try circle(), as: home, status: status)
    #expect(engine.advance(to: at(700)).map(\.short) == ["undetermined unknown 661"])
  }

  /// Other programs may know a stay by the name that it was given.
  @Test func `a stay keeps the name that it was stored with, and the next one has its own`() throws
  {
    var before = engine(try circle())
    let began = try #require(before.take("ooii").last?.visit?.began)
    let status = try #require(before[home]?.status)
    var engine = ConditionEngine(parameters: .leaping)
    engine.restore(lastFix: before.lastFix)
    engine.restore(
      try circle(), as: home,
      status: ConditionStatus(status.plain, visit: Visit(id: "another name", began: began)))
    let told = engine.take("ooooiiii", from: 4)
    #expect(told.map(\.kind) == [.exited, .entered])
    #expect(told.first?.visit == Visit(id: "another name", began: began))
    #expect(told.last?.visit?.id == "home@\(at(8).rfc3339)")
  }

  /// As where both are removed together, and that fails.
  @Test func `a stay has its own name, whatever that of one was whose place it takes`() throws {
    let other = ConditionKey(monitor: monitor, identifier: "other")
    let name = "other@\(at(1).rfc3339)"
    let plain = PlainStatus(
      state: .satisfied, knownState: .satisfied, watchedSince: at(0), isAccuracyLimited: false,
      gapBegan: nil)
    var engine = ConditionEngine(parameters: .leaping)
    engine.restore(lastFix: fix(2, 50))
    for (key, id) in [(home, "another name"), (other, name)] {
      engine.restore(
        try circle(), as: key,
        status: ConditionStatus(plain, visit: Visit(id: id, began: at(1))))
    }
    let kept = try #require(engine.kept(other))
    for key in [other, home] { _ = engine.remove(key, because: .removed, at: at(2)) }
    engine.putBack(kept, as: other)
    #expect(engine[other]?.status.visit?.id == name)
  }
}
