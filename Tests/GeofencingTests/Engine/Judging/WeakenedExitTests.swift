import TestSupport
import Testing

@testable import Geofencing

/// Fixes that can't tell, but lie well inside while an exit is being confirmed.
struct WeakenedExitTests {
  /// What fixes lead to, one each second: `i`nside, `o`utside, `w`ell inside or w`v`ell outside of what can be told.
  private func events(_ letters: String, assuming state: ConditionState) throws -> [String] {
    var engine = engine(try circle(), assuming: state)
    let metres: [Character: Double] = ["i": 50, "w": 97, "u": 100, "v": 103, "o": 150]
    return zip(0..., letters).flatMap { second, letter in
      engine.process(fix(Double(second), metres[letter] ?? .nan))
    }.map(\.short)
  }

  @Test(arguments: [
    ("ioowoo", ["exited unsatisfied 5"]), ("ioowo", []), ("ioowwooo", []),
    ("ioowwoooo", ["exited unsatisfied 8"]),
    ("iowowowowowowowo", []), ("iouuuuoo", ["exited unsatisfied 7"]),
    ("iovvvvoo", ["exited unsatisfied 7"]),
  ])
  func `each takes back what one outside said`(letters: String, events: [String]) throws {
    #expect(try self.events(letters, assuming: .satisfied) == events)
  }

  /// Fixes at the edge pass by what isn't a circle, but not while it is being left.
  @Test func `each takes back as much where the edge was looked at before`() throws {
    for condition in [try circle(), try square()] {
      var engine = engine(condition, assuming: .satisfied)
      let metres = [50.0] + Array(repeating: [97.0, 150], count: 8).joined()
      let told = zip(0..., metres).flatMap { engine.process(fix(Double($0), $1)) }
      #expect(told == [])
    }
  }

  @Test func `an entry goes on, as it may be a way through`() throws {
    #expect(try events("oivvi", assuming: .unsatisfied) == ["entered satisfied 4"])
  }

  @Test func `how far an exit is confirmed is told with it`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    func fixes(_ second: Double, _ metres: Double) -> Int? {
      _ = engine.process(fix(second, metres))
      return engine.nearest(1) { _ in true }.conditions.first?.confirmation?.fixes
    }
    #expect(fixes(0, 150) == 1 && fixes(1, 150) == 2)
    #expect(fixes(2, 97) == 1)
    #expect(fixes(3, 97) == nil)
  }

  /// A telephone in a building: now and then a fix is far off and calls itself good.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `single fixes far off make no exit of who stays, however many there are`(seed: UInt64) throws
  {
    var engine = engine(try circle(80), assuming: .satisfied, parameters: DecisionParameters())
    var random = SplitMix64(seed: seed)
    let fixes = (0..<1200).map { number in
      let isOff = number % 11 == 10
      let (east, north) = (random.normal(), random.normal())
      return report(
        30 * Double(number), east: isOff ? 140 : 18 * east, north: isOff ? 0 : 18 * north,
        speed: nil, accuracy: isOff ? 12 : 45)
    }
    #expect(engine.judge(fixes).transitions == [])
  }
}
