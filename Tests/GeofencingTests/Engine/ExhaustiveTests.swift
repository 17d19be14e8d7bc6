import TestSupport
import Testing

@testable import Geofencing

/// That what an engine leaves out changes nothing: two engines, of which one judges every condition at
/// every fix, say and know the same.
struct ExhaustiveTests {
  @Test(arguments: Array(1...8) + [40, 41, 63], [false, true])
  func `an engine that leaves out what can't change says and knows the same`(
    seed: UInt64, isBare: Bool
  ) throws {
    let events = try compare(
      World(seed: seed, isBare: isBare), conditions: 150, rounds: 600
    ).events
    #expect(events > 100)
  }

  @Test(arguments: [1, 3, 4, 5, 8], [false, true])
  func `one that knows how far the edges of shapes are says and knows the same`(
    seed: UInt64, isBare: Bool
  ) throws {
    let (events, _, judged) = try compare(
      World(seed: seed, isBare: isBare, isShaped: true), conditions: 30, rounds: 300)
    #expect(events > 20)
    // The other one judges each at every fix; around a pole, little is known of what is near.
    #expect(judged < 30 * 300 * 3 / 4)
  }

  @Test(arguments: Array(1...10), [false, true])
  func `one that knows the room between few circles says and knows the same`(
    seed: UInt64, isBare: Bool
  ) throws {
    let (events, inRoom, _) = try compare(
      World(seed: seed, isSparse: true, isBare: isBare), conditions: 20, rounds: 3_000)
    #expect(events > 20)
    #expect(inRoom > 200)
  }

  @Test(arguments: Array(1...6)) func `one whose receiver finds itself says and knows the same`(
    seed: UInt64
  ) throws {
    let events = try compare(
      World(seed: seed, isWaking: true), conditions: 150, rounds: 1_000
    ).events
    #expect(events > 100)
  }

  /// Has both go through a world; how many events there were, how many fixes in a room without lines, and
  /// how often the one that spares itself judged a condition.
  private func compare(
    _ world: World, conditions: Int, rounds: Int
  ) throws -> (events: Int, inRoom: Int, judged: Int) {
    var world = world
    var (inRoom, judged) = (0, 0)
    var sparing = ConditionEngine(parameters: .leaping)
    var exhaustive = ConditionEngine(parameters: .leaping)
    exhaustive.isExhaustive = true
    var events = 0
    func key(_ number: Int) -> ConditionKey {
      ConditionKey(
        monitor: MonitorKey(user: UInt32(number % 3), name: "m"), identifier: "c\(number)")
    }
    let names = conditions * 4 / 3
    for round in 0..<rounds {
      if round == 0 || world.one(in: rounds / 15) {
        for number in 0..<(round == 0 ? conditions : 4) {
          let number = round == 0 ? number : Int.random(in: 0..<names, using: &world.random)
          let state: ConditionState =
            world.one(in: 2) ? .unsatisfied : world.one(in: 4) ? .satisfied : .unknown
          let condition = try world.condition()
          #expect(
            sparing.add(condition, as: key(number), assuming: state, at: at(world.now))
              == exhaustive.add(condition, as: key(number), assuming: state, at: at(world.now)))
        }
      }
      if world.one(in: rounds / 15) {
        let number = Int.random(in: 0..<names, using: &world.random)
        #expect(
          sparing.remove(key(number), because: .removed, at: at(world.now))
            == exhaustive.remove(key(number), because: .removed, at: at(world.now)))
      }
      if world.one(in: 40) {
        let confidence = world.one(in: 2) ? 0.98 : world.number(0.5...0.9999)
        sparing.parameters.confidence = confidence
        exhaustive.parameters.confidence = confidence
      }
      let fix = world.fix()
      if sparing.surroundings.hasRoom(around: fix.coordinate, reach: 60) { inRoom += 1 }
      let told = sparing.process(fix)
      judged += sparing.found.count + sparing.loud.count
      let expected = exhaustive.process(fix)
      events += told.count
      try #require(told == expected, "round \(round)")
      if world.one(in: 100) {
        let later = at(world.now + 700)
        try #require(sparing.advance(to: later) == exhaustive.advance(to: later), "round \(round)")
      }
      guard round % 10 == 0 else { continue }
      for key in exhaustive.keys {
        let known = try #require(sparing[key])
        let all = try #require(exhaustive[key])
        try #require(known.condition == all.condition)
        try #require(known.status == all.status, "\(key.identifier) in round \(round)")
      }
      #expect(sparing.counts(ofUser: 1) == exhaustive.counts(ofUser: 1))
      #expect(sparing.accuracyLimited(ofUser: 1) == exhaustive.accuracyLimited(ofUser: 1))
      let nearest = exhaustive.nearest(5, where: { _ in true })
      #expect(sparing.nearest(5, where: { _ in true }).conditions == nearest.conditions)
    }
    return (events, inRoom, judged)
  }

  /// A circle, or a square, whose edge is 200 m to the east.
  @Test(arguments: [false, true])
  func `what asks for more confidence is unsure of fixes farther away`(isSquare: Bool) throws {
    let corners = (0...4).map { corner in
      Position(centre.moved(by: 200 * 2.0.squareRoot(), bearing: 45 - Double(corner % 4) * 90))
    }
    let condition = try Condition(
      shape: isSquare
        ? .polygon(PolygonalGeographicCondition(coordinates: [[corners]]))
        : .circle(CircularGeographicCondition(center: centre, radius: 200)),
      confidence: 0.9999)
    var (sparing, exhaustive) = engines(condition, assuming: .unsatisfied)
    var told: [Transition] = []
    // The second comes after a gap, too close to the line for that confidence and not for the default.
    for (second, metres) in [(0.0, 300.0), (30, 269), (31, 110), (32, 110)] {
      let fix = Location(
        timestamp: at(second), coordinate: centre.moved(by: metres, bearing: 90),
        horizontalAccuracy: 25.2)
      let transitions = sparing.process(fix)
      #expect(transitions == exhaustive.process(fix))
      #expect(sparing.doubts == exhaustive.doubts)
      told += transitions
    }
    #expect(told.map(\.kind) == [.entered])
    #expect(told.first?.bounds?.lowerBound == at(0))
  }

  /// With a fix in ten seconds, along the line of a circle, with a hop that may be a reflection.
  @Test func `no way begins before a hop, also where the fix behind it can't tell`() throws {
    let condition = try Condition(circle: CircularGeographicCondition(center: centre, radius: 40))
    var (sparing, exhaustive) = engines(
      condition, assuming: .unknown, parameters: DecisionParameters())
    var told: [Transition] = []
    for (number, fix) in [
      (42.6, 33.2, 0.57, 255.0), (37.7, 33, 0.4, 255), (33.4, 32.2, 0.47, 255),
      (29.2, 30.4, 0.51, 255), (-13.2, 31.9, 0.6, 256), (-20.6, 31, 0.74, 256),
      (-27.5, 29.1, 0.73, 256), (-35.9, 27, 0.86, 256), (-40.8, 33.8, 0.85, 328),
    ].enumerated() {
      let (east, north, speed, course) = fix
      let fix = report(
        10 * Double(number), east: east, north: north, speed: speed, course: course,
        accuracy: 2.476)
      let transitions = sparing.process(fix)
      #expect(transitions == exhaustive.process(fix))
      told += transitions
    }
    #expect(told.map(\.kind) == [.determined])
  }
}
