import TestSupport
import Testing

@testable import Geofencing

/// What explanations say beside the numbers of a confirmation.
@Suite struct ExplainedConfirmationTests {
  /// It stands with a fix in 40 s, and is seen next where no speed has led; from there on it drives.
  @Test func `who was waited for as it might be a reflection is told so`() throws {
    var engine = engine(try circle())
    for step in 0..<20 { _ = engine.process(report(Double(step) * 40, course: 0)) }
    var pending: [Explanation] = []
    for step in 0..<30 {
      let way = step < 8 ? 2 * step : 5 * step - 24
      let told = engine.process(
        report(
          800 + Double(step), east: 300 + Double(way), speed: step < 8 ? 2 : 5, course: 90))
      guard let change = told.first else {
        pending.append(try #require(engine.explanation(of: home)))
        continue
      }
      let explanation = try #require(engine.explanation(of: home, after: change))
      #expect(change.kind == .exited && explanation.isUnproven == true)
      // Longer than is asked for, and as long as it took.
      #expect(explanation.secondsNeeded == explanation.seconds)
      #expect(explanation.secondsNeeded > DecisionParameters().exitTime.inSeconds)
      #expect(pending.last?.isUnproven == true && pending.last?.secondsNeeded == 30)
      return
    }
    Issue.record("it was never believed")
  }

  @Test(arguments: [true, false])
  func `who was seen outside longer ago than fixes are kept wasn't only taken to be`(
    isSeen: Bool
  ) throws {
    var engine = engine(try circle(enterAfter: .seconds(30)), assuming: .unsatisfied)
    if isSeen { _ = engine.take("o") }
    let told = engine.take(String(repeating: "i", count: 40), from: 1)
    let explanation = try #require(told.last.flatMap { engine.explanation(of: home, after: $0) })
    #expect(told.map(\.kind) == [.entered])
    #expect(!explanation.evidence.contains { $0.verdict == .outside })
    #expect(explanation.wasSeen == (isSeen ? true : nil))
  }

  @Test func `who is confirmed as usual isn't`() throws {
    var engine = engine(try circle())
    let told = engine.take("iiiooooo")
    let exit = try #require(told.last)
    #expect(exit.kind == .exited)
    #expect(try #require(engine.explanation(of: home, after: exit)).isUnproven == nil)
  }

  @Test func `without the altitude that a band asks for only outside has a probability`() throws {
    var engine = engine(try circle(altitude: AltitudeBand(minimum: 500, maximum: 600)))
    for (second, metres) in [(0.0, 0.0), (1, 150)] { _ = engine.process(fix(second, metres)) }
    let evidence = try #require(engine.explanation(of: home)).evidence
    #expect(evidence.map(\.verdict) == [.undecided, .outside])
    #expect(evidence[0].probability == nil)
    #expect(try #require(evidence[1].probability) < 1e-9)
  }
}
