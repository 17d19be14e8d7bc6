import Geofencing
import TestSupport
import Testing

/// Why the engine decided, or doesn't.
@Suite struct ExplanationTests {
  /// The only transition, with its explanation.
  private func explained(
    _ transitions: [Transition], by engine: ConditionEngine
  ) throws -> Explanation {
    try #require(transitions.count == 1)
    return try #require(engine.explanation(of: home, after: transitions[0]))
  }

  private func verdicts(_ explanation: Explanation?) -> [String] {
    (explanation?.evidence ?? []).map { $0.verdict?.rawValue ?? $0.rejection ?? "-" }
  }

  func refused(_ second: Double?, _ reason: String = "noFix") -> RejectedFix {
    RejectedFix(timestamp: second.map(at), coordinate: nil, reason: reason)
  }

  // MARK: Decisions

  @Test func `an exit is explained by the fixes and how far they confirmed it`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    let explanation = try explained(engine.take("iioooo"), by: engine)
    #expect(explanation.outcome == .decided)
    #expect(explanation.date == at(5))
    #expect(explanation.state == .unsatisfied && explanation.previousState == .satisfied)
    #expect(explanation.candidate == .unsatisfied)
    #expect(explanation.fixes == 4 && explanation.fixesNeeded == 3)
    #expect(explanation.seconds == 3 && explanation.secondsNeeded == 3)
    #expect(explanation.confidence == 0.98)
    #expect(explanation.hasOwnConfidence == false && explanation.hasOwnTime == false)
    #expect(explanation.unknownAfterSeconds == 600)
    #expect(!explanation.isAccuracyLimited)
    #expect(
      verdicts(explanation)
        == ["inside", "inside", "outside", "outside", "outside", "outside"])
    let last = try #require(explanation.evidence.last)
    #expect(last.timestamp == at(5))
    #expect(last.horizontalAccuracy == 3)
    #expect(abs(try #require(last.distance) - 50) < 0.01)
    #expect(try #require(last.sigma) >= 3)
    #expect(try #require(last.probability) < 0.001)
    #expect(last.rejection == nil && last.count == nil)
  }

  @Test func `an exit whose fixes come some milliseconds early is no early one`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    let told = [0, 1.5, 2.96].flatMap { engine.process(fix($0, 150)) }
    #expect(told.map(\.kind) == [.exited])
    let explanation = try explained(told, by: engine)
    #expect(!explanation.isEarly && explanation.seconds == 2.96)
  }

  @Test(arguments: [nil, 0.9])
  func `the deciding fix has the numbers of the event itself`(confidence: Double?) throws {
    var engine = engine(try circle(confidence: confidence), assuming: .satisfied)
    let transitions = engine.take("iioooo")
    let last = try #require(try explained(transitions, by: engine).evidence.last)
    // To the last bit: the two are told side by side.
    #expect(last.distance == transitions[0].distance)
    #expect(last.probability == transitions[0].probability)
  }

  @Test func `an entry is explained by its own numbers`() throws {
    var engine = engine(
      try circle(enterAfter: .seconds(2), confidence: 0.9), assuming: .unsatisfied)
    let explanation = try explained(engine.take("oiii"), by: engine)
    #expect(explanation.candidate == .satisfied)
    #expect(explanation.fixes == 3 && explanation.fixesNeeded == 2)
    #expect(explanation.seconds == 2 && explanation.secondsNeeded == 2)
    #expect(explanation.confidence == 0.9)
    #expect(explanation.hasOwnConfidence == true && explanation.hasOwnTime == true)
  }

  @Test func `what is beyond doubt shows how much less than usual was enough`() throws {
    let outside = GeofencingTests.engine(
      try circle(5000), assuming: .unsatisfied, parameters: .init())
    var engine = outside
    let drive = [report(0, east: 0, speed: 20, course: 270)]
    let explanation = try explained(engine.judge(drive).transitions, by: engine)
    #expect(explanation.outcome == .decided && explanation.isEarly)
    #expect(explanation.fixes == 1 && explanation.fixesNeeded == 2)
    #expect(explanation.seconds == 0 && explanation.secondsNeeded == 1)

    var parked = outside
    let stay = seconds(0, 3).map { report($0, east: 0, speed: 0, course: 270) }
    #expect(!(try explained(parked.judge(stay).transitions, by: parked).isEarly))
  }

  @Test func `what needed no confirmation doesn't show an earlier one's numbers`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    // Two fixes outside begin an exit that a fix inside ends; then ten minutes pass.
    #expect(engine.take("iooi").isEmpty)
    let lost = try explained(engine.advance(to: at(700)), by: engine)
    #expect(lost.state == .unknown && lost.previousState == .satisfied)
    #expect(lost.candidate == nil && lost.fixesNeeded == 0 && lost.secondsNeeded == 0)
    let found = try explained(engine.process(fix(701, 50)).suffix(1), by: engine)
    #expect(found.state == .satisfied && found.previousState == .unknown)
    #expect(found.candidate == nil && found.fixesNeeded == 0)
  }

  @Test func `forgetting isn't explained by the fix that came after it`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    _ = engine.take("i")
    engine.note(refused(300))
    let transitions = engine.process(fix(1000, 50))
    #expect(transitions.map(\.kind) == [.undetermined, .determined])
    let lost = try #require(engine.explanation(of: home, after: transitions[0]))
    #expect(lost.state == .unknown && lost.date == at(600))
    #expect(verdicts(lost) == ["inside", "noFix"])
    let found = try #require(engine.explanation(of: home, after: transitions[1]))
    #expect(found.state == .satisfied)
    #expect(verdicts(found) == ["inside", "noFix", "inside"])
  }

  @Test func `a row of refusals that goes on after the state was forgotten explains it`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    _ = engine.take("i")
    for second in 1...900 { engine.note(refused(Double(second))) }
    engine.note(refused(901, "inaccurate"))
    let transitions = engine.process(fix(902, 50))
    #expect(transitions.map(\.kind) == [.undetermined, .determined])
    let lost = try #require(engine.explanation(of: home, after: transitions[0]))
    #expect(lost.date == at(600))
    // What began only then has no part in it.
    #expect(verdicts(lost) == ["inside", "noFix", "noFix"])
    #expect(lost.evidence.map(\.count) == [nil, nil, 899])
  }

  // MARK: The present

  @Test func `a position too close to the edge is why nothing happens`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    #expect(engine.take("ouu").isEmpty)
    let explanation = try #require(engine.explanation(of: home))
    #expect(explanation.outcome == .undecided)
    #expect(explanation.state == .unsatisfied && explanation.previousState == .unsatisfied)
    #expect(explanation.date == at(2))
    #expect(explanation.candidate == nil)
    #expect(verdicts(explanation) == ["outside", "undecided", "undecided"])
    #expect(abs(try #require(explanation.evidence.last?.distance)) < 0.01)
  }

  @Test func `a change under way is shown as far as it has come, also when a fix can't tell`()
    throws
  {
    var engine = engine(try circle(), assuming: .satisfied)
    _ = engine.take("iioo")
    var explanation = try #require(engine.explanation(of: home))
    #expect(explanation.outcome == .confirming && explanation.candidate == .unsatisfied)
    #expect(explanation.fixes == 2 && explanation.fixesNeeded == 3)
    #expect(explanation.seconds == 1 && explanation.secondsNeeded == 3)
    _ = engine.take("u", from: 4)
    explanation = try #require(engine.explanation(of: home))
    #expect(explanation.outcome == .undecided && explanation.candidate == .unsatisfied)
    #expect(explanation.fixes == 2)
    _ = engine.take("i", from: 5)
    explanation = try #require(engine.explanation(of: home))
    #expect(explanation.outcome == .agrees && explanation.candidate == nil)
  }

  @Test func `without a fix for the condition nothing agrees`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    #expect(engine.explanation(of: home)?.outcome == .noFix)
    engine.note(refused(0))
    #expect(engine.explanation(of: home)?.outcome == .noFix)
    _ = engine.take("i", from: 1)
    #expect(engine.explanation(of: home)?.outcome == .agrees)
    // Added after the last fix, and assumed to be outside: the fix wasn't judged for it.
    let other = ConditionKey(monitor: monitor, identifier: "other")
    _ = engine.add(try circle(), as: other, assuming: .unsatisfied, at: at(2))
    #expect(engine.explanation(of: other)?.outcome == .noFix)
    _ = engine.advance(to: at(1000))
    #expect(engine.explanation(of: home)?.outcome == .noFix)
    #expect(engine.explanation(of: ConditionKey(monitor: monitor, identifier: "none")) == nil)
  }

  @Test func `fixes from before a condition was added judged nothing of it`() throws {
    var engine = engine(try circle())
    _ = engine.take("iii", from: 0)
    engine.note(refused(3))
    let late = ConditionKey(monitor: monitor, identifier: "late")
    _ = engine.add(try circle(), as: late, at: at(4), fixTime: at(4))
    #expect(engine.explanation(of: home)?.evidence.count == 4)
    // What is refused explains why nothing is known, whatever time it says.
    #expect(verdicts(engine.explanation(of: late)) == ["noFix"])
    let found = try #require(engine.take("i", from: 4).first)
    #expect(found.key == late)
    #expect(verdicts(engine.explanation(of: late, after: found)) == ["noFix", "inside"])
  }

  @Test(arguments: [ConditionState.satisfied, .unsatisfied, .unknown])
  func `a fix that lies elsewhere than its speeds say is why nothing happens`(
    state: ConditionState
  ) throws {
    var engine = ConditionEngine(parameters: .leaping)
    // Who has stood still for half an hour isn't moved far by a single fix.
    for second in 0..<1800 { _ = engine.process(report(Double(second), east: 112)) }
    _ = engine.add(try circle(), as: home, assuming: state, at: at(1800))
    #expect(engine.process(report(1801, east: 98)) == [])
    let explanation = try #require(engine.explanation(of: home))
    #expect(verdicts(explanation).last == "outside")
    #expect(explanation.outcome == .contrary)
    #expect(explanation.state == state)
    // It wasn't judged for what was added after it.
    let late = ConditionKey(monitor: monitor, identifier: "late")
    _ = engine.add(try circle(), as: late, assuming: state, at: at(1802), fixTime: at(1802))
    #expect(engine.explanation(of: late)?.outcome == .noFix)
  }

  @Test func `a state isn't told by what may be a reflection behind a silence, and why not`() throws
  {
    var engine = ConditionEngine()
    for second in 0..<600 { _ = engine.process(report(Double(second), east: 100)) }
    _ = engine.add(try circle(), as: home, assuming: .unknown, at: at(600), fixTime: at(600))
    #expect(engine.process(report(600, east: 100)) == [])
    #expect(engine.explanation(of: home)?.outcome == .undecided)
    #expect(engine.process(report(660, east: 1_000)) == [])
    let explanation = try #require(engine.explanation(of: home))
    #expect(explanation.outcome == .unproven)
    #expect(verdicts(explanation).last == "outside")
  }

  @Test(arguments: [ConditionState.satisfied, .unsatisfied])
  func `of what stands still it is told how sure it would have to be`(state: ConditionState) throws
  {
    var engine = ConditionEngine(parameters: .leaping)
    for second in 0..<1800 { _ = engine.process(report(Double(second))) }
    // Circles whose edges are nearer and nearer, with the receiver on the side that isn't their state's.
    let side = state == .satisfied ? 1.0 : -1
    let keys = (0..<200).map { ConditionKey(monitor: monitor, identifier: "\($0)") }
    for (number, key) in keys.enumerated() {
      let place = centre.moved(by: 100 + side * Double(number) / 10, bearing: 270)
      _ = engine.add(try circle(around: place), as: key, assuming: state, at: at(1800))
    }
    var decided: [Explanation?] = []
    for second in 1800..<1810 {
      let changes = engine.process(report(Double(second)))
      decided += changes.map { engine.explanation(of: $0.key, after: $0) }
    }
    #expect(!decided.isEmpty)
    #expect(decided.allSatisfy { $0?.confidence == 0.98 })
    #expect(decided.allSatisfy { abs(($0?.confidenceAtRest ?? 0) - 0.995) < 1e-9 })
    let explanations = keys.compactMap { engine.explanation(of: $0) }
    let standing = explanations.filter { $0.outcome == .standing }
    #expect(!standing.isEmpty)
    for explanation in standing {
      #expect(explanation.confidence == 0.98 && explanation.rounded.confidenceAtRest == 0.995)
      var small = explanation
      (small.confidence, small.confidenceAtRest) = (0.987_654_321, 0.998_765_432)
      #expect(small.rounded.confidence == 0.987_654)
      #expect(small.rounded.confidenceAtRest == 0.998_765)
      (small.seconds, small.secondsNeeded) = (1.0 / 3, 2.0 / 3)
      #expect(small.rounded.seconds == 0.333 && small.rounded.secondsNeeded == 0.667)
      let inside = try #require(explanation.evidence.last?.probability)
      #expect((0.98..<0.995).contains(state == .satisfied ? 1 - inside : inside))
    }
    // What agrees, or can't be told, isn't asked for more.
    #expect(
      explanations.filter { $0.outcome != .standing }.allSatisfy { $0.confidenceAtRest == nil })
  }

  @Test func `while what stands is being confirmed elsewhere, it is told how sure that has to be`()
    throws
  {
    var engine = ConditionEngine(parameters: .leaping)
    for second in 0..<1800 { _ = engine.process(report(Double(second), east: 150)) }
    _ = engine.add(try circle(), as: home, assuming: .satisfied, at: at(1800))
    #expect(engine.process(report(1800, east: 150)) == [])
    let explanation = try #require(engine.explanation(of: home))
    #expect(explanation.outcome == .confirming && explanation.rounded.confidenceAtRest == 0.995)
  }

  @Test func `what goes on from where standing spoke against it isn't told so any more`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    for second in 0..<1800 { _ = engine.process(report(Double(second), east: 107)) }
    _ = engine.add(try circle(), as: home, assuming: .satisfied, at: at(1800))
    #expect(engine.process(report(1800, east: 107)) == [])
    #expect(engine.explanation(of: home)?.outcome == .standing)
    for step in 1...10 {
      let east = 107 - Double(step) * 5
      let fix = report(1800 + Double(step), east: east, speed: 5, course: 270)
      #expect(engine.process(fix) == [])
    }
    #expect(engine.explanation(of: home)?.outcome == .agrees)
  }
}
