import Geofencing
import TestSupport
import Testing

/// Visits that a single fix saw, where the straight way between the fixes outside doesn't lead through.
@Suite struct `Where the way turns between rare fixes` {
  private let radius = 70.0

  private func engine(east: Double = 0) throws -> ConditionEngine {
    GeofencingTests.engine(
      try circle(radius, around: centre.moved(by: east, bearing: 90)), assuming: .unsatisfied,
      parameters: DecisionParameters())
  }

  /// Where a car is after so many metres: it comes from the south, and turns by so many degrees 800 m on, ten
  /// metres before the middle of the circle.
  private func place(_ metres: Double, turning degrees: Double) -> Coordinate {
    let corner = centre.moved(by: -10, bearing: 0)
    return metres < 800
      ? corner.moved(by: metres - 800, bearing: 0)
      : corner.moved(by: metres - 800, bearing: degrees)
  }

  private func fix(_ second: Double, _ place: Coordinate, speed: Double, course: Double) -> Location
  {
    var fix = report(second, speed: speed, course: course, accuracy: 5)
    fix.coordinate = place
    return fix
  }

  @Test(arguments: [11.0, 15, 20, 28], [45.0, 90, 120, 170])
  func `one fix deep inside is enough to have passed through`(step: Double, turn: Double) throws {
    var visits = 0
    for number in 0..<24 {
      let speed = 10.0
      let fixes = (0...Int(160 / step)).map { index in
        let second = (Double(index) + Double(number) / 24) * step
        return fix(
          second, place(second * speed, turning: turn), speed: speed,
          course: second * speed < 800 ? 0 : turn)
      }
      guard fixes.contains(where: { $0.coordinate.distance(to: centre) < radius - 20 }) else {
        continue
      }
      visits += 1
      var engine = try engine()
      let (events, refused) = engine.judge(fixes)
      #expect(refused == [])
      let kinds = events.map(\.kind)
      #expect(kinds == [.crossed] || kinds == [.entered, .exited], "\(number)")
      guard let event = events.first, event.kind == .crossed else { continue }
      #expect(try #require(event.probability) >= 0.98)
      let bounds = try #require(event.bounds)
      #expect(bounds.upperBound - bounds.lowerBound <= .seconds(3 * step))
    }
    #expect(visits > 0)
  }

  /// However well it turns, a way that is longer than the speeds say wasn't gone.
  @Test(arguments: [11.0, 15, 20, 28], [0.0, 45, 90])
  func `a reflection on the way isn't enough`(step: Double, turn: Double) throws {
    for aside in [90.0, 150] {
      let speed = 10.0
      let last = Int(160 / step)
      var fixes = (0...last).map { index in
        let second = Double(index) * step
        return fix(
          second, place(second * speed, turning: turn), speed: speed,
          course: second * speed < 800 ? 0 : turn)
      }
      // To the left: the way turns to the right.
      let there = fixes[last / 2]
      let reflected = there.coordinate.moved(
        by: aside, bearing: try #require(there.course) - 90)
      fixes[last / 2].coordinate = reflected
      var engine = GeofencingTests.engine(
        try circle(aside / 2, around: reflected), assuming: .unsatisfied,
        parameters: DecisionParameters())
      #expect(engine.judge(fixes).transitions == [], "\(aside) m aside")
    }
  }

  /// Its speeds are none, whatever the courses say.
  @Test(arguments: [11.0, 15, 28, 45])
  func `a reflection at rest isn't enough`(step: Double) throws {
    var engine = try engine(east: 200)
    var fixes = (0..<20).map {
      report(Double($0) * step, speed: 0.3, course: Double($0 * 77 % 360), accuracy: 5)
    }
    fixes[12] = report(12 * step, east: 200, speed: 0.9, course: 200, accuracy: 5)
    #expect(engine.judge(fixes).transitions == [])
  }

  /// Nothing says which way it went.
  @Test func `without a course at each fix it isn't known`() throws {
    for hasCourse in [true, false] {
      var engine = try engine()
      let events = engine.judge(
        (0..<11).map { index in
          let second = Double(index) * 15 + 5
          var fix = fix(
            second, place(second * 10, turning: 90), speed: 10, course: second < 80 ? 0 : 90)
          if index == 5, !hasCourse { fix.course = nil }
          return fix
        }
      ).transitions
      #expect(events.map(\.kind) == (hasCourse ? [.crossed] : []))
    }
  }
}
