import Glibc
import TestSupport
import Testing

@testable import Geofencing

extension Speedometer {
  /// Takes a fix with a sigma of 4 m.
  mutating func take(_ fix: Location, isContradicted: Bool = false) -> Reading? {
    take(fix, sigma: 4, isContradicted: isContradicted, with: DecisionParameters())
  }
}

@Suite struct `The speedometer` {
  let parameters = DecisionParameters()

  /// Takes fixes with a sigma of 4 m, and gives the seconds at which something holds for the first
  /// time.
  func first(
    in fixes: [Location], from start: Double = 0, isContradicted: Bool = false,
    _ condition: (Speedometer.Reading?) -> Bool
  ) -> Double? {
    var speedometer = Speedometer()
    for fix in fixes {
      let reading = speedometer.take(fix, isContradicted: isContradicted)
      let second = (fix.timestamp - at(0)).inSeconds
      if second >= start, condition(reading) { return second }
    }
    return nil
  }

  @Test(arguments: [true, false])
  func `knows rest from noise, and after a minute from a short stop`(hasCourse: Bool) throws {
    var receiver = WanderingReceiver(seed: 1)
    var speedometer = Speedometer()
    var settled: Double?
    var count = (still: 0.0, settled: 0.0)
    for second in seconds(0, 3600) {
      var fix = receiver.report(second)
      if !hasCourse { fix.course = nil }
      let taken = speedometer.take(fix)
      let reading = try #require(taken)
      if reading.isSettled {
        settled = settled ?? second
        count.settled += 1
      }
      if reading.isStill {
        count.still += 1
        #expect(reading.velocity == Vector())
        #expect(reading.deviation == MotionModel.stillDeviation)
      }
    }
    // Now and then noise looks like a step, and the minute begins again.
    #expect(count.still > 0.98 * 3600)
    #expect(count.settled > 0.85 * 3600)
    #expect((60...100).contains(try #require(settled)))
  }

  /// The share of the fixes of two hours at rest, after ten minutes to learn in, at which it is taken to
  /// stand still.
  private func shareStill(
    doppler: Double, blankBelow least: Double = 0, every step: Double = 1
  ) throws -> Double {
    var receiver = WanderingReceiver(seed: 4)
    receiver.doppler = doppler
    var speedometer = Speedometer()
    var count = (all: 0.0, still: 0.0)
    for second in seconds(0, 7800, every: step) {
      var fix = receiver.report(second)
      if try #require(fix.speed) < least { fix.course = nil }
      let reading = speedometer.take(fix)
      guard second >= 600 else { continue }
      count.all += 1
      if reading?.isStill == true { count.still += 1 }
    }
    return count.still / count.all
  }

  @Test(arguments: [0.1, 0.2, 0.3], [0.2, 0.3, 0.5, .infinity])
  func `knows rest where slow speeds come without a direction`(
    doppler: Double, least: Double
  ) throws {
    #expect(try shareStill(doppler: doppler, blankBelow: least) > 0.98)
  }

  /// A walker's receiver is shaken, and many give no course to who is slow.
  @Test(arguments: [(0.4, 0.2), (0.5, 0.2), (0.5, 0.25), (0.6, 0.3), (0.7, 0.3)])
  func `doesn't take a slow walk without a direction for rest`(
    speed: Double, doppler: Double
  ) throws {
    var receiver = WanderingReceiver(seed: 4)
    receiver.doppler = doppler
    var speedometer = Speedometer()
    var still = 0.0
    for second in seconds(0, 1800) {
      let walked = max(0, second - 600)
      var fix = receiver.report(
        second, east: walked * speed, velocity: (second < 600 ? 0 : speed, 0))
      if try #require(fix.speed) < 1 { fix.course = nil }
      let reading = speedometer.take(fix)
      if second >= 660, reading?.isStill == true { still += 1 }
    }
    #expect(still < 0.1 * 1140)
  }

  @Test(arguments: [0.1, 0.2, 0.3], [2.0, 3, 5, 10])
  func `knows rest from noise however rarely fixes come`(doppler: Double, step: Double) throws {
    #expect(try shareStill(doppler: doppler, every: step) > 0.98)
  }

  @Test(arguments: [true, false])
  func `doesn't take a walker's stops for noise`(hasCourse: Bool) throws {
    // One fix in ten seconds: 160 seconds on the way, and forty at rest.
    var fixes: [Location] = []
    var east = 0.0
    for second in seconds(0, 3600, every: 10) {
      let walks = second >= 3200 || second.truncatingRemainder(dividingBy: 200) < 160
      let speed = second >= 3200 ? 0.6 : walks ? 1.3 : 0
      east += speed * 10
      fixes.append(report(second, east: east, speed: speed, course: hasCourse ? 90 : nil))
    }
    let moves = first(in: fixes, from: 3300) { $0?.isStill == false }
    #expect(try #require(moves) == 3300)
  }

  @Test func `takes a single step of noise for no setting off`() throws {
    let fixes = seconds(0, 1000).map { second in
      let speed = second == 900 ? 0.55 : second < 910 ? 0 : 1.4
      return report(
        second, east: max(0, second - 910) * speed, speed: speed,
        course: second.truncatingRemainder(dividingBy: 2) == 0 ? 90 : 91, accuracy: 1)
    }
    var filter = MotionFilter()
    var told: [(second: Double, isStill: Bool?, isSettled: Bool, sigma: Double)] = []
    for fix in fixes {
      guard let taken = filter.estimate(fix, with: parameters) else { continue }
      let second = (fix.timestamp - at(0)).inSeconds
      told.append((second, taken.isStill, taken.isSettled, taken.sigma))
    }
    let step = try #require(told.first { $0.isStill == false })
    #expect(step.second == 900 && step.isSettled)
    #expect(step.sigma >= parameters.minimumSigma)
    // Who walks off has set off after three seconds.
    let leaves = try #require(told.first { $0.second > 900 && !$0.isSettled })
    #expect((912...914).contains(leaves.second) && leaves.isStill == false)
    #expect(leaves.sigma < parameters.minimumSigma)
  }

  @Test(arguments: [(1.4, 3.0), (0.5, 6), (14, 1)])
  func `knows within seconds that something has set off`(speed: Double, bound: Double) throws {
    var receiver = WanderingReceiver(seed: 2)
    let fixes = seconds(0, 330).map { second in
      receiver.report(
        second, east: max(0, second - 300) * speed, velocity: (second > 300 ? speed : 0, 0))
    }
    let moves = first(in: fixes, from: 200) { $0?.isStill == false }
    #expect((300...300 + bound).contains(try #require(moves)))
  }

  @Test func `knows within a minute that something has stopped`() throws {
    var receiver = WanderingReceiver(seed: 3)
    let fixes = seconds(0, 200).map { second in
      receiver.report(
        second, east: min(second, 100) * 14, velocity: (second < 100 ? 14 : 0, 0))
    }
    let stops = first(in: fixes, from: 50) { $0?.isStill == true }
    #expect((100...160).contains(try #require(stops)))
  }

  @Test func `finds the direction by the positions where the receiver gives none`() throws {
    let fixes = seconds(0, 20).map { report($0, east: $0 * 10, speed: 10) }
    let known = first(in: fixes) { ($0?.velocity.east ?? 0) > 9.9 }
    #expect(try #require(known) <= 4)
    // A walk takes some more fixes to show one.
    let walk = seconds(0, 60).map { report($0, east: $0 * 1.4, speed: 1.4) }
    let seen = first(in: walk) { ($0?.velocity.east ?? 0) > 1.39 }
    #expect((9...11).contains(try #require(seen)))
    #expect(first(in: walk) { $0 == nil } == nil)
    #expect(first(in: walk, from: 1) { ($0?.deviation ?? 0) < 0.4 } == nil)
  }

  @Test func `goes on in the direction of the fix before, but not for long`() {
    let turning = seconds(0, 40).map {
      report($0, east: $0 < 20 ? $0 * 1.4 : 28, speed: 1.4, course: $0 < 20 ? 90 : nil)
    }
    #expect(first(in: turning) { ($0?.velocity.east ?? 0) < 1.39 } == 21)
    let single = seconds(0, 40).map {
      report($0, east: $0 * 1.4, speed: 1.4, course: Int($0) % 3 == 1 ? nil : 90)
    }
    #expect(first(in: single, from: 1) { ($0?.velocity.east ?? 0) < 1.39 } == nil)
  }

  @Test func `forgets a direction where positions get nowhere, and after a long rest`() throws {
    let walk = seconds(0, 30).map { report($0, east: $0 * 1.4, speed: 1.4) }
    let circle = seconds(31, 60).map {
      report($0, east: 42 + 3 * sin($0), north: 3 * cos($0), speed: 1.4)
    }
    let lost = first(in: walk + circle, from: 31) { $0?.velocity == Vector() }
    #expect(try #require(lost) < 60)
    let rest = seconds(31, 200).map { report($0, east: 42, speed: 0) }
    let back = seconds(201, 211).map { report($0, east: 42 - ($0 - 200) * 1.4, speed: 1.4) }
    #expect(first(in: walk + rest + back, from: 201) { ($0?.velocity.east ?? 0) > 0.1 } == nil)
  }

  @Test func `goes on for two seconds without a speed, then says nothing, and soon forgets`() throws
  {
    var speedometer = Speedometer()
    for second in seconds(0, 100) {
      _ = speedometer.take(report(second))
    }
    func without(_ second: Double) -> Speedometer.Reading? {
      speedometer.take(report(second, speed: nil))
    }
    #expect(try #require(without(100)).isSettled)
    #expect(try #require(without(101)).isSettled)
    for second in 102...112 { #expect(without(Double(second)) == nil) }
    let next = speedometer.take(report(113))
    #expect(try #require(next).isSettled == false)
  }

  @Test(arguments: [(1.0, 0.03...0.03), (60, 0.06...0.2)])
  func `is less sure of a rest that rare speeds tell of`(
    step: Double, deviations: ClosedRange<Double>
  ) throws {
    var receiver = WanderingReceiver(seed: 4)
    receiver.doppler = 0.15
    var speedometer = Speedometer()
    var still = 0
    for second in seconds(0, 400 * step, every: step) {
      let taken = speedometer.take(receiver.report(second))
      let reading = try #require(taken)
      guard second > 200 * step, reading.isStill else { continue }
      still += 1
      #expect(deviations.contains(reading.deviation))
    }
    #expect(still > 100)
  }

  @Test func `stays at rest while reflections make its speeds worse`() {
    let rest = seconds(0, 120).map { report($0, speed: 0.05, course: 90) }
    let noisy = seconds(120, 140).map { report($0, speed: 0.8, course: 90) }
    #expect(first(in: rest + noisy, from: 100) { $0?.isStill == false } != nil)
    var speedometer = Speedometer()
    for fix in rest {
      _ = speedometer.take(fix)
    }
    for fix in noisy {
      let reading = speedometer.take(fix, isContradicted: true)
      #expect(reading?.isStill == true)
    }
  }

  /// Slower than what moves without a course, and before all of the mean has some.
  @Test func `sees who sets off slowly as soon as courses agree`() throws {
    let rest = seconds(0, 60).map { report($0, speed: 0) }
    let creeping = seconds(60, 90).map {
      report($0, east: ($0 - 60) * 0.3, speed: 0.3, course: 90)
    }
    let moving = first(in: rest + creeping, from: 60) { $0?.isStill == false }
    #expect(try #require(moving) <= 64)
  }

  /// Setting off is no noise, however often somebody does.
  @Test func `sees who walks behind a jam`() {
    let jam = seconds(0, 900).map { second in
      let time = second.truncatingRemainder(dividingBy: 4)
      return report(
        second, east: (second - time) / 4 * 10 + max(0, time - 2) * 5, speed: time < 2 ? 0 : 5,
        course: 90)
    }
    let walk = seconds(900, 920).map {
      report($0, east: 2_250 + ($0 - 900) * 0.8, speed: 0.8, course: 90)
    }
    #expect(first(in: jam + walk, from: 915) { $0?.isStill == false } == 915)
  }

  @Test(arguments: [-5.0, 601])
  func `begins anew after a step back in time or a long silence`(step: Double) throws {
    var speedometer = Speedometer()
    for second in seconds(0, 120) {
      _ = speedometer.take(report(second))
    }
    let reading = speedometer.take(report(119 + step))
    #expect(try #require(reading).isSettled == false)
  }
}
