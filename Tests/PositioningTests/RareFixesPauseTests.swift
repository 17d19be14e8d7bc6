import Geofencing
import TestSupport
import Testing

@testable import Positioning

/// Pauses of receivers that are without a fix for long, or have one rarely.
@Suite struct RareFixesPauseTests {
  private func fix(
    _ second: Double, north: Double = 0, speed: Double? = 0.1, course: Double? = nil,
    satellites: Int? = nil
  ) -> Location {
    spotFix(
      at: second, north: north, speed: speed, course: course, satellites: satellites)
  }

  /// At rest with a fix each second for most of the time that a pause takes, and without one for an hour.
  @Test(arguments: [90.0, 3600]) func `time without a fix isn't stillness`(outage: Double) throws {
    var pause = AutomaticPause()
    for second in 0...280 { _ = pause.take(fix(Double(second))) }
    #expect(pause.isStationary)
    let back = 280 + outage
    // It is on its way out with the first one.
    var leaving = pause
    let steps = (0..<20).map {
      leaving.take(fix(back + Double($0), north: 10 + Double($0 * $0) * 0.35, speed: Double($0)))
    }
    #expect(steps.allSatisfy { $0 == .tell(isStationary: false) })
    // It is there still, and pauses when that has been seen for long enough.
    let stays = (0...20).map { pause.take(fix(back + Double($0))) }
    #expect(stays.firstIndex(of: .pause) == 20)
  }

  /// A pause of a receiver with so many seconds between two fixes, and what looks of a minute and a quarter find then.
  private func looks(
    every interval: Double, _ count: Int, _ change: (Double, inout Location) -> Void
  ) throws -> [AutomaticPause.Finding] {
    var stationary = StationaryParameters()
    stationary.window = .seconds(5 * interval)
    var pause = AutomaticPause(stationary: stationary)
    var time = 0.0
    while !pause.isPaused {
      _ = pause.take(fix(time, satellites: 12))
      time += interval
      try #require(time < 10_000)
    }
    let start = time
    var findings: [AutomaticPause.Finding] = []
    for _ in 0..<count {
      time += 180
      pause.beginLook()
      let end = time + 75
      while time <= end {
        var fix = fix(time, satellites: 12)
        change(time - start, &fix)
        findings.append(pause.look(at: fix))
        if findings.last == .moved { return findings }
        time += interval
      }
    }
    return findings
  }

  @Test(arguments: [25.0, 30, 65]) func `end where it drives, however rare its fixes are`(
    interval: Double
  ) throws {
    let found = try looks(every: interval, 4) { seconds, fix in
      fix.coordinate = fix.coordinate.moved(by: 20 * seconds, bearing: 0)
      (fix.speed, fix.course, fix.satellitesUsed) = (20, 0, 5)
    }
    #expect(found.last == .moved && found.count <= 4, "\(found)")
  }

  @Test(arguments: [25.0, 30, 65]) func `end where somebody walks away`(interval: Double) throws {
    let found = try looks(every: interval, 4) { seconds, fix in
      fix.coordinate = fix.coordinate.moved(by: 1.3 * seconds, bearing: 0)
      (fix.speed, fix.course) = (1.3, 0)
    }
    #expect(found.last == .moved, "\(found)")
  }

  @Test(arguments: [25.0, 30, 65]) func `outlast single fixes that lie elsewhere`(
    interval: Double
  ) throws {
    var count = 0
    let found = try looks(every: interval, 12) { _, fix in
      count += 1
      if count.isMultiple(of: 2) { fix.coordinate = fix.coordinate.moved(by: 150, bearing: 0) }
    }
    #expect(!found.contains(.moved))
  }

  /// A receiver that is opened anew may be off at first, and in a garage have no more than that.
  @Test(arguments: [30, 2])
  func `a look doesn't go on from the end of the one before where fixes come often`(
    count: Int
  ) throws {
    var pause = AutomaticPause()
    for second in 0...300 { _ = pause.take(fix(Double(second))) }
    for look in 1...6 {
      pause.beginLook()
      for second in 0..<count {
        let found = pause.look(at: fix(300 + Double(look * 200 + second), north: 100))
        #expect(found == .unsure)
      }
    }
  }

  @Test func `a receiver that holds the course it had is at rest all the same`() throws {
    func isStationary(_ course: (Int) -> Double?) -> Bool {
      var detector = StationaryDetector()
      return (0..<300).map { detector.take(fix(Double($0), speed: 0.32, course: course($0))) }
        .contains(true)
    }
    #expect(isStationary { _ in 123.4 })
    #expect(isStationary { _ in nil })
    // Something that drifts with a current has another course each time, if it goes on in one direction.
    #expect(!isStationary { 123.4 + ($0.isMultiple(of: 2) ? 0.1 : 0) })
  }

  /// A position a day, a little later each time.
  @Test(arguments: [(nil, 1), (Duration.seconds(30 * 86_400), 20)])
  func `fixes that are farther apart than a day are taken where that is usual`(
    longest: Duration?, taken: Int
  ) throws {
    var parameters = PositioningParameters()
    if let longest { parameters.longestSilence = longest }
    var filter = FixFilter(parameters: parameters)
    let accepted = (0..<20).count { day in
      let report = report(Double(day) * 86_460, eph: 5)
      return (try? filter.take(report, satellitesUsed: 8).get()) != nil
    }
    #expect(accepted == taken)
  }

  @Test func `one fast fix among rare ones doesn't make a walk of a rest`() throws {
    var stationary = StationaryParameters()
    stationary.window = .seconds(150)
    var detector = StationaryDetector(stationary)
    for step in 0..<12 { detector.take(fix(Double(step) * 30, course: 0, satellites: 12)) }
    #expect(detector.isStationary)
    detector.take(fix(360, speed: 4, course: 0, satellites: 12))
    #expect(detector.isStationary && !detector.mayBeLeaving)
    // And who stops has stopped.
    var stop = RecentMovement(maximumAcceleration: 15)
    for (step, speed) in [15.0, 15, 15, 0.1].enumerated() {
      stop.add(fix(Double(step) * 30, speed: speed, course: 0, satellites: 12))
    }
    #expect(stop.showsMovement(isDoubtful: false))
    stop.add(fix(120, speed: 0.1, course: 0, satellites: 12))
    #expect(!stop.showsMovement(isDoubtful: false))
  }
}
