import Geofencing
import TestSupport
import Testing

/// What is kept to explain with.
extension ExplanationTests {
  @Test func `a row of refusals is kept as its first, its last and a number`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    _ = engine.take("oo")
    for second in 2..<600 { engine.note(refused(Double(second))) }
    engine.note(refused(600, "inaccurate"))
    engine.note(refused(601))
    let evidence = try #require(engine.explanation(of: home)).evidence
    #expect(
      evidence.map { $0.verdict?.rawValue ?? $0.rejection }
        == ["outside", "outside", "noFix", "noFix", "inaccurate", "noFix"])
    #expect(evidence.map(\.count) == [nil, nil, nil, 597, nil, nil])
    #expect(evidence[2].timestamp == at(2) && evidence[3].timestamp == at(599))
  }

  @Test func `refusals of many kinds never push out what was judged`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    _ = engine.take(String(repeating: "o", count: 100))
    #expect(engine.explanation(of: home)?.evidence.count == Explanation.evidenceLimit)
    for second in 100..<200 { engine.note(refused(Double(second), "reason\(second)")) }
    let evidence = try #require(engine.explanation(of: home)).evidence
    #expect(evidence.count == Explanation.evidenceLimit)
    #expect(evidence.filter { $0.verdict != nil }.count == Explanation.evidenceLimit / 2)
    #expect(evidence.last?.rejection == "reason199")
    #expect(evidence.first { $0.rejection != nil }?.rejection == "reason192")
    #expect(evidence.first?.timestamp == at(92))
  }

  @Test func `what was refused is kept as far as it was known`() throws {
    var engine = engine(try circle())
    engine.note(
      RejectedFix(
        timestamp: at(1), coordinate: centre, horizontalAccuracy: 7, speed: 2, reason: "why"))
    var expected = Explanation.Evidence(timestamp: at(1))
    expected.latitude = centre.latitude
    expected.longitude = centre.longitude
    expected.horizontalAccuracy = 7
    expected.speed = 2
    expected.rejection = "why"
    #expect(engine.explanation(of: home)?.evidence == [expected])
  }

  @Test func `refusals and questions change no decision`() throws {
    var (plain, asked) = (engine(try circle()), engine(try circle()))
    for second in 0..<200 {
      let next = fix(Double(second), Double((second * 37) % 200))
      asked.note(refused(Double(second)))
      _ = asked.explanation(of: home)
      #expect(plain.process(next) == asked.process(next))
    }
  }

  @Test func `numbers are rounded to what they mean`() throws {
    var explanation = try #require(engine(try circle()).explanation(of: home))
    explanation.date = at(1) + .nanoseconds(123_456)
    explanation.seconds = 1.000_049_9
    var evidence = Explanation.Evidence(timestamp: at(2) + .nanoseconds(999_999))
    evidence.latitude = 47.123_456_789
    evidence.longitude = -8.000_000_04
    evidence.horizontalAccuracy = 4.529_49
    evidence.speed = 1.234_56
    evidence.distance = -12.345_67
    evidence.sigma = 3.000_04
    evidence.probability = 0.999_999_9
    explanation.evidence = [evidence]
    let rounded = explanation.rounded
    #expect(rounded.date == at(1) && rounded.seconds == 1)
    let last = rounded.evidence[0]
    #expect(last.timestamp == at(2))
    #expect(last.latitude == 47.123_456_8 && last.longitude == -8)
    #expect(last.horizontalAccuracy == 4.529 && last.speed == 1.235)
    #expect(last.distance == -12.346 && last.sigma == 3 && last.probability == 1)
    #expect(rounded.rounded == rounded)
  }

  @Test func `a radius too small for the accuracy is said, and which would do`() throws {
    var engine = engine(try circle(20), assuming: .unsatisfied)
    _ = engine.process(fix(0, 0, accuracy: 20))
    let explanation = try #require(engine.explanation(of: home))
    #expect(explanation.isAccuracyLimited)
    let sigma = try #require(explanation.evidence.last?.sigma)
    // It leaves room for a position that lies a standard deviation beside the centre, as those do.
    let least = JudgeableRadius.least(sigma: sigma, confidence: explanation.confidence, from: 20)
    for (radius, isEnough) in [(least, true), (least - 5, false)] {
      let probability = Judgement.probabilityInside(
        radius: radius, distanceToCenter: sigma, sigma: sigma)
      #expect((probability >= explanation.confidence) == isEnough, "\(radius)")
    }
  }
}
