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

  /// How it finds itself in each look.
  private struct Way {
    var looks = 2
    var length = 31.0
    var metres: Double
    var time: Double

    /// By how much the direction differs from look to look, in radians.
    var turn = 1.9
    var accuracy = 3.1

    /// Whether it stands ten metres from the line, and not in the middle of the circle.
    var isAtLine = false
  }

  /// What it says in a look: it begins far off, and creeps to where it is.
  private func look(_ way: Way, at start: Double, by angle: Double) -> [Location] {
    seconds(start, start + way.length).map { second in
      report(
        second, off: way.metres * exp(-(second - start) / way.time), by: angle,
        accuracy: way.accuracy)
    }
  }

  private func parked(accuracy: Double) -> [Location] {
    seconds(0, 600).map { report($0, off: 0, by: 0, accuracy: accuracy) }
  }

  @Test(
    arguments: [
      // Behind the first look it seems to be at the line still, and begins far off again.
      Way(metres: 70, time: 12, turn: 0.2, accuracy: 9, isAtLine: true),
      // It can't be told any more what it seemed to be.
      Way(length: 12, metres: 60, time: 18, turn: 0.2, accuracy: 9),
      // The positions go elsewhere than the speeds, again and again.
      Way(looks: 8, metres: 120, time: 18), Way(looks: 8, metres: 150, time: 12),
      // It is left before it has found itself, and wakes on another side.
      Way(looks: 8, metres: 90, time: 24),
      // It takes longer than a reflection lasts.
      Way(looks: 1, metres: 250, time: 25, accuracy: 5),
      Way(looks: 1, length: 45, metres: 100, time: 25, accuracy: 6, isAtLine: true),
    ])
  private func `is where it was all along, and told to leave once it does`(way: Way) throws {
    var engine = try ConditionEngine.insideHome(
      radius: way.isAtLine ? 60 : 40, west: way.isAtLine ? 50 : 0)
    _ = engine.judge(parked(accuracy: way.accuracy))
    for number in 0..<way.looks {
      let fixes = look(way, at: 780 + 210 * Double(number), by: way.turn * Double(number))
      #expect(engine.judge(fixes).transitions == [], "\(number)")
    }
    let left = 780 + 210 * Double(way.looks)
    let away = seconds(left + 30, left + 90).map {
      report($0, off: 400, by: 1, accuracy: way.accuracy)
    }
    #expect(engine.judge(away).transitions.map(\.kind) == [.exited])
  }

  @Test func `stands elsewhere each time, and is told to have left`() throws {
    var engine = try ConditionEngine.insideHome(radius: 40)
    let stops = (0..<20).flatMap { number in
      seconds(720 + 120 * Double(number), 725 + 120 * Double(number)).map {
        report($0, off: 80, by: number.isMultiple(of: 2) ? 0 : .pi, accuracy: 3)
      }
    }
    let told = engine.judge(parked(accuracy: 3) + stops).transitions
    #expect(told.map(\.kind) == [.exited])
    #expect(try #require(told.first).date < at(1_000))
  }

  @Test func `stands elsewhere in a yard each time, and is told so in spite of a look at the line`()
    throws
  {
    var engine = engine(try circle(30), assuming: .unsatisfied, parameters: .init())
    let before = seconds(0, 600).map { report($0, off: 500, by: 0, accuracy: 3) }
    // Ten metres from the middle, two from the line, and ten again.
    let places: [(Double, Double)] = [(10, 3.1), (28, 0), (10, 2.9)]
    let looks = places.enumerated().flatMap { number, place in
      seconds(720 + 60 * Double(number), 725 + 60 * Double(number)).map {
        report($0, off: place.0, by: place.1, accuracy: 3)
      }
    }
    let told = engine.judge(before + looks).transitions
    #expect(told.map(\.kind) == [.entered])
    #expect(told.first?.date == at(840))
  }

  @Test(arguments: [1.4, 3]) func `comes back with a speed that is stuck at zero`(
    speed: Double
  ) throws {
    var engine = try ConditionEngine.insideHome()
    let way = seconds(900, 950 + 500 / speed).map {
      report($0, off: max(0, 500 - speed * max(0, $0 - 908)), by: 0, accuracy: 3)
    }
    let told = engine.judge(parked(accuracy: 3) + way).transitions
    #expect(told.map(\.kind) == [.exited, .entered])
  }

  @Test func `takes back by a look that can't tell what one seemed to say`() throws {
    var engine = try ConditionEngine.insideHome(radius: 60, west: 50)
    let fixes =
      parked(accuracy: 9)
      + look(Way(metres: 70, time: 12, accuracy: 9), at: 780, by: 0)
      + look(Way(length: 4, metres: 2, time: 12, accuracy: 9), at: 960, by: 0)
      + look(Way(length: 1, metres: 65, time: 12, accuracy: 9), at: 1140, by: 0.5)
    #expect(engine.judge(fixes).transitions == [])
  }
}
