import TestSupport
import Testing

@testable import Geofencing

/// What rests on a single fix isn't held against all that come after it.
struct FewFixesTests {
  /// Straight to the east at 15 m/s for two minutes, one fix a second, some of which lie aside or are missing.
  private func drive(without gap: Range<Int> = 0..<0, aside: [Int: Double]) -> [Location] {
    (0..<120).filter { !gap.contains($0) }.map { second in
      report(
        Double(second), east: 15 * Double(second) - 1500, north: aside[second] ?? 0, speed: 15,
        course: 90)
    }
  }

  @Test(arguments: [20.0, 40, 80, 200])
  func `the first one of all, or behind a gap, that lies aside is given up at once`(
    metres: Double
  ) throws {
    var engine = engine(try circle(), parameters: DecisionParameters())
    let (_, refused) = engine.judge(drive(aside: [0: metres]))
    #expect(refused.count <= 4, "\(refused)")
    engine = GeofencingTests.engine(try circle(), parameters: DecisionParameters())
    let events = engine.judge(drive(without: 45..<90, aside: [90: metres]))
    #expect(events.refused.count <= 4, "\(events.refused)")
    #expect(
      events.transitions.contains { [.entered, .crossed].contains($0.kind) },
      "\(events.transitions.map(\.short))")
  }

  @Test func `what many have borne out stays for as long as ever`() throws {
    var engine = engine(try circle(), parameters: DecisionParameters())
    let aside = Dictionary(uniqueKeysWithValues: (60..<80).map { ($0, 60.0) })
    #expect(engine.judge(drive(aside: aside)).refused.count == 20)
  }

  /// The first fixes are right, and a reflection follows before anything bears them out.
  @Test(arguments: [1, 3], [5, 12, 25])
  func `a reflection right behind the beginning makes no event of who is parked`(
    good: Int, reflected: Int
  ) throws {
    var engine = ConditionEngine()
    for (name, west) in [("inside", 35.0), ("outside", 65)] {
      let center = centre.moved(by: west, bearing: 270)
      _ = engine.add(
        try circle(50, around: center),
        as: ConditionKey(monitor: monitor, identifier: name),
        assuming: name == "inside" ? .satisfied : .unsatisfied, at: at(0))
    }
    let fixes = (0..<200).map { second in
      report(Double(second), east: good..<(good + reflected) ~= second ? 60 : 0, accuracy: 6)
    }
    #expect(engine.judge(fixes).transitions.filter { $0.kind != .determined } == [])
  }

  /// Along the edge, where two fixes share an error; those that are half a minute apart don't.
  @Test(arguments: [5.0, 10, 20], [8.0, 9])
  func `two fixes just outside are no exit of who drives on inside`(step: Double, error: Double)
    throws
  {
    let area = try polygon([[(-2_000, -3_000), (0, -3_000), (0, 3_000), (-2_000, 3_000)]])
    var engine = engine(area, assuming: .satisfied, parameters: DecisionParameters())
    let easts = [-30, -30, -30, -30, -20, -10, error, error, -10, -20, -30, -30, -30]
    let fixes = zip(0..., easts).map { number, east in
      report(
        Double(number) * step, east: east, north: 10 * step * Double(number) - 1_000, speed: 10,
        course: 0, accuracy: 3)
    }
    let (transitions, refused) = engine.judge(fixes)
    #expect(transitions == [] && refused == [])
  }

  @Test func `who has stood for long isn't out beyond doubt by one fix that seems to move`() throws
  {
    var engine = try ConditionEngine.insideHome(west: 35)
    for second in stride(from: 0.0, to: 300, by: 10) { _ = engine.process(report(second)) }
    let stray = report(300, east: 36, speed: 2.4, course: 80)
    #expect(engine.process(stray) == [])
    #expect(stride(from: 310.0, to: 400, by: 10).flatMap { engine.process(report($0)) } == [])
  }
}
