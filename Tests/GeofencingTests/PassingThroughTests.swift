import Geofencing
import Glibc
import TestSupport
import Testing

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

  private func events(
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
  private func strip(width: Double, isPolygon: Bool) throws -> Condition {
    let ends = [
      centre.moved(by: 200, bearing: 0), centre.moved(by: 200, bearing: 180),
    ].map { Position(longitude: $0.longitude, latitude: $0.latitude) }
    if !isPolygon {
      return try Condition(
        shape: .corridor(CorridorGeographicCondition(coordinates: [ends], width: width)))
    }
    let corners = [(1.0, 1.0), (1, -1), (-1, -1), (-1, 1), (1, 1)].map { east, north in
      let corner = centre.moved(by: 200 * north, bearing: 0).moved(
        by: width / 2 * east, bearing: 90)
      return Position(longitude: corner.longitude, latitude: corner.latitude)
    }
    return try Condition(
      shape: .polygon(PolygonalGeographicCondition(coordinates: [[corners]])))
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
    let block = try Condition(
      shape: .polygon(
        PolygonalGeographicCondition(coordinates: [
          [corners([(-30, -30), (30, -30), (30, 30), (-30, 30), (-30, -30)])]
        ])))
    let street = try Condition(
      shape: .corridor(
        CorridorGeographicCondition(coordinates: [corners([(-100, 0), (100, 0)])], width: 30)))
    #expect(
      events(block, drive([(-5, -80), (-5, -34), (34, -34), (34, 0), (80, 0)], at: 1.4)) == [])
    #expect(
      events(
        street,
        drive(
          [(80, -80), (80, -19), (112, -19), (119, -12), (119, 12), (112, 19), (80, 19), (80, 80)],
          at: 4)) == [])
  }

  private func corners(_ metres: [(Double, Double)]) -> [Position] {
    metres.map { Position(centre.moved(east: $0.0, north: $0.1)) }
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

  /// Two fixes twenty seconds apart on the way around a corner, at ten metres a second.
  private func corner(from course: Double?, to next: Double?, speed: Double? = 10) -> [Location] {
    [
      report(0, east: -50, north: -50, speed: speed, course: course),
      report(20, east: 50, north: 50, speed: speed, course: next),
    ]
  }

  @Test func `isn't who turned off between fixes far apart`() throws {
    #expect(events(try circle(25), corner(from: 0, to: 90)) == [])
    #expect(events(try circle(25), corner(from: 90, to: 0)) == [])
    // Who went straight is, and so is who may have.
    let straight = events(try circle(25), corner(from: 45, to: 45))
    #expect(straight.map(\.kind) == [.crossed])
    #expect(try #require(straight.first?.probability) > 0.9999)
    // Where nothing says how it came there, the next fix has to.
    for speed in [10.0, nil] {
      let fixes = corner(from: nil, to: nil, speed: speed)
      #expect(events(try circle(25), fixes) == [])
      let next = report(23, east: 71, north: 71, speed: speed)
      #expect(events(try circle(25), fixes + [next]).map(\.kind) == [.crossed])
    }
  }

  @Test func `is who turned off into it`() throws {
    let north = try Condition(
      shape: .circle(
        CircularGeographicCondition(center: centre.moved(by: 37, bearing: -45), radius: 40)))
    let told = events(north, corner(from: 0, to: 90))
    #expect(told.map(\.kind) == [.crossed])
    // Less is known than of a straight way.
    #expect((0.98..<0.999).contains(try #require(told.first?.probability)))
    #expect(events(north, corner(from: 90, to: 0)) == [])
    // The straight way hardly touches it.
    #expect(events(north, corner(from: 45, to: 45)) == [])
  }

  @Test(arguments: [90.0, 270])
  func `is who flies straight past a pole, where the course turns`(course: Double) throws {
    let start = try #require(Coordinate(latitude: 88, longitude: 0))
    let end = start.moved(by: 14_400, bearing: course)
    var fixes = [start, end].enumerated().map { number, place in
      Location(timestamp: at(Double(number) * 60), coordinate: place, horizontalAccuracy: 3)
    }
    fixes[0].speed = 240
    fixes[0].course = course
    fixes[1].speed = 240
    fixes[1].course = (end.bearing(to: start) + 180).truncatingRemainder(dividingBy: 360)
    let below = try Condition(
      shape: .circle(
        CircularGeographicCondition(center: start.moved(by: 9_600, bearing: course), radius: 60)))
    #expect(events(below, fixes).map(\.kind) == [.crossed])
  }

  @Test func `is who came over a strip, wherever the way bent`() throws {
    // Thirty metres wide, between the two fixes and three hundred metres to both sides.
    let strip = try Condition(
      shape: .corridor(
        CorridorGeographicCondition(coordinates: [corners([(-300, 300), (300, -300)])], width: 30)))
    let told = events(strip, corner(from: 0, to: 90))
    #expect(told.map(\.kind) == [.crossed])
    #expect(try #require(told.first?.probability) > 0.99)
  }

  @Test func `isn't bent by a course that is hardly known`() throws {
    let fixes = corner(from: 0, to: 90).map { fix in
      var fix = fix
      fix.courseAccuracy = 60
      return fix
    }
    let next = report(23, east: 80, north: 50, speed: 10, course: 90)
    #expect(events(try circle(25), fixes + [next]).map(\.kind) == [.crossed])
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
    let low = try Condition(
      shape: .circle(CircularGeographicCondition(center: centre, radius: 30)),
      altitude: AltitudeBand(minimum: nil, maximum: 100))
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
    let street = try Condition(
      shape: .corridor(
        CorridorGeographicCondition(
          coordinates: [corners([(-100, -3.5), (100, -3.5), (100, 3.5), (-100, 3.5)])], width: 10)))
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

  @Test(arguments: [(40.0, true), (200, false)])
  func `is who turned off into a band at its altitude`(altitude: Double, isTold: Bool) throws {
    let low = try Condition(
      shape: .circle(
        CircularGeographicCondition(center: centre.moved(by: 37, bearing: -45), radius: 40)),
      altitude: AltitudeBand(minimum: nil, maximum: 100))
    let fixes = corner(from: 0, to: 90).map { fix in
      var fix = fix
      (fix.altitude, fix.verticalAccuracy) = (altitude, 10)
      return fix
    }
    #expect(events(low, fixes).map(\.kind) == (isTold ? [.crossed] : []))
  }
}
