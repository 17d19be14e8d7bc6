import TestSupport
import Testing

@testable import Geofencing

/// A receiver that holds its position while it takes itself to be at rest: it repeats it with a speed of 0 until it is
/// some metres off.
struct HoldingReceiverTests {
  /// Circles to the north by their distances and radii.
  private static let circles = [(0.0, 100.0), (500, 80), (900, 150), (1500, 100)]

  private func engine() throws -> ConditionEngine {
    var engine = ConditionEngine()
    for (metres, radius) in Self.circles {
      let center = centre.moved(by: metres, bearing: 0)
      _ = engine.add(
        try Condition(
          shape: .circle(CircularGeographicCondition(center: center, radius: radius))),
        as: ConditionKey(monitor: monitor, identifier: "at-\(Int(metres))"),
        assuming: metres == 0 ? .satisfied : .unsatisfied, at: at(0))
    }
    return engine
  }

  /// Somebody who stands for two minutes and walks to the north then, to the last circle.
  private func walk(speed: Double, held step: Double) -> [Location] {
    var held = 0.0
    return seconds(0, 2400).map { second in
      let north = min(max(0, second - 120) * speed, 1500)
      if north - held >= step || north == 1500 { held = north }
      return report(second, north: held, accuracy: 6)
    }
  }

  @Test(arguments: [(1.0, 25.0), (1, 20), (1.3, 30), (1, 40), (0.8, 16)])
  func `who walks with it is told of`(speed: Double, step: Double) throws {
    var engine = try engine()
    let transitions = engine.judge(walk(speed: speed, held: step)).transitions
    #expect(
      transitions.map { "\($0.kind) \($0.key.identifier)" } == [
        "exited at-0", "entered at-500", "exited at-500", "entered at-900", "exited at-900",
        "entered at-1500",
      ])
    // Longer jumps are reflections until they have lasted.
    let edges = [100.0, 420, 580, 750, 1050, 1400]
    for (transition, edge) in zip(transitions, edges) {
      let late = (transition.date - at(120 + edge / speed)).inSeconds
      #expect(late <= step / speed + 35, "\(transition.key.identifier): \(late)")
    }
  }

  @Test func `who is parked with it stays through reflections that come and go`() throws {
    var engine = try engine()
    var random = SplitMix64(seed: 9)
    var (east, north, fixes) = (0.0, 0.0, [Location]())
    for second in 0..<7200 {
      // Held for half a minute, it is anywhere within some metres, and in one of twenty times farther off.
      if second.isMultiple(of: 30) {
        let share = second % 600 == 300 ? 120.0 : 8
        (east, north) = (share * random.normal() / 2, share * random.normal() / 2)
      }
      fixes.append(report(Double(second), east: east, north: north, accuracy: 6))
    }
    #expect(engine.judge(fixes).transitions == [])
  }
}
