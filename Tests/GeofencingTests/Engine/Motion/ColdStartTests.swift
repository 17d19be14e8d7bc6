import Geofencing
import Glibc
import TestSupport
import Testing

/// Receivers whose first positions behind a silence are far off and creep back, as after a night in a garage.
@Suite struct `After a cold start` {
  /// Fixes of who stands at the centre all along: a minute of them, a silence, and a minute and a half that
  /// begin so many metres away.
  private func fixes(
    silence: Double, from metres: Double, in time: Double, speed: Double
  ) -> [Location] {
    let back = 60 + silence
    return seconds(0, 60).map { report($0, speed: speed, course: 77, accuracy: 9) }
      + seconds(back, back + 90).map {
        report(
          $0, north: metres * exp(-($0 - back) / time), speed: speed, course: 77, accuracy: 9)
      }
  }

  @Test(arguments: [40.0, 300, 700, 36_000], [(200.0, 20.0), (300, 10), (300, 20), (450, 15)])
  func `positions that creep back are no trip`(
    silence: Double, slide: (metres: Double, time: Double)
  ) throws {
    for speed in [0, 0.2] {
      var engine = try ConditionEngine.insideHome(radius: 100)
      let transitions = engine.judge(
        fixes(silence: silence, from: slide.metres, in: slide.time, speed: speed)
      ).transitions
      #expect(
        transitions.map(\.kind) == (silence > 600 ? [.undetermined, .determined] : []),
        "\(speed) m/s")
      #expect(engine[home]?.status.state == .satisfied)
    }
  }

  /// Without a course the positions show where it goes, and a receiver may make its speeds of them.
  @Test(arguments: [(100.0, 20.0, nil), (100, 20, 0.5), (60, 20, 1), (60, 30, 1)])
  func `speeds that go along with the creep prove nothing`(
    metres: Double, time: Double, share: Double?
  ) throws {
    var engine = try ConditionEngine.insideHome(radius: 40)
    _ = engine.judge(seconds(0, 120).map { report($0, speed: 0.05, course: 77) })
    let start = seconds(3720, 3900).map { second in
      let left = metres * exp(-(second - 3720) / time)
      return report(
        second, north: left, speed: share.map { $0 * left / time } ?? 1.5,
        course: share == nil ? nil : 180)
    }
    #expect(engine.judge(start).transitions.map(\.kind) == [.undetermined, .determined])
    #expect(engine[home]?.status.state == .satisfied)
  }

  /// What one of them left unconfirmed isn't confirmed by the next.
  @Test(arguments: [60.0, 120]) func `a second one makes no trip either`(
    first: Double
  ) throws {
    var engine = try ConditionEngine.insideHome(radius: 40)
    func creep(_ start: Double, for time: Double) -> [Location] {
      seconds(start, start + time).map {
        report($0, north: 100 * exp(-($0 - start) / 20), speed: 0.05, course: 77, accuracy: 10)
      }
    }
    let fixes =
      seconds(0, 120).map { report($0, speed: 0.05, course: 77, accuracy: 10) }
      + creep(3720, for: first) + creep(7320 + first, for: 180)
    #expect(!engine.judge(fixes).transitions.map(\.kind).contains(.exited))
    #expect(engine[home]?.status.state != .unsatisfied)
  }

  /// Behind a silence it is the receiver that has to find itself, which takes no longer.
  @Test(arguments: [30.0, 300]) func `a long JumpSec neither delays a trip nor makes one`(
    jumpTime: Double
  ) throws {
    var parameters = DecisionParameters()
    parameters.jumpTime = .seconds(jumpTime)
    for isCreeping in [true, false] {
      var engine = try ConditionEngine.insideHome(radius: 60, with: parameters)
      _ = engine.judge(seconds(0, 120).map { report($0, speed: 0.05, course: 77) })
      let fixes = seconds(3720, 3800).map { second in
        // Of who walks away from elsewhere the first is off.
        let (creep, walk) = (
          300 * exp(-(second - 3720) / 10), 500 + (second - 3720) * 1.3 + (second == 3720 ? 60 : 0)
        )
        return report(
          second, north: isCreeping ? creep : walk, speed: isCreeping ? 0.05 : 1.3,
          course: isCreeping ? 77 : 0)
      }
      let transitions = engine.judge(fixes).transitions
      #expect(
        transitions.map(\.kind) == [.undetermined, isCreeping ? .determined : .exited])
      #expect(try #require(transitions.last).date <= at(3720 + 40))
    }
  }

  /// Where it stands elsewhere, that has to last as long as a reflection; who drives is believed at once.
  @Test(arguments: [0.0, 0.1, 12]) func `who was carried away is told`(speed: Double) throws {
    var engine = try ConditionEngine.insideHome(radius: 100)
    _ = engine.judge(seconds(0, 60).map { report($0, speed: 0.1, course: 77) })
    let fixes = seconds(960, 1020).map {
      report($0, east: 4000 + ($0 - 960) * speed, speed: speed, course: 90)
    }
    let exit = try #require(engine.judge(fixes).transitions.last)
    #expect(exit.kind == .exited)
    #expect((speed > 3 ? 961...965 : 988...991).contains((exit.date - at(0)).inSeconds))
  }

  /// Who creeps back has no speed; ten metres along with one are enough.
  @Test(arguments: [1.3, 2.5]) func `who walks away from elsewhere is believed soon`(
    speed: Double
  ) throws {
    var engine = try ConditionEngine.insideHome(radius: 100)
    _ = engine.judge(seconds(0, 60).map { report($0, speed: 0.1, course: 77) })
    let fixes = seconds(960, 985).map {
      report($0, east: 4000 + ($0 - 960) * speed, speed: speed, course: 90)
    }
    let exit = try #require(engine.judge(fixes).transitions.last)
    #expect(exit.kind == .exited)
    let seconds = (exit.date - at(960)).inSeconds
    #expect((10 / speed - 1...10 / speed + 3).contains(seconds), "\(seconds) s")
  }

  @Test(arguments: [5, 10, 25]) func `who is awake for moments only is believed in each`(
    count: Int
  ) throws {
    var engine = try ConditionEngine.insideHome(radius: 100)
    let states = (0..<8).map { burst in
      let fixes = (0..<count).map {
        report(
          Double(burst) * 900 + Double($0), east: burst / 2 % 2 == 0 ? 0 : 5000, speed: 0.1,
          course: 77)
      }
      _ = engine.judge(fixes)
      return engine[home]?.status.state
    }
    let (inside, outside) = (ConditionState.satisfied, ConditionState.unsatisfied)
    #expect(states == [inside, inside, outside, outside, inside, inside, outside, outside])
  }

  /// Only what would change waits.
  @Test func `what was known before is known again by the first fix`() throws {
    var engine = try ConditionEngine.insideHome(radius: 100)
    let far = ConditionKey(monitor: home.monitor, identifier: "far")
    _ = engine.add(
      try circle(around: centre.moved(by: 20_000, bearing: 0)), as: far, assuming: .unsatisfied,
      at: at(0))
    _ = engine.judge(seconds(0, 60).map { report($0, speed: 0.1, course: 77) })
    _ = engine.judge([report(960, east: 4000, speed: 0.1, course: 77)])
    #expect(engine[far]?.status.state == .unsatisfied)
    #expect(engine[home]?.status.state == .unknown)
  }

  /// Whose fixes are all as rare would never be believed otherwise.
  @Test(arguments: [700.0, 3600]) func `where each fix comes behind a silence it counts`(
    step: Double
  ) throws {
    var engine = try ConditionEngine.insideHome(radius: 100)
    let fixes = (0..<6).map {
      report(Double($0) * step, east: Double($0 / 3) * 5000, speed: 0.1, course: 77)
    }
    let states = fixes.map { fix in
      _ = engine.process(fix)
      return engine[home]?.status.state
    }
    #expect(states == [.satisfied, .satisfied, .satisfied, .unknown, .unknown, .unsatisfied])
  }
}
