import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// A receiver that is switched off between looks, and then finds itself only by and by, however sure it says it is.
@Suite struct `A receiver that finds itself` {
  /// What it says at rest: so many metres off in a direction.
  private func report(
    _ second: Double, off metres: Double, by angle: Double, accuracy: Double
  ) -> Location {
    GeofencingTests.report(
      second, east: metres * cos(angle), north: metres * sin(angle), speed: 0.06,
      course: (77 * second).truncatingRemainder(dividingBy: 360), accuracy: accuracy)
  }

  /// What it says in a look: it begins far off, and creeps to where it is.
  private func look(
    at start: Double, lasting length: Double, off metres: Double, by angle: Double,
    within time: Double, accuracy: Double
  ) -> [Location] {
    seconds(start, start + length).map { second in
      report(
        second, off: metres * exp(-(second - start) / time), by: angle, accuracy: accuracy)
    }
  }

  private func parked(accuracy: Double) -> [Location] {
    seconds(0, 600).map { report($0, off: 0, by: 0, accuracy: accuracy) }
  }

  @Test(
    arguments: [
      // Behind the first look it seems to be at the line still, and begins far off again.
      (looks: 2, metres: 70, time: 12, accuracy: 9),
      // The positions go elsewhere than the speeds, again and again.
      (looks: 8, metres: 120, time: 18, accuracy: 3),
      (looks: 8, metres: 150, time: 12, accuracy: 5),
      // It is left before it has found itself, and wakes on another side.
      (looks: 8, metres: 90, time: 24, accuracy: 3),
      // It takes longer than a reflection lasts.
      (looks: 1, metres: 250, time: 20, accuracy: 5),
    ] as [(looks: Int, metres: Double, time: Double, accuracy: Double)])
  func `is where it was all along, and told to leave once it does`(
    way: (looks: Int, metres: Double, time: Double, accuracy: Double)
  ) throws {
    var engine = try ConditionEngine.insideHome(radius: 40)
    _ = engine.judge(parked(accuracy: way.accuracy))
    for number in 0..<way.looks {
      let fixes = look(
        at: 780 + 210 * Double(number), lasting: 35, off: way.metres, by: 1.9 * Double(number),
        within: way.time, accuracy: way.accuracy)
      #expect(engine.judge(fixes).transitions == [], "\(number)")
    }
    let left = 780 + 210 * Double(way.looks)
    let away = seconds(left + 30, left + 90).map {
      report($0, off: 400, by: 1, accuracy: way.accuracy)
    }
    let told = engine.judge(away).transitions
    #expect(told.map(\.kind) == [.exited])
    #expect(told.first?.bounds?.contains(at(left)) == true)
  }

  @Test func `takes back by a look that can't tell what one seemed to say`() throws {
    var engine = try ConditionEngine.insideHome(radius: 60, west: 50)
    let fixes =
      parked(accuracy: 9)
      + look(at: 780, lasting: 31, off: 70, by: 0, within: 12, accuracy: 9)
      + look(at: 960, lasting: 4, off: 2, by: 0, within: 12, accuracy: 9)
      + look(at: 1140, lasting: 1, off: 65, by: 0.5, within: 12, accuracy: 9)
    #expect(engine.judge(fixes).transitions == [])
  }
}
