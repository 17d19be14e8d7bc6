import TestSupport
import Testing

@testable import Geofencing

extension MotionFilter {
  /// The estimate that comes of a fix; nil when it is refused.
  mutating func estimate(
    _ fix: Location, with parameters: DecisionParameters = DecisionParameters()
  ) -> PositionEstimate? {
    take(fix, with: parameters)
  }

  /// The estimate that comes of a fix that is no jump.
  mutating func believed(
    _ fix: Location, with parameters: DecisionParameters = DecisionParameters()
  ) throws -> PositionEstimate {
    let taken = take(fix, with: parameters)
    return try #require(taken)
  }

  /// Takes fixes, and gives the seconds at which one was refused.
  mutating func refusals(
    _ fixes: [Location], with parameters: DecisionParameters = DecisionParameters()
  ) -> [Double] {
    fixes.filter { estimate($0, with: parameters) == nil }.map {
      ($0.timestamp - at(0)).inSeconds
    }
  }
}

@Suite struct `The motion filter` {
  @Test(arguments: 1...8) func `averages what comes from one spot`(seed: UInt64) throws {
    var receiver = WanderingReceiver(seed: seed)
    var filter = MotionFilter()
    var last: PositionEstimate?
    for second in seconds(0, 3600) { last = filter.estimate(receiver.report(second)) }
    let estimate = try #require(last)
    // A single fix has 4.8 m.
    #expect(estimate.sigma == 3)
    #expect(estimate.coordinate.distance(to: centre) < 6)
    #expect(estimate.isSettled)
  }

  @Test(arguments: [0.1, 1, 10, 60, 600])
  func `follows a drive at any rate`(step: Double) throws {
    var filter = MotionFilter()
    for second in seconds(0, 50 * step, every: step) {
      let fix = report(second, east: second * 20, speed: 20, course: 90)
      let estimate = try filter.believed(fix)
      #expect(estimate.coordinate.distance(to: fix.coordinate) < 1)
      #expect(estimate.isMoving)
      #expect(!estimate.isRestart)
    }
  }

  @Test(arguments: [0.5, 1, 1.5, 20, 29])
  func `what is refused moves no clock, however far ahead its time is`(ahead: Double) throws {
    var receiver = WanderingReceiver(seed: 3)
    let fixes = seconds(0, 900).map { receiver.report($0) }
    var (with, without) = (MotionFilter(), MotionFilter())
    for (second, fix) in fixes.enumerated() {
      let (taken, expected) = (try with.believed(fix), try without.believed(fix))
      // Speeds between the fixes count, also of one that was refused.
      let least = ahead < 1 ? 0.3 : 0
      #expect(taken.coordinate.distance(to: expected.coordinate) <= least, "\(second)")
      #expect(abs(taken.sigma - expected.sigma) <= least && taken.isSettled == expected.isSettled)
      guard second == 600 else { continue }
      let stray = report(600 + ahead, east: 300)
      #expect(with.estimate(stray) == nil)
      // Nor does a restart in between.
      let words = LearnedMotion(filter: with, estimate: expected).words
      with = try #require(LearnedMotion(words: words)).filter
    }
  }

  @Test func `begins anew after a silence beyond UnknownAfterSec`() throws {
    var filter = MotionFilter()
    _ = filter.refusals(seconds(0, 300).map { report($0) })
    let taken = try filter.believed(report(900, east: 5000))
    #expect(taken.coordinate == report(900, east: 5000).coordinate && !taken.isSettled)
  }

  @Test func `begins anew at a discontinuity, also back in time`() throws {
    for second in [300.0, -50] {
      var filter = MotionFilter()
      _ = filter.refusals(seconds(0, 300).map { report($0) })
      var fix = report(second, east: 5000)
      fix.followsDiscontinuity = true
      let estimate = try filter.believed(fix)
      #expect(estimate.coordinate == fix.coordinate)
      #expect(abs(estimate.sigma - 5 / Location.sigmasIn68Percent * 1.2) < 1e-9)
      #expect(!estimate.isSettled)
      #expect(filter.estimate(report(second + 1, east: 5000)) != nil)
    }
  }

  @Test func `takes each fix by itself without speeds`() throws {
    var filter = MotionFilter()
    for second in seconds(0, 100) {
      let fix = report(second, east: second.truncatingRemainder(dividingBy: 2) * 500, speed: nil)
      let estimate = filter.estimate(fix, with: .leaping)
      #expect(estimate == PositionEstimate(of: fix, with: .leaping))
      #expect(estimate?.isStill == nil)
    }
  }

  @Test(arguments: [0.1, 3, 10], [1.0, 5, 20, 400])
  func `is never surer than the documented least`(minimum: Double, accuracy: Double) throws {
    var parameters = DecisionParameters()
    parameters.minimumSigma = minimum
    let single = max(accuracy / Location.sigmasIn68Percent * 1.2, minimum)
    for speed in [0.0, 20] {
      var filter = MotionFilter()
      for second in seconds(0, 2000) {
        let taken = try filter.believed(
          report(second, east: second * speed, speed: speed, course: 90, accuracy: accuracy),
          with: parameters)
        #expect(taken.sigma >= MotionModel.leastShare * single * 0.999_999)
        let least = taken.isStill == true ? minimum : min(MotionModel.leastSigma, minimum)
        #expect(taken.sigma >= least)
      }
    }
  }

  @Test func `follows an accuracy that changes from 400 m to 5 m and back`() throws {
    var filter = MotionFilter()
    for second in seconds(0, 900) {
      let isPoor = !(300..<600).contains(second)
      let fix = report(
        second, east: isPoor ? 250 : 0, speed: 0.02, course: 10, accuracy: isPoor ? 400 : 5)
      let estimate = try filter.believed(fix)
      if second > 320 { #expect(estimate.coordinate.distance(to: centre) < 20) }
      if second == 299 { #expect(estimate.sigma > 90) }
      if second == 599 { #expect(estimate.sigma < 5) }
    }
  }

  @Test func `learns at rest how over-confident a receiver is`() {
    var parameters = DecisionParameters()
    parameters.minimumSigma = 0.1
    func sigma(drift: Double) -> Double {
      var receiver = WanderingReceiver(seed: 5)
      receiver.drift = drift
      var filter = MotionFilter()
      let sigmas = seconds(0, 3600).compactMap { second in
        filter.estimate(receiver.report(second), with: parameters)?.sigma
      }.dropFirst(1200)
      return sigmas.reduce(0, +) / Double(sigmas.count)
    }
    let (honest, overConfident) = (sigma(drift: 4), sigma(drift: 12))
    #expect(overConfident > 1.5 * honest)
  }

  @Test(arguments: [
    (90.0, 0.0, 30.0), (-90, 0, 200), (89.9999, 10, 95), (0, 180, 90), (60, -179.9999, 270),
    (0, 0, 0),
  ])
  func `flies anywhere at 300 m/s`(latitude: Double, longitude: Double, bearing: Double) throws {
    let middle = try #require(Coordinate(latitude: latitude, longitude: longitude))
    // Along a geodesic through the place, twenty kilometres to either side.
    func position(_ metres: Double) -> Coordinate {
      metres >= 0
        ? middle.moved(by: metres, bearing: bearing)
        : middle.moved(by: -metres, bearing: bearing + 180)
    }
    var filter = MotionFilter()
    for second in seconds(0, 130) {
      let metres = second * 300 - 19_550
      let coordinate = position(metres)
      let course = coordinate.bearing(to: position(metres + 10))
      var fix = Location(
        timestamp: at(second), coordinate: coordinate, horizontalAccuracy: 5, speed: 300)
      fix.course = course < 0 ? course + 360 : course
      let estimate = try filter.believed(fix)
      #expect(estimate.coordinate.distance(to: coordinate) < 5)
      #expect(estimate.isMoving)
    }
  }

  @Test(arguments: [14.0, 30]) func `bears positions that are repeated ten times a second`(
    speed: Double
  ) {
    var filter = MotionFilter()
    var longest = 0.0
    var since = 0.0
    for tenth in 0..<3000 {
      let second = Double(tenth) / 10
      let fix = report(second, east: second.rounded(.down) * speed, speed: speed, course: 90)
      if filter.estimate(fix) != nil { since = second }
      longest = max(longest, second - since)
    }
    #expect(longest <= 1)
  }

  static let strange: [(speed: Double, accuracy: Double)] = [
    (1e3, 5), (9999, 5), (1e5, 5), (1e9, 5), (1e30, 5), (1e160, 5), (1.7e308, 5),
    (.leastNonzeroMagnitude, 5), (0, 1e-300), (0, 1e9), (0, 1e160), (0, 1.7e308),
    (1.7e308, 1.7e308), (9999, 1e-300),
  ]

  @Test(arguments: strange, [1, 3, 40])
  func `recovers from enormous numbers`(
    strange: (speed: Double, accuracy: Double), count: Int
  ) throws {
    var parameters = DecisionParameters()
    for factor in [1.2, 10] {
      parameters.accuracyFactor = factor
      var filter = MotionFilter()
      for second in seconds(0, 600) {
        let isStrange = (200..<200 + Double(count)).contains(second)
        let fix = report(
          second, east: second < 200 ? 0 : 3, speed: isStrange ? strange.speed : 0.03,
          course: 77, accuracy: isStrange ? strange.accuracy : 5)
        guard let estimate = filter.estimate(fix, with: parameters) else {
          #expect(second < 300)
          continue
        }
        #expect(estimate.sigma.isFinite && estimate.sigma >= 2)
        if second > 500 {
          #expect(estimate.isStill == true)
          #expect(estimate.coordinate.distance(to: centre) < 20)
          #expect(estimate.sigma < 25)
        }
      }
    }
  }

  @Test(arguments: [0.7, 1.4, 2.5]) func `doesn't follow speeds that are slightly wrong`(
    speed: Double
  ) {
    // Somebody walks, and the receiver says that nobody does: the positions win.
    var filter = MotionFilter()
    var (furthest, last) = (0.0, 0.0)
    for second in seconds(0, 900) {
      let fix = report(second, east: max(0, second - 300) * speed)
      if let estimate = filter.estimate(fix) {
        last = second
        furthest = max(furthest, estimate.coordinate.distance(to: fix.coordinate))
      }
    }
    #expect(furthest < 150)
    #expect(last > 890)
  }
}
