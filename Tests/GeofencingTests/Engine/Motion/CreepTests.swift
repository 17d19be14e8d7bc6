import Glibc
import TestSupport
import Testing

@testable import Geofencing

@Suite struct `What creeps` {
  /// Those of a boat.
  private var parameters: DecisionParameters {
    var parameters = DecisionParameters()
    parameters.creepingSpeed = 0.15
    return parameters
  }

  /// A boat rolls, and its anchor drags.
  @Test(arguments: [(0.26, 0.3), (0.26, 0.5), (0.13, 0.2)], [1.0, 2])
  func `is no rest, also where single velocities are further off`(
    drift: (speed: Double, doppler: Double), step: Double
  ) throws {
    var receiver = WanderingReceiver(seed: 4)
    receiver.doppler = drift.doppler
    var speedometer = Speedometer()
    var still = (before: 0.0, behind: 0.0)
    for second in seconds(0, 3600, every: step) {
      let dragged = max(0, second - 1800)
      let fix = receiver.report(
        second, north: dragged * drift.speed, velocity: (0, second < 1800 ? 0 : drift.speed))
      let reading = speedometer.take(fix, sigma: 4, isContradicted: false, with: parameters)
      guard reading?.isStill == true else { continue }
      if (600..<1800).contains(second) { still.before += step }
      if second >= 1920 { still.behind += step }
    }
    #expect(still.before > 0.97 * 1200)
    #expect(still.behind < 0.05 * 1680)
  }

  /// Of an anchor that drags, by a receiver that tells no course so slowly, and no speed.
  @Test(arguments: [0.1, 0.15], [true, false])
  func `is told of within minutes where no course is`(drift: Double, tellsSpeed: Bool) throws {
    var receiver = WanderingReceiver(seed: 4)
    var engine = engine(try circle(40), parameters: parameters)
    var told: [Transition] = []
    for second in seconds(0, 2700) {
      let way = 20 + max(0, second - 900) * drift
      let dragged = second < 900 ? 0 : drift
      var fix = receiver.report(second, north: way, velocity: (0, dragged))
      fix.course = nil
      if !tellsSpeed { fix.speed = 0 }
      told += engine.process(fix)
    }
    #expect(told.map(\.kind) == [.determined, .exited])
    let crossing = at(900 + 20 / drift)
    let late = try #require(told.last).date - crossing
    #expect((.seconds(-30) ... .seconds(300)).contains(late), "\(late)")
  }

  @Test(arguments: [0.2, 1])
  func `rests within three minutes once it has stopped`(step: Double) throws {
    var receiver = WanderingReceiver(seed: 4)
    receiver.doppler = 0.3
    var speedometer = Speedometer()
    var still = (behind: 0.0, later: 0.0)
    for second in seconds(0, 1500, every: step) {
      let (speed, way) = (second < 600 ? 0.26 : 0, min(second, 600) * 0.26)
      let fix = receiver.report(second, north: way, velocity: (0, speed))
      let reading = speedometer.take(fix, sigma: 4, isContradicted: false, with: parameters)
      guard reading?.isStill == true else { continue }
      if (300..<600).contains(second) { still.behind += step }
      if second >= 780 { still.later += step }
    }
    #expect(still.behind < 0.05 * 300)
    #expect(still.later > 0.97 * 720)
  }

  /// Errors of velocities a second apart have a third in common.
  @Test(arguments: [0.2, 0.3])
  func `isn't what a car's receiver makes of errors that last`(doppler: Double) throws {
    var random = SplitMix64(seed: 9)
    var receiver = WanderingReceiver(seed: 4)
    receiver.doppler = 0
    var still = 0
    var error = (east: 0.0, north: 0.0)
    var speedometer = Speedometer()
    for second in seconds(0, 5400) {
      let (kept, kick) = (exp(-1.0), doppler * (1 - exp(-2.0)).squareRoot())
      error = (
        kept * error.east + kick * random.normal(), kept * error.north + kick * random.normal()
      )
      let reading = speedometer.take(
        receiver.report(second, velocity: error), sigma: 4, isContradicted: false,
        with: DecisionParameters())
      guard second >= 600 else { continue }
      if reading?.isStill == true { still += 1 }
    }
    #expect(Double(still) > 0.8 * 4800)
  }
}
