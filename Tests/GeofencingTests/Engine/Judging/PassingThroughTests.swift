import Glibc
import TestSupport
import Testing

@testable import Geofencing

@Suite struct `Who passes through` {
  /// Fixes a second apart along corners in metres east and north of the centre, at a speed.
  private func drive(_ corners: [(Double, Double)], at speed: Double) -> [Location] {
    var fixes: [Location] = []
    var time = 0.0
    for (from, to) in zip(corners, corners.dropFirst()) {
      let (east, north) = (to.0 - from.0, to.1 - from.1)
      let steps = max((hypot(east, north) / speed).rounded(), 1)
      for step in 0..<Int(steps) {
        let share = Double(step) / steps
        fixes.append(
          report(
            time, east: from.0 + share * east, north: from.1 + share * north, speed: speed,
            course: atan2(east, north) * 180 / .pi))
        time += 1
      }
    }
    return fixes
  }

  func events(
    _ condition: Condition, _ fixes: [Location], parameters: DecisionParameters = .init()
  ) -> [Transition] {
    var engine = engine(condition, assuming: .unsatisfied, parameters: parameters)
    return fixes.flatMap { engine.process($0) }
  }

  /// Around the island of a roundabout, so close that no fix there is surely outside.
  private var around: [(Double, Double)] {
    [(-150, 0)]
      + (0...18).map { step in
        let angle = Double.pi * (1 + Double(step) / 18)
        return (19 * cos(angle), 19 * sin(angle))
      } + [(150, 0)]
  }

  @Test(arguments: [7.0, nil])
  func `isn't who goes around`(speed: Double?) throws {
    var fixes = drive(around, at: 7)
    if speed == nil {
      for index in fixes.indices {
        (fixes[index].speed, fixes[index].course) = (nil, nil)
      }
    }
    #expect(events(try circle(15), fixes) == [])
    // Straight on it is another matter.
    let through = drive([(-150, 0), (-17, 0), (17, 0), (150, 0)], at: 34)
    #expect(events(try circle(15), through).map(\.kind) == [.crossed])
  }

  @Test(arguments: [3.0, 4, 5])
  func `isn't who goes half around for longer than fixes are remembered`(beside: Double) throws {
    let radius = 100 + beside
    let half = (0...40).map { step in
      let angle = Double.pi * Double(step) / 40
      return (radius * sin(angle), radius * cos(angle))
    }
    let fixes = drive([(-500, radius)] + half + [(-500, -radius)], at: 8)
    #expect(events(try circle(100), fixes) == [])
  }

  /// A strip across the road, as long as 200 m to either side.
  private func strip(
    width: Double, isPolygon: Bool, altitude: AltitudeBand? = nil
  ) throws -> Condition {
    let half = width / 2
    return try isPolygon
      ? polygon([[(half, 200), (half, -200), (-half, -200), (-half, 200)]], altitude: altitude)
      : corridor([[(0, 200), (0, -200)]], width: width, altitude: altitude)
  }

  @Test(arguments: [3.0, 5, 10], [false, true])
  func `is surely who crosses a strip in which nobody could be sure to be`(
    width: Double, isPolygon: Bool
  ) throws {
    let strip = try strip(width: width, isPolygon: isPolygon)
    // Of the last one no fix is too close to tell.
    for (speed, start) in [(1.5, -120.0), (10, -120), (30, -120), (30, -105)] {
      let events = events(strip, drive([(start, 4), (start + 240, 4)], at: speed))
      #expect(events.map(\.kind) == [.crossed], "\(speed) from \(start)")
      // Along it, past its end, and where it may have gone around one.
      for way in [
        [(9.0, -300.0), (9, 300)], [(-120, 212), (120, 212)], [(-120, 202), (120, 202)],
      ] {
        #expect(self.events(strip, drive(way, at: speed)) == [], "\(way) at \(speed)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `is who crosses a strip within its band of altitudes`(isPolygon: Bool) throws {
    let fixes = drive([(-120, 4), (120, 4)], at: 10).map { fix in
      var fix = fix
      (fix.altitude, fix.verticalAccuracy) = (100, 8)
      return fix
    }
    func kinds(from minimum: Double, to maximum: Double) throws -> [EventKind] {
      let band = try AltitudeBand(minimum: minimum, maximum: maximum)
      let strip = try strip(width: 5, isPolygon: isPolygon, altitude: band)
      return events(strip, fixes).map(\.kind)
    }
    #expect(try kinds(from: -1_000, to: 10_000) == [.crossed])
    #expect(try kinds(from: 50, to: 150) == [.crossed])
    // Above it, and where that can't be told.
    #expect(try kinds(from: 0, to: 50) == [])
    #expect(try kinds(from: 0, to: 105) == [])
  }

  @Test func `isn't who is seen too seldom for a strip`() throws {
    let strip = try strip(width: 5, isPolygon: false)
    let seldom = drive([(-120, 4), (120, 4)], at: 2).enumerated().filter { $0.offset % 20 == 0 }
    #expect(events(strip, seldom.map(\.element)) == [])
  }

  @Test func `is who stops just behind it for longer than fixes are remembered`() throws {
    let (beside, behind) = (8.0, 28.0)
    var fixes = drive([(-300, beside), (behind, beside)], at: 12)
    let stop = Double(fixes.count)
    fixes += (0..<20).map { report(stop + Double($0), east: behind, north: beside, speed: 0) }
    fixes += drive([(behind, beside), (300, beside)], at: 12).map { fix in
      var fix = fix
      fix.timestamp = fix.timestamp + .seconds(Int64(stop) + 20)
      return fix
    }
    for index in fixes.indices { fixes[index].horizontalAccuracy = 9 }
    #expect(events(try circle(25), fixes).map(\.kind) == [.crossed])
  }

  @Test func `isn't who goes around a corner or an end`() throws {
    let block = try polygon([[(-30, -30), (30, -30), (30, 30), (-30, 30)]])
    let street = try corridor([[(-100, 0), (100, 0)]], width: 30)
    #expect(
      events(block, drive([(-5, -80), (-5, -34), (34, -34), (34, 0), (80, 0)], at: 1.4)) == [])
    #expect(
      events(
        street,
        drive(
          [(80, -80), (80, -19), (112, -19), (119, -12), (119, 12), (112, 19), (80, 19), (80, 80)],
          at: 4)) == [])
  }

  @Test func `is told of where a fix between knows less than the way`() throws {
    let fixes = [
      report(0, east: -40, speed: nil, accuracy: 3),
      report(1, north: 60, speed: nil, accuracy: 200),
      report(2, east: 40, speed: nil, accuracy: 3),
    ]
    let told = events(try circle(15), fixes)
    #expect(told.map(\.kind) == [.crossed])
    #expect(told.first?.bounds == at(0)...at(2))
    // One that is as sure as they are was elsewhere.
    var sure = fixes
    sure[1] = report(1, north: 16, speed: nil, accuracy: 4)
    #expect(events(try circle(15), sure) == [])
  }

  @Test func `isn't measured by fixes of before a clock was set back`() throws {
    // What stood two hundred metres to the south has times that come again.
    var fixes = (0..<60).map { report(Double($0), north: -200, speed: nil, accuracy: 3) }
    fixes += (0..<5).map {
      report(40 + Double($0), east: -40 + 0.1 * Double($0), speed: nil, accuracy: 3)
    }
    fixes[60].followsDiscontinuity = true
    fixes.append(report(50, east: -12, speed: nil, accuracy: 3))
    fixes.append(report(55, east: 40, speed: nil, accuracy: 3))
    #expect(events(try circle(15), fixes).map(\.kind) == [.crossed])
  }

  /// Straight on with 14 m/s, of which 120 m lie inside.
  @Test(arguments: [[91.0, nil], [nil, 91.0], [91.0, 91.0]])
  func `takes as long as it took, whatever is known of it`(courses: [Double?]) throws {
    var parameters = DecisionParameters.leaping
    parameters.enterTime = .seconds(8)
    var fixes = [
      report(0, east: -140, speed: 14, course: courses[0], accuracy: 3),
      report(20, east: 140, speed: 14, course: courses[1], accuracy: 3),
    ]
    // Between two courses there is a fix that can't tell.
    if !courses.contains(nil) {
      fixes.insert(report(10, speed: 14, course: 91, accuracy: 100), at: 1)
    }
    fixes.append(report(21, east: 154, speed: 14, course: 91, accuracy: 3))
    #expect(events(try circle(60), fixes, parameters: parameters).map(\.kind) == [.crossed])
  }

  @Test func `is asked for the time that the way took inside`() throws {
    var parameters = DecisionParameters.leaping
    parameters.enterTime = .seconds(4)
    let fixes = [
      report(0, east: -60, speed: nil, accuracy: 3), report(6, east: 17, speed: nil, accuracy: 3),
      report(12, east: 60, speed: nil, accuracy: 3),
    ]
    // 30 of 120 metres in twelve seconds.
    #expect(events(try circle(15), fixes).map(\.kind) == [.crossed])
    #expect(events(try circle(15), fixes, parameters: parameters) == [])
    parameters.enterTime = .seconds(2)
    #expect(events(try circle(15), fixes, parameters: parameters).map(\.kind) == [.crossed])
  }

  @Test func `isn't who climbs over a band`() throws {
    let low = try circle(30, altitude: AltitudeBand(minimum: nil, maximum: 100))
    func fly(over peak: Double) -> [EventKind] {
      let fixes = (0...12).map { second in
        var fix = report(
          Double(second), east: Double(second) * 12 - 72, speed: nil, accuracy: 3)
        fix.altitude = (4...8).contains(second) ? peak : 40
        fix.verticalAccuracy = 10
        return fix
      }
      return events(low, fixes).map(\.kind)
    }
    // A dozen metres above it can't be told, but that the way led over it can.
    #expect(fly(over: 112) == [])
    #expect(fly(over: 40) == [.entered])
  }

  @Test func `is told of a street that was recorded there and back`() throws {
    // Seven metres apart, and ten wide each: seventeen metres in all.
    let street = try corridor(
      [[(-100, -3.5), (100, -3.5), (100, 3.5), (-100, 3.5)]], width: 10)
    let fixes = (0...4).map {
      report(Double($0) * 3, north: Double($0) * 60 - 120 - 30, speed: nil, accuracy: 4)
    }
    let told = events(street, fixes)
    #expect(told.map(\.kind) == [.crossed])
    #expect(try #require(told.first?.probability) > 0.99)
    // Whoever is surely inside isn't unsure because a single line would be too narrow.
    let stays = events(street, (0...4).map { report(Double($0), speed: nil, accuracy: 4) })
    #expect(stays.map(\.kind) == [.entered])
    #expect(stays.first?.isAccuracyLimited == false)
  }

  /// At rest, or without speeds: after half a minute the position of the other side is believed.
  @Test(arguments: [0.0, nil])
  func `isn't who was taken to be on the other side`(speed: Double?) throws {
    var engine = engine(try circle(), assuming: .unsatisfied, parameters: DecisionParameters())
    let told = engine.judge(
      seconds(0, 95).map { report($0, east: $0 < 60 ? -200 : 200, speed: speed) })
    #expect(told.refused == seconds(60, 90))
    #expect(told.transitions == [])
  }

  @Test(arguments: [[5.0, 80.0], [80.0, 5.0], [5.0, 5.0]])
  func `isn't who may have gone by, as far as the less sure end says`(accuracy: [Double]) throws {
    let fixes = [-400.0, 400].enumerated().map { number, east in
      report(Double(number) * 4, east: east, north: 85, speed: nil, accuracy: accuracy[number])
    }
    #expect(
      events(try circle(), fixes).map(\.kind) == (accuracy.contains(80) ? [] : [.crossed]))
  }

  @Test func `is told only with a fix that is outside`() throws {
    var watch = ConditionWatch(assuming: .unsatisfied, watchedSince: nil)
    let place = SpatialIndex.Place(
      center: GeocentricPoint(centre), chord: Chord.length(ofGeodesic: 100))
    let shape = JudgedCondition(prepared: PreparedCondition(try circle()), place: place)
    let parameters = DecisionParameters()
    var previous: Timestamp?
    func process(_ second: Double, estimate: Double, fix east: Double) -> ConditionChange? {
      let fix = report(second, east: east, speed: 40, course: 90)
      defer { previous = fix.timestamp }
      let position = centre.moved(by: estimate, bearing: 90)
      let step = ConditionWatch.Step(
        time: fix.timestamp,
        estimate: PositionEstimate(coordinate: position, sigma: 2, isStill: false),
        point: GeocentricPoint(position), zone: UndecidedZone(deviations: 2, sigma: 2),
        offset: abs(estimate - east), previous: previous, longestWay: 431, agreedUntil: nil,
        isGap: false, isDiscontinuity: false)
      var change: ConditionChange?
      watch.process(step, of: fix, after: JudgedFixes(), against: shape, with: parameters, &change)
      return change
    }
    #expect(process(0, estimate: -300, fix: -300) == nil)
    #expect(process(10, estimate: 130, fix: 80) == nil)
    let crossed = try #require(process(11, estimate: 150, fix: 140))
    #expect(crossed.kind == .crossed)
    #expect(crossed.bounds?.from == at(0) && crossed.bounds?.to == at(11))
    #expect(abs(try #require(crossed.evidence).distance - 40) < 0.1)
  }
}
