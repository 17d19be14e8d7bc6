import TestSupport
import Testing

@testable import Geofencing

/// A receiver that tells its speed only at times, as one that is unsure of it for some seconds.
struct LostSpeedTests {
  /// In which seconds a speed is told, of those in which the position is 80 m aside for ten from 100 on.
  enum Pattern: CaseIterable {
    case always, never, everySecond, everyThird, everyFourth, everyFifth, exceptInIt,
      exceptFromBeforeIt, onlyInIt
    case exceptUntilAfterIt, exceptInMostOfIt, exceptBeforeIt

    func tells(_ second: Int) -> Bool {
      switch self {
      case .always: true
      case .never: false
      case .everySecond: second.isMultiple(of: 2)
      case .everyThird: second.isMultiple(of: 3)
      case .everyFourth: second.isMultiple(of: 4)
      case .everyFifth: second.isMultiple(of: 5)
      case .exceptInIt: !(100..<110).contains(second)
      case .exceptFromBeforeIt: !(98..<110).contains(second)
      case .onlyInIt: (100..<110).contains(second)
      case .exceptUntilAfterIt: !(100..<115).contains(second)
      case .exceptInMostOfIt: !(102..<110).contains(second)
      case .exceptBeforeIt: !(95..<100).contains(second)
      }
    }
  }

  @Test(arguments: Pattern.allCases, [false, true])
  func `a reflection makes no event of who is at rest, whenever a speed is told`(
    pattern: Pattern, hasCourse: Bool
  ) throws {
    var engine = engine(try circle(40), assuming: .satisfied, parameters: DecisionParameters())
    var random = SplitMix64(seed: 2)
    let fixes = (0..<300).map { second in
      let (east, north) = (0.5 * random.normal(), 0.5 * random.normal())
      let isAside = (100..<110).contains(second)
      let speed = abs(0.1 * random.normal())
      return report(
        Double(second), east: east, north: north + (isAside ? 80 : 0),
        speed: pattern.tells(second) ? speed : nil,
        course: hasCourse && pattern.tells(second)
          ? 360 * abs(random.normal()).truncatingRemainder(dividingBy: 1) : nil)
    }
    let (transitions, refused) = engine.judge(fixes)
    #expect(transitions == [])
    #expect((8...10).contains(refused.count), "\(refused)")
  }

  /// Into a tunnel of which the receiver tells positions, but no speed, and out of it.
  @Test(arguments: [3.0, 8, 14, 30, 80], [1.0, 5, 10])
  func `who drives on is followed where the speed ends and comes back`(speed: Double, step: Double)
    throws
  {
    var engine = engine(try circle(), assuming: .unsatisfied, parameters: DecisionParameters())
    let way = seconds(-600, 600, every: step)
    let fixes = way.map { second in
      let isTold = !(-20..<15).contains(second) && !(60..<90).contains(second)
      return report(
        second + 1000, east: second * speed, speed: isTold ? speed : nil,
        course: isTold ? 90 : nil)
    }
    let (transitions, refused) = engine.judge(fixes)
    #expect(refused == [])
    #expect(
      transitions.map(\.kind) == [.entered, .exited] || transitions.map(\.kind) == [.crossed])
  }

  @Test(arguments: [0.0, 20, 120])
  func `one fix without a speed that lies aside behind a gap has none refused that follow`(
    gap: Double
  ) throws {
    var engine = engine(try circle(40), assuming: .satisfied, parameters: DecisionParameters())
    let rest = seconds(0, 600).map {
      report($0, east: $0.truncatingRemainder(dividingBy: 2), speed: 0.05)
    }
    let back = 600 + gap
    let aside = report(back, north: 200, speed: nil, accuracy: 10)
    let right = seconds(back + 1, back + 100).map {
      report($0, east: $0.truncatingRemainder(dividingBy: 2), speed: 0.05)
    }
    let (transitions, refused) = engine.judge(rest + [aside] + right)
    #expect(transitions == [])
    #expect(refused.count <= 3, "\(refused)")
  }

  /// Where speeds are told it would be an entry at once, with only a moment to go.
  @Test(arguments: [1.5, 14]) func `the only fix with a speed is no entry by itself`(
    speed: Double
  ) throws {
    var engine = engine(try circle(), assuming: .unsatisfied, parameters: DecisionParameters())
    let fixes = seconds(0, 160, every: 10).map { second in
      let isAside = second == 100
      return report(
        second, east: isAside ? 50 : 150, speed: isAside ? speed : nil,
        course: isAside ? 270 : nil, accuracy: 3)
    }
    #expect(engine.judge(fixes).transitions == [])
  }

  @Test func `what is elsewhere for long is believed, with a speed and without`() throws {
    for told in [true, false] {
      var engine = engine(try circle(40), assuming: .satisfied, parameters: DecisionParameters())
      let fixes = (0..<300).map { second in
        report(
          Double(second), north: second < 100 ? 0 : 80,
          speed: (second < 100) == told ? 0.05 : nil)
      }
      let (transitions, refused) = engine.judge(fixes)
      #expect(transitions.map(\.kind) == [.exited])
      #expect((29...31).contains(refused.count))
    }
  }
}
