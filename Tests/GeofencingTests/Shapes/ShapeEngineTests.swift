import Foundation
import Geofencing
import TestSupport
import Testing

private let yard = [(-100.0, -100.0), (100, -100), (100, 100), (-100, 100)]

extension ConditionEngine {
  fileprivate mutating func drive(_ metres: [Double]) -> [String] {
    zip(0..., metres).flatMap { process(fix(Double($0), $1)) }.map(\.short)
  }
}

@Suite struct `The engine on shapes` {
  @Test func `calls nothing too small that it believes somebody to be inside of`() throws {
    // Side by side, so that each alone would be.
    let lines = stride(from: -16.0, through: 16, by: 8).map { [($0, -500.0), ($0, 500)] }
    var engine = engine(try corridor(lines, width: 10))
    let told = engine.process(fix(0, 0, accuracy: 10))
    #expect(told.first?.state == .satisfied && told.first?.isAccuracyLimited == false)
    #expect(engine[home]?.status.isAccuracyLimited == false)
    var count = ConditionEngine.LimitedCount()
    engine.countLimited(&count, ofUser: nil)
    #expect(count.isComplete && count.limited == 0)
    // Where nobody could be believed to be inside they are.
    _ = engine.process(fix(1, 0, accuracy: 30))
    #expect(engine[home]?.status.isAccuracyLimited == true)
  }

  @Test func `calls too small before the first fix what is too small for the best of them`() throws
  {
    for (radius, isTooSmall) in [(8.0, true), (9, false)] {
      let corners = (0..<360).map { degree in
        let angle = Double(degree) * .pi / 180
        return (radius * cos(angle), radius * sin(angle))
      }
      for condition in [try circle(radius), try polygon([corners])] {
        var engine = engine(condition)
        #expect(engine[home]?.status.isAccuracyLimited == isTooSmall)
        var count = ConditionEngine.LimitedCount()
        engine.countLimited(&count, ofUser: nil)
        #expect(count.isComplete && count.limited == (isTooSmall ? 1 : 0))
      }
    }
  }

  @Test func `tells of a polygon what it tells of a circle`() throws {
    var square = engine(try polygon([yard]))
    var disc = engine(try circle())
    let way = [150.0, 150, 120, 50, 50, 50, 99, 101, 120, 130, 140, 150]
    let told = square.drive(way)
    #expect(told == disc.drive(way))
    #expect(told == ["determined unsatisfied 0", "entered satisfied 4", "exited unsatisfied 11"])
  }

  @Test func `takes a hole for outside`() throws {
    let hole = [(-40.0, -40.0), (40, -40), (40, 40), (-40, 40)]
    var engine = engine(try polygon([yard, hole]))
    #expect(
      engine.drive([0, 0, 0, 70, 70, 70, 0, 0, 0, 0]) == [
        "determined unsatisfied 0", "entered satisfied 4", "exited unsatisfied 9",
      ])
  }

  @Test func `sees that the way between two fixes led through`() throws {
    for condition in [
      try polygon([[(-30, -100), (30, -100), (30, 100), (-30, 100)]]),
      try corridor([[(0, -100), (0, 100)]], width: 60),
      // The middle of the way is outside: only one of the prongs is passed, far from the middle.
      try polygon([[(-140, -50), (-80, -50), (-80, 50), (-140, 50)]]),
    ] {
      var engine = engine(condition)
      _ = engine.process(fix(0, -200))
      let told = engine.process(fix(5, 200))
      #expect(told.map(\.kind) == [.crossed])
      #expect(told.first?.bounds == at(0)...at(5))
      #expect(try #require(told.first?.probability) > 0.99)
      #expect(try #require(told.first?.distance) > 100)
    }
    var beside = engine(
      try polygon([[(-30, 20), (30, 20), (30, 80), (-30, 80)]]))
    _ = beside.process(fix(0, -200))
    #expect(beside.process(fix(5, 200)) == [])
  }

  @Test func `tells nothing while a receiver wanders beside an edge`() throws {
    let wander: [Double] = (0..<300).map { 100 + 4 * sin(Double($0) / 9) }
    for condition in [
      try polygon([yard]),
      try corridor([[(0, -500), (0, 500)]], width: 200),
    ] {
      var engine = engine(condition)
      let told = engine.drive([50] + wander)
      #expect(told == ["determined satisfied 0"])
    }
  }

  /// To look for its middle in steps of its width would take for ever.
  @Test(.timeLimit(.minutes(10))) func `isn't held up by a needle`() throws {
    for width in [1.0, 1e-3, 1e-6] {
      var engine = engine(
        try polygon([[(-20_000, -15_000), (20_000, 15_000), (20_000, 15_000 + width)]]))
      _ = engine.process(fix(0, 0, accuracy: 15))
      #expect(engine[home]?.status.isAccuracyLimited == true)
    }
  }

  /// GEOS alone would cover the bounds with squares as wide as the needle: here 40 million and more.
  @Test(.timeLimit(.minutes(10)), arguments: [false, true], [1e-3, 1e-6])
  func `isn't held up by a needle along an axis`(isUpright: Bool, width: Double) throws {
    let corners = [(-20_000.0, 0.0), (20_000, 0), (20_000, width), (-20_000, width)]
    let needle = try polygon([isUpright ? corners.map { ($0.1, $0.0) }.reversed() : corners])
    var engine = engine(needle)
    _ = engine.process(fix(0, 0, accuracy: 15))
    #expect(engine[home]?.status.isAccuracyLimited == true)
  }

  @Test(arguments: [false, true])
  func `finds the middle of a long strip along an axis`(isUpright: Bool) throws {
    let corners = [(-20_000.0, -20.0), (20_000, -20), (20_000, 20), (-20_000, 20)]
    let strip = try polygon([isUpright ? corners.map { ($0.1, $0.0) }.reversed() : corners])
    for (accuracy, isLimited) in [(9.0, false), (25, true)] {
      var engine = engine(strip)
      _ = engine.process(fix(0, 0, accuracy: accuracy))
      #expect(engine[home]?.status.isAccuracyLimited == isLimited)
    }
  }

  @Test func `says when a shape is too small for the accuracy, and when not any more`() throws {
    for condition in [
      try polygon([[(-6, -6), (6, -6), (6, 6), (-6, 6)]]),
      try corridor([[(-500, 0), (500, 0)]], width: 10),
    ] {
      var engine = engine(condition)
      _ = engine.process(fix(0, 0, accuracy: 15))
      #expect(engine[home]?.status.isAccuracyLimited == true)
      #expect(engine[home]?.status.state == .unknown)
    }
    var wide = engine(try polygon([[(-9, -9), (9, -9), (9, 9), (-9, 9)]]))
    _ = wide.process(fix(0, 0))
    #expect(wide[home]?.status.isAccuracyLimited == false)
    #expect(wide[home]?.status.state == .satisfied)
  }

  // Neither costs more than a user may cost all others: it would be minutes without limits.
  @Test(.timeLimit(.minutes(10))) func `is not kept up by a star of needles`() throws {
    let corners = (0..<10_000).map { (index: Int) -> (Double, Double) in
      let radius: Double = index.isMultiple(of: 2) ? 5 : 5000
      let angle = Double(index) * Double.pi / 5000
      return (radius * sin(angle), radius * cos(angle))
    }
    var engine = engine(try polygon([corners]))
    #expect(engine.process(fix(0, 5200)).map(\.state) == [.unsatisfied])
  }

  @Test(.timeLimit(.minutes(10))) func `is not kept up by a line that goes to and fro`() throws {
    // Steps of 7 m and more through a square of 200 m, and a fix beside it.
    let points = (0..<20_000).map { (index: Int) -> (Double, Double) in
      (Double(index * 7919 % 201) - 100, Double(index * 104_729 % 199) - 100)
    }
    var engine = engine(try corridor([points], width: 20))
    for second in 0..<10 { #expect(engine.process(fix(Double(second), 111)) == []) }
    #expect(engine.process(fix(10, 0)).map(\.state) == [.satisfied])
  }

  @Test(.timeLimit(.minutes(10))) func `is not kept up by lines all along its side`() throws {
    // Parallels around the pole: each is tens of thousands of straight pieces that are all as far from it.
    let lines = (0..<500).map { (index: Int) in
      Position(longitude: Double(index % 3) * 120 - 120, latitude: 82 - Double(index) * 1e-8)
    }
    let pole = try Coordinate(validLatitude: 90, longitude: 0)
    let thin = try CorridorGeographicCondition(coordinates: [lines], width: 2)
    let away = try Condition(shape: .corridor(thin)).signedDistance(to: pole) + 1
    var engine = engine(
      try Condition(
        shape: .corridor(CorridorGeographicCondition(coordinates: [lines], width: 2 * away))))
    for second in 0..<120 {
      let fix = Location(
        timestamp: at(Double(second)), coordinate: pole, horizontalAccuracy: 3)
      #expect(engine.process(fix) == [])
    }
  }
}
