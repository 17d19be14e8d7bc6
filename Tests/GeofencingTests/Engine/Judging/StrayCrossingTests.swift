import Geofencing
import TestSupport
import Testing

/// A thin place, and single fixes beyond it where fixes are far apart: they may be reflections.
@Suite struct `A fix beyond a thin place` {
  /// A road of 20 m from the south to the north, and fixes at these seconds, east and north of its middle.
  private func events(
    _ fixes: [(second: Double, east: Double, north: Double)], speed: Double? = nil,
    course: Double? = 0
  ) throws -> [Transition] {
    var parameters = DecisionParameters.leaping
    parameters.crossedWithin = .seconds(60)
    var engine = engine(
      try corridor([[(0, -5_000), (0, 5_000)]], width: 20), assuming: .unsatisfied,
      parameters: parameters)
    return fixes.flatMap { fix in
      engine.process(
        report(
          fix.second, east: fix.east, north: fix.north, speed: speed,
          course: speed == nil ? nil : course))
    }
  }

  @Test(arguments: [10.0, 30, 60], [45.0, 80, 250])
  func `makes no way there and back of a receiver at rest`(interval: Double, aside: Double) throws {
    let fixes = (0..<8).map { number in
      (second: Double(number) * interval, east: number == 5 ? aside - 25 : -25, north: 0.0)
    }
    #expect(try events(fixes) == [])
  }

  @Test(arguments: [10.0, 20, 30], [60.0, 80, 130])
  func `makes none of a car that drives straight on beside it`(interval: Double, aside: Double)
    throws
  {
    let fixes = (0..<8).map { number in
      let second = Double(number) * interval
      return (second: second, east: number == 5 ? aside - 40 : -40, north: second * 12)
    }
    #expect(try events(fixes, speed: 12) == [])
  }

  @Test func `is believed with the next fix, where that stays there`() throws {
    let fixes = [0.0, 30, 60, 90, 120].map { second in
      (second: second, east: second < 80 ? -40.0 : 60, north: 0.0)
    }
    let told = try events(fixes)
    #expect(told.map(\.short) == ["crossed unsatisfied 120"])
    #expect(told.first?.bounds == at(60)...at(90))
  }

  @Test func `is believed with the next fix, where a car has changed to a parallel road`() throws {
    let fixes = (0..<8).map { number in
      let second = Double(number) * 20
      return (second: second, east: number < 5 ? -40.0 : 40, north: second * 12)
    }
    let told = try events(fixes, speed: 12)
    #expect(told.map(\.short) == ["crossed unsatisfied 120"])
    #expect(told.first?.bounds == at(80)...at(100))
  }

  @Test func `is believed at once where the fixes before lead there`() throws {
    let fixes = (0..<6).map { number in
      let second = Double(number) * 10
      return (second: second, east: second * 12 - 300, north: 0.0)
    }
    // With velocities, and without any by the way before.
    for speed in [12.0, nil] {
      let told = try events(fixes, speed: speed, course: 90)
      #expect(told.map(\.short) == ["crossed unsatisfied 30"])
    }
  }

  @Test(arguments: [102.0, 80])
  func `is believed behind a next fix that can't tell, or is inside`(next: Double) throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    let told = zip(0..., [-150.0, -150, 120, next, 120]).flatMap { number, metres in
      engine.process(fix(Double(number) * 30, metres))
    }
    #expect(told.map(\.short) == ["crossed unsatisfied 120"])
    #expect(told.first?.bounds == at(30)...at(60))
  }

  @Test func `isn't believed behind a next fix that can't tell, but is back`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    for (number, metres) in [-108.0, -108, 120, -103, -108].enumerated() {
      #expect(engine.process(fix(Double(number) * 10, metres)) == [])
    }
  }

  @Test func `may be followed by a way back, which the next fix after that tells`() throws {
    let told = try events([
      (0, -40, 0), (30, -40, 0), (60, 60, 0), (90, -60, 200), (120, -60, 400),
    ])
    #expect(told.map(\.short) == ["crossed unsatisfied 90", "crossed unsatisfied 120"])
    #expect(told.map(\.bounds) == [at(30)...at(60), at(60)...at(90)])
  }

  @Test(arguments: [102.0, 80])
  func `may be followed by a way back behind a fix that can't tell, or is inside`(
    next: Double
  ) throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    let told = zip(0..., [-150.0, -150, 120, next, -150, -150]).flatMap { number, metres in
      engine.process(fix(Double(number) * 10, metres))
    }
    #expect(told.map(\.short) == ["crossed unsatisfied 40", "crossed unsatisfied 50"])
    #expect(told.first?.bounds == at(10)...at(20))
    #expect(told.last?.bounds?.lowerBound == at(20))
  }

  @Test func `may be followed by a way straight on over the next place`() throws {
    let roads = [0.0, 200].map { [($0, -5_000.0), ($0, 5_000)] }
    var engine = engine(try corridor(roads, width: 20), assuming: .unsatisfied)
    let told = zip(0..., [-40.0, -40, 100, 240, 380]).flatMap { number, east in
      engine.process(report(Double(number) * 40, east: east, speed: nil))
    }
    #expect(told.map(\.short) == ["crossed unsatisfied 120", "crossed unsatisfied 160"])
    #expect(told.map(\.bounds) == [at(40)...at(80), at(80)...at(120)])
  }

  @Test func `is one above a band of altitudes, too`() throws {
    var engine = engine(
      try circle(altitude: AltitudeBand(minimum: 50, maximum: 70)), assuming: .unsatisfied)
    var told: [Transition] = []
    for (second, east, altitude) in [(0.0, 0.0, 40.0), (40, 0, 40), (80, 85, 90), (120, 85, 90)] {
      var fix = fix(second, east, accuracy: 15)
      (fix.altitude, fix.verticalAccuracy) = (altitude, 2)
      told += engine.process(fix)
    }
    #expect(told.map(\.short) == ["crossed unsatisfied 120"])
    #expect(told.first?.bounds == at(40)...at(80))
  }

  /// After that nobody knows where it was meanwhile.
  @Test func `is forgotten where nothing comes behind it`() throws {
    let fixes = [0.0, 30, 60, 90, 800, 801].map { second in
      (second: second, east: second < 80 ? -40.0 : 60, north: 0.0)
    }
    #expect(try events(fixes).map(\.kind) == [.undetermined, .determined])
  }
}
