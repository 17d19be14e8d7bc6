import Geofencing
import TestSupport
import Testing

/// Where the way bends between two fixes.
extension `Who passes through` {
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
    let north = try circle(40, around: centre.moved(by: 37, bearing: -45))
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
    let below = try circle(60, around: start.moved(by: 9_600, bearing: course))
    #expect(events(below, fixes).map(\.kind) == [.crossed])
  }

  @Test func `is who came over a strip, wherever the way bent`() throws {
    // Thirty metres wide, between the two fixes and three hundred metres to both sides.
    let strip = try corridor([[(-300, 300), (300, -300)]], width: 30)
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

  @Test(arguments: [(40.0, true), (200, false)])
  func `is who turned off into a band at its altitude`(altitude: Double, isTold: Bool) throws {
    let low = try circle(
      40, around: centre.moved(by: 37, bearing: -45),
      altitude: AltitudeBand(minimum: nil, maximum: 100))
    let fixes = corner(from: 0, to: 90).map { fix in
      var fix = fix
      (fix.altitude, fix.verticalAccuracy) = (altitude, 10)
      return fix
    }
    #expect(events(low, fixes).map(\.kind) == (isTold ? [.crossed] : []))
  }
}
