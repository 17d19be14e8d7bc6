import TestSupport
import Testing

@testable import Geofencing

/// Which fixes are remembered, against a list from which the surplus is taken one by one.
struct ConsideredFixesTests {
  private enum Kind: Equatable {
    case judged(Timestamp)
    case rejected(String, Int)
  }

  @Test(arguments: 1...20)
  func `the last fixes are remembered in order, refused ones half of them at most`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let circle = try CircularGeographicCondition(center: centre, radius: 100)
    let condition = JudgedCondition(PreparedCondition(Condition(circle: circle)))
    var fixes = ConsideredFixes()
    var expected: [Kind] = []
    var refusalsToCome = 0
    for number in 0..<400 {
      if Int.random(in: 0..<12, using: &random) == 0 {
        refusalsToCome = Int.random(in: 1...20, using: &random)
      }
      let time = at(Double(number))
      if refusalsToCome > 0 {
        refusalsToCome -= 1
        let reason = Int.random(in: 0..<4, using: &random) == 0 ? "noFix" : "jump"
        fixes.remember(RejectedFix(timestamp: time, coordinate: nil, reason: reason))
        if case .rejected(reason, let count)? = expected.last,
          case .rejected(reason, _)? = expected.dropLast().last
        {
          expected[expected.endIndex - 1] = .rejected(reason, count + 1)
          continue
        }
        expected.append(.rejected(reason, 1))
      } else {
        let fix = Location(timestamp: time, coordinate: centre)
        fixes.remember(fix, PositionEstimate(coordinate: centre, sigma: 3))
        expected.append(.judged(time))
      }
      if expected.count > Explanation.evidenceLimit {
        let refusals = expected.indices.filter {
          if case .rejected = expected[$0] { true } else { false }
        }
        let areTooMany = refusals.count > Explanation.evidenceLimit / 2
        let surplus = areTooMany ? refusals[0] : 0
        // The last of a row says nothing of when the row began.
        if case .rejected(let reason, _) = expected[surplus],
          case .rejected(reason, 2...) = expected[surplus + 1]
        {
          expected.remove(at: surplus + 1)
        }
        expected.remove(at: surplus)
      }
      let remembered = fixes.evidence(about: condition, with: DecisionParameters.leaping).map {
        evidence -> Kind? in
        #expect((evidence.verdict == .inside) == (evidence.rejection == nil))
        if let reason = evidence.rejection { return .rejected(reason, evidence.count ?? 1) }
        return evidence.timestamp.map { .judged($0) }
      }
      #expect(remembered == expected)
    }
  }

  /// Nothing but its owner has said that it was inside.
  @Test func `bounds after a crash reach back to the oldest fix`() throws {
    var first = engine(try circle(), assuming: .satisfied)
    _ = first.take(String(repeating: "u", count: 60))
    var second = ConditionEngine(parameters: .leaping)
    second.restore(
      lastFix: first.lastFix,
      considered: ConsideredFixes(words: first.considered.words(isWhole: false)))
    let (condition, status) = try #require(first[home])
    second.restore(condition, as: home, status: status)
    for var engine in [first, second] {
      let told = engine.take("oooo", from: 300).first
      let exit = try #require(told)
      #expect(exit.bounds == at(0)...at(300))
    }
  }

  @Test func `the last fix is remembered with all that the receiver said`() {
    var fixes = ConsideredFixes()
    #expect(fixes.lastFix == nil)
    // From the first round of the places on to the second.
    for number in 0..<2 * Explanation.evidenceLimit + 3 {
      var fix = Location(
        timestamp: at(Double(number)), coordinate: centre, horizontalAccuracy: 3, speed: 1.5,
        mode: 2, isSimulated: number % 2 == 0, followsDiscontinuity: number % 3 == 0)
      fix.altitude = 500
      fix.ellipsoidalAltitude = 547
      fix.verticalAccuracy = 6
      fix.speedAccuracy = 0.2
      fix.courseAccuracy = 4
      fix.course = 271
      fix.satellitesUsed = 9
      fix.device = number % 5 == 0 ? nil : "/dev/serial/by-id/receiver-\(number / 4)"
      // Each number by itself: none is taken for another.
      if number % 7 == 0 { fix.altitude = nil }
      if number % 7 == 1 { fix.ellipsoidalAltitude = nil }
      if number % 7 == 2 { fix.horizontalAccuracy = nil }
      if number % 7 == 3 { fix.verticalAccuracy = nil }
      if number % 7 == 4 { fix.speed = nil }
      if number % 7 == 5 { (fix.speedAccuracy, fix.course) = (nil, nil) }
      if number % 7 == 6 { fix.satellitesUsed = nil }
      fixes.remember(fix, PositionEstimate(coordinate: centre, sigma: 3))
      #expect(fixes.lastFix == fix)
    }
  }
}
