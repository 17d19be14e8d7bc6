import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// Going on after a restart with what was learned of the motion.
struct LearnedMotionTests {
  private let key = ConditionKey(monitor: MonitorKey(user: 1000, name: "m"), identifier: "c")

  /// A fix with a speed, east of the centre; its error wanders.
  private func fix(_ second: Int, at metres: Double, speed: Double) -> Location {
    let wander = 6 * sin(Double(second) / 40)
    var fix = report(Double(second), east: metres, north: wander, speed: speed, course: 90)
    fix.horizontalAccuracy = 8
    fix.altitude = 520
    return fix
  }

  /// The way to and through a circle, which stops before it.
  private func journey() -> [Location] {
    (0..<300).map { second in
      let driven = min(second, 60) + max(0, second - 200)
      return fix(
        second, at: -1_500 + 12 * Double(driven), speed: (60..<200).contains(second) ? 0 : 12)
    }
  }

  @Test(arguments: [150, 199, 215])
  func `an engine that goes on decides as one that never stopped`(second: Int) throws {
    let condition = try circle()
    var engine = ConditionEngine()
    _ = engine.add(condition, as: key, assuming: .unsatisfied, at: at(0))
    let fixes = journey()
    for fix in fixes[...second] { #expect(engine.process(fix).isEmpty) }
    let words = try #require(engine.learnedMotion).words
    let status = try #require(engine[key]).status
    func restored(_ motion: LearnedMotion?) -> ConditionEngine {
      var engine = ConditionEngine()
      engine.restore(lastFix: fixes[second], motion: motion)
      engine.restore(condition, as: key, status: status)
      return engine
    }
    let learned: LearnedMotion = try #require(LearnedMotion(words: words))
    var goingOn = restored(learned)
    var forgetful = restored(nil)
    #expect(goingOn.learnedMotion?.words == words)
    #expect(goingOn.lastEstimate == engine.lastEstimate)
    var (expected, told, others): ([Transition], [Transition], [Transition]) = ([], [], [])
    for fix in fixes[(second + 1)...] {
      expected += engine.process(fix)
      told += goingOn.process(fix)
      others += forgetful.process(fix)
    }
    #expect(expected.map(\.kind) == [.entered, .exited])
    #expect(told == expected)
    #expect(goingOn.learnedMotion?.words == engine.learnedMotion?.words)
    // Without it, the same is decided with other numbers.
    #expect(others.map(\.kind) == expected.map(\.kind) && others != expected)
  }

  @Test func `what makes no sense is as good as nothing`() throws {
    var engine = ConditionEngine()
    for fix in journey()[..<100] { _ = engine.process(fix) }
    let words = try #require(engine.learnedMotion).words
    #expect(LearnedMotion(words: []) == nil)
    #expect(LearnedMotion(words: words.dropLast()) == nil)
    #expect(LearnedMotion(words: words + [0]) == nil)
    // The forms of versions before had other fields.
    for form: UInt64 in 1...2 {
      #expect(LearnedMotion(words: [form] + words.dropFirst()) == nil)
    }
    // Nor is a place that isn't on Earth one.
    let north = try #require(
      words.firstIndex(of: journey()[99].coordinate.latitude.bitPattern))
    var elsewhere = words
    elsewhere[north] = (95.0).bitPattern
    #expect(LearnedMotion(words: elsewhere) == nil)
    // Nor is a position that may be anywhere in the universe.
    var filter = MotionFilter()
    for fix in journey()[..<100] { _ = filter.estimate(fix) }
    filter.state?.positionVariance = 1e20
    #expect(!filter.isSound)
    var random = SplitMix64(seed: 3)
    var read = 0
    for _ in 0..<3_000 {
      var damaged = words
      let place = Int.random(in: 0..<words.count, using: &random)
      damaged[place] = Bool.random(using: &random) ? .random(in: .min ... .max, using: &random) : 0
      guard let motion = LearnedMotion(words: damaged) else { continue }
      read += 1
      var engine = ConditionEngine()
      engine.restore(lastFix: journey()[99], motion: motion)
      for fix in journey()[100..<104] { _ = engine.process(fix) }
    }
    #expect(read > 100)
  }

  @Test func `a receiver's name is cut where it is longer than any`() throws {
    var fix = journey()[0]
    fix.device = String(repeating: "x", count: 1_001)
    let stored = try #require(Location(words: fix.words))
    #expect(stored.device?.utf8.count == 1_000)
    #expect(stored.coordinate == fix.coordinate)
  }
}
