import TestSupport
import Testing

@testable import Geofencing

@Suite struct `The engine` {
  @Test func `changes nothing when an equal condition is added`() throws {
    var engine = engine(try circle())
    _ = engine.take("oi")
    let before = engine[home]?.status
    #expect(engine.add(try circle(), as: home, assuming: .satisfied, at: at(5)) == .unchanged)
    #expect(engine[home]?.status == before)
    // The first fix inside still counts: no crossing is lost.
    #expect(engine.take("i", from: 2).map(\.short) == ["entered satisfied 2"])
  }

  @Test func `misses no entry after a fix that could have been a hundred kilometres away`() throws {
    let center = try Coordinate(validLatitude: 59.1554754, longitude: 12.3752680)
    var engine = engine(try circle(around: center))
    let somewhere = Location(
      timestamp: at(0), coordinate: try Coordinate(validLatitude: 60, longitude: 10),
      horizontalAccuracy: 100_000)
    #expect(engine.process(somewhere).map(\.short) == ["determined unsatisfied 0"])
    let told = (0..<5).flatMap { second in
      engine.process(
        Location(timestamp: at(200 + Double(second)), coordinate: center, horizontalAccuracy: 5))
    }
    #expect(told.map(\.kind) == [.entered])
  }

  @Test func `ends the visit when a satisfied condition is replaced`() throws {
    var engine = engine(try circle())
    let beginning = engine.take("iiiii").first
    let determined = try #require(beginning)
    let addition = engine.add(try circle(200), as: home, at: at(9999), fixTime: at(7))
    guard case .replaced(let end?) = addition else {
      throw TestFailure("not replaced but \(addition)")
    }
    #expect(end.short == "unmonitored unmonitored 7")
    #expect(end.previousState == .satisfied)
    #expect(end.reason == .replaced)
    #expect(end.visit == determined.visit)
    // By the clock of the fixes: the system's may be years off.
    #expect(end.duration == .seconds(7))
    #expect(engine[home]?.status.state == .unknown)
    #expect(engine[home]?.condition == (try circle(200)))
    #expect(engine.take("i", from: 8).map(\.short) == ["determined satisfied 8"])
  }

  @Test(arguments: [ConditionState.unknown, .unsatisfied])
  func `tells nothing when a condition that isn't satisfied is replaced`(
    state: ConditionState
  ) throws {
    var engine = engine(try circle(), assuming: state)
    #expect(
      engine.add(try circle(200), as: home, assuming: .unsatisfied, at: at(0)) == .replaced(nil))
    #expect(engine[home]?.status.state == .unsatisfied)
    #expect(engine.count == 1)
  }

  @Test(arguments: [
    (ConditionState.satisfied, "i"), (.unsatisfied, "o"), (.unknown, "u"),
  ])
  func `ends the watch of a condition that is removed`(
    state: ConditionState, fixes: String
  ) throws {
    var engine = engine(try circle())
    let visit = engine.take(fixes).first?.visit
    let removal = engine.remove(home, because: .removed, at: at(60))
    let end = try #require(removal)
    #expect(end.short == "unmonitored unmonitored 60")
    #expect(end.previousState == state)
    #expect(end.reason == .removed)
    #expect(end.visit == visit)
    #expect((end.duration != nil) == (state == .satisfied))
    #expect(engine[home] == nil)
    #expect(engine.count == 0)
    #expect(engine.remove(home, because: .removed, at: at(61)) == nil)
    #expect(engine.take("oooo", from: 62) == [])
  }

  @Test func `measures the last visit by the clock of the fixes`() throws {
    var engine = engine(try circle())
    _ = engine.take("iiiiiiiiiii")
    // The receiver's clock is 20 years behind.
    let end = engine.remove(home, because: .removed, at: at(20 * 31_556_952))
    #expect(end?.duration == .seconds(10))
  }

  @Test func `ends conditions when their time is over, each at its own`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    func key(_ name: String) -> ConditionKey { ConditionKey(monitor: monitor, identifier: name) }
    for (name, expires) in [("c", 100.0), ("a", 200), ("b", 100), ("late", 301), ("never", nil)] {
      _ = engine.add(
        try circle(expires: expires.map(at)), as: key(name), at: at(0))
    }
    _ = engine.take("i")
    #expect(engine.nextExpiry == at(100))
    #expect(engine.expire(at: at(99)) == [])
    let ends = engine.expire(at: at(300))
    #expect(ends.map(\.key.identifier) == ["b", "c", "a"])
    #expect(ends.map(\.date) == [at(100), at(100), at(200)])
    #expect(ends.allSatisfy { $0.reason == .expired && $0.kind == .unmonitored })
    #expect(engine.nextExpiry == at(301))
    #expect(engine.expire(at: at(301)).map(\.key.identifier) == ["late"])
    #expect(engine.nextExpiry == nil)
    #expect(engine.count == 1)
  }

  @Test func `counts conditions by user and state`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    for user in UInt32(1)...2 {
      for (name, radius) in [("in", 200.0), ("tiny", 5), ("out", 50)].prefix(Int(user) + 1) {
        _ = engine.add(
          try circle(radius),
          as: ConditionKey(monitor: MonitorKey(user: user, name: "m"), identifier: name), at: at(0))
      }
    }
    _ = engine.process(fix(0, 100))
    #expect(engine.counts(ofUser: nil) == (5, 2))
    #expect(engine.counts(ofUser: 2) == (3, 1))
    #expect(engine.counts(ofUser: 9) == (0, 0))
    #expect([nil, 2, 9].map { engine.accuracyLimited(ofUser: $0) } == [2, 1, 0])
    // One with options isn't a plain circle besides.
    _ = engine.add(try circle(5, enterAfter: .seconds(60)), as: home, at: at(0))
    #expect(engine.accuracyLimited(ofUser: nil) == 3)
  }

  @Test func `counts in pieces which polygons are too small, and keeps what that takes`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    let monitor = MonitorKey(user: 1, name: "m")
    let keys = (0..<5).map { ConditionKey(monitor: monitor, identifier: "p\($0)") }
    for number in 0..<5 {
      let center = try Coordinate(validLatitude: 10 + Double(number), longitude: 10)
      let corners = [0.0, -90, 180, 90, 0].map { Position(center.moved(by: 10, bearing: $0)) }
      _ = engine.add(
        try Condition(shape: .polygon(PolygonalGeographicCondition(coordinates: [[corners]]))),
        as: keys[number], assuming: .unsatisfied, at: at(0))
    }
    // Two large circles, and ever more small ones than a piece has.
    for (name, radius) in [("large", 1_000.0), ("larger", 2_000)] {
      _ = engine.add(
        try circle(radius), as: ConditionKey(monitor: monitor, identifier: name), at: at(0))
    }
    for number in 0..<2_100 {
      _ = engine.add(
        try circle(5), as: ConditionKey(monitor: monitor, identifier: "c\(number)"), at: at(0))
    }
    _ = engine.process(fix(0, 100))
    engine.prepareAccuracyLimited(keys[4])
    #expect(engine.special.prepared.count { $0.shape.lacksInnermost(for: 100) } == 4)
    var count = ConditionEngine.LimitedCount()
    var pieces: [Int] = []
    while !count.isComplete {
      engine.countLimited(&count, ofUser: 1, atMost: 2)
      pieces.append(count.limited)
    }
    // The first slots are those of the polygons and of the large ones.
    #expect(pieces == [2, 4, 5 + 2_048 - 7, 2_105])
    #expect(engine.special.prepared.allSatisfy { !$0.shape.lacksInnermost(for: 100) })
    #expect(engine.accuracyLimited(ofUser: nil) == 2_105)
    #expect(engine.accuracyLimited(ofUser: 2) == 0)
  }

  @Test func `takes a building for no smaller because another one lies far away`() throws {
    func square(around center: Coordinate) -> [[Position]] {
      let corners = [45.0, 135, 225, 315, 45].map { center.moved(by: 20, bearing: $0) }
      return [corners.reversed().map { Position($0) }]
    }
    let near = square(around: centre)
    for longitude in [8.6, 50, 179.9999] {
      let far = square(around: try Coordinate(validLatitude: -20, longitude: longitude))
      var engine = ConditionEngine()
      for (name, polygons) in [("one", [near]), ("two", [near, far])] {
        let polygon = try PolygonalGeographicCondition(coordinates: polygons)
        _ = engine.add(
          try Condition(shape: .polygon(polygon)),
          as: ConditionKey(monitor: home.monitor, identifier: name), at: at(0))
      }
      _ = engine.process(
        Location(timestamp: at(1), coordinate: centre, horizontalAccuracy: 6))
      #expect(engine.accuracyLimited(ofUser: nil) == 0, "\(longitude)")
    }
  }

  @Test func `takes a building for no smaller because halves of it have other corners`() throws {
    let west = [(179.9998, 9.9998), (180, 9.9998), (180, 10.0002), (179.9998, 10.0002)]
    let east = [
      (-180.0, 9.9998), (-179.9998, 9.9998), (-179.9998, 10.0002), (-180, 10.0002), (-180, 10),
    ]
    var engine = engine(
      try Shapes.polygons([[west], [east]]), parameters: DecisionParameters())
    let middle = try Coordinate(validLatitude: 10, longitude: 180)
    _ = engine.process(Location(timestamp: at(1), coordinate: middle, horizontalAccuracy: 6))
    #expect(engine.accuracyLimited(ofUser: nil) == 0)
  }

  @Test func `says at once that a condition is too small for the accuracy`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    _ = engine.process(fix(0, 0, accuracy: 50))
    _ = engine.add(try circle(20), as: home, at: at(0))
    #expect(engine[home]?.status.isAccuracyLimited == true)
  }

  @Test(arguments: [0.0, 300])
  func `what is left comes before what is entered with the same fix`(from start: Double) throws {
    var parameters = DecisionParameters.leaping
    (parameters.enterFixes, parameters.exitFixes) = (1, 1)
    (parameters.enterTime, parameters.exitTime) = (.zero, .zero)
    var engine = ConditionEngine(parameters: parameters)
    for (name, east) in [("a", 0.0), ("b", 300)] {
      _ = engine.add(
        try circle(around: centre.moved(by: east, bearing: 90)),
        as: ConditionKey(monitor: monitor, identifier: name), at: at(0))
    }
    let end = 300 - start
    _ = engine.process(fix(1, start))
    let told = engine.process(fix(2, end))
    #expect(told.map(\.kind) == [.exited, .entered])
  }

  @Test func `tells what happened at one time in the order of the keys`() throws {
    let names = (0..<40).map { "c\($0)" }
    var runs: [[Transition]] = []
    for seed in UInt64(0)..<4 {
      var random = SplitMix64(seed: seed)
      var engine = ConditionEngine(parameters: .leaping)
      for name in names.shuffled(using: &random) {
        let radius = Double(50 + (name.utf8.last.map { Int($0) } ?? 0) * 3)
        _ = engine.add(
          try circle(radius), as: ConditionKey(monitor: monitor, identifier: name), at: at(0))
      }
      var transitions = engine.take("oiiiooooou")
      transitions += engine.take("i", from: 900)
      runs.append(transitions)
    }
    #expect(runs[0].count > 100)
    #expect(runs.allSatisfy { $0 == runs[0] })
    let determined = runs[0].prefix(40).map(\.key)
    #expect(determined == determined.sorted())
  }
}
