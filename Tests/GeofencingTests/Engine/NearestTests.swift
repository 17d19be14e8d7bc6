import TestSupport
import Testing

@testable import Geofencing

/// The conditions nearest to the present position, against a look at all of them.
struct NearestTests {
  private func key(_ number: Int, user: UInt32 = 1000) -> ConditionKey {
    ConditionKey(monitor: MonitorKey(user: user, name: "m"), identifier: "c-\(number)")
  }

  private func add(_ shape: Condition.Shape, as key: ConditionKey, to engine: inout ConditionEngine)
    throws
  {
    _ = engine.add(try Condition(shape: shape), as: key, at: at(0))
  }

  @Test(arguments: [0.02, 5.0, 80.0])
  func `they are those that a look at all finds, in its order`(spread: Double) throws {
    var random = SplitMix64(seed: UInt64(spread * 100))
    var engine = ConditionEngine(parameters: .leaping)
    func place() throws -> Coordinate {
      try Coordinate(
        validLatitude: .random(in: -spread...spread, using: &random),
        longitude: .random(in: -spread...spread, using: &random))
    }
    for number in 0..<400 {
      let center = try place()
      let radius = Double.random(in: 1...min(spread * 30_000, 2_000_000), using: &random)
      try add(
        .circle(CircularGeographicCondition(center: center, radius: radius)), as: key(number),
        to: &engine)
    }
    for number in 400..<440 {
      let corner = try place()
      try add(
        .corridor(
          CorridorGeographicCondition(
            coordinates: [[Position(corner), Position(corner.moved(by: 500, bearing: 40))]],
            width: 60)), as: key(number), to: &engine)
    }
    for second in 1...20 {
      _ = engine.process(
        Location(
          timestamp: at(Double(second) * 5000), coordinate: try place(), horizontalAccuracy: 3))
      let position = try #require(engine.lastEstimate?.coordinate)
      let all = engine.keys.compactMap { key in
        engine[key].map { ($0.condition.signedDistance(to: position), key) }
      }.sorted { $0 < $1 }
      for limit in [1, 7, 50, 1000] {
        let (found, total) = engine.nearest(limit) { _ in true }
        #expect(found.map(\.key) == all.prefix(limit).map(\.1))
        #expect(found.map(\.distance) == all.prefix(limit).map(\.0))
        #expect(total == 440)
      }
    }
  }

  @Test func `what holds nearly the whole globe has one deepest inside, far from its edge`()
    throws
  {
    var engine = ConditionEngine(parameters: .leaping)
    let centre = try Coordinate(validLatitude: 48.1, longitude: 11.5)
    try add(
      .circle(CircularGeographicCondition(center: centre, radius: 100)), as: key(1), to: &engine)
    let globe = [(-180.0, -90.0), (180, -90), (180, 90), (-180, 90)]
    let square = [(0.0, 0.0), (0, 0.005), (0.005, 0.005), (0.005, 0)]
    try add(Shapes.polygon([globe, square]).shape, as: key(2), to: &engine)
    _ = engine.process(
      Location(timestamp: at(0), coordinate: centre, horizontalAccuracy: 3))
    for limit in [1, 2] {
      let (found, total) = engine.nearest(limit) { _ in true }
      #expect(found.map(\.key) == Array([key(2), key(1)].prefix(limit)))
      #expect(total == 2)
    }
  }

  @Test(arguments: [3, 30]) func `a few among those of others are found`(others: Int) throws {
    var engine = ConditionEngine(parameters: .leaping)
    for number in 0..<(others * 64) { _ = engine.add(try circle(), as: key(number), at: at(0)) }
    let far = try Coordinate(validLatitude: -40, longitude: 170)
    let own = (1...5).map { key($0, user: 7) }
    for (number, key) in own.enumerated() {
      let center = far.moved(by: Double(number) * 10_000, bearing: 90)
      try add(
        .circle(CircularGeographicCondition(center: center, radius: 100)), as: key, to: &engine)
    }
    let before = engine.nearest(3) { $0.user == 7 }
    #expect(before.conditions.map(\.key) == Array(own.prefix(3)))
    _ = engine.process(Location(timestamp: at(0), coordinate: centre, horizontalAccuracy: 3))
    let all = own.compactMap { key in
      engine[key].map { ($0.condition.signedDistance(to: centre), key) }
    }.sorted { $0 < $1 }
    let (found, total) = engine.nearest(3) { $0.user == 7 }
    #expect(found.map(\.key) == all.prefix(3).map(\.1))
    #expect(found.map(\.distance) == all.prefix(3).map(\.0))
    #expect(total == 5 && engine.nearest(3) { $0.user == 8 }.total == 0)
  }

  @Test func `before the first fix they have no distance, and come by their names`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    for number in [5, 3, 9, 1] { _ = engine.add(try circle(), as: key(number), at: at(0)) }
    let (found, total) = engine.nearest(2) { _ in true }
    #expect(found.map(\.key) == [key(1), key(3)])
    #expect(found.allSatisfy { $0.distance == nil && $0.probability == nil })
    #expect(total == 4)
    #expect(engine.nearest(0) { _ in true }.conditions == [])
  }

  @Test func `only those that count are looked at`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    _ = engine.add(try circle(), as: key(1), at: at(0))
    _ = engine.add(try circle(), as: key(2, user: 7), at: at(0))
    let (found, total) = engine.nearest(9) { $0.user == 7 }
    #expect(found.map(\.key) == [key(2, user: 7)])
    #expect(total == 1)
  }

  @Test func `they say what is being confirmed, and when it is over`() throws {
    var engine = engine(try circle(exitAfter: .seconds(2)))
    _ = engine.take("ii")
    #expect(engine.nearest(1) { _ in true }.conditions.first?.confirmation == nil)
    _ = engine.take("oo", from: 2)
    let leaving = try #require(engine.nearest(1) { _ in true }.conditions.first)
    #expect(leaving.state == .satisfied)
    #expect(
      leaving.confirmation
        == Confirmation(
          state: .unsatisfied, fixes: 2, fixesNeeded: 3, span: .seconds(1),
          spanNeeded: .seconds(2), isUnproven: false, isBeyondDoubt: false))
    #expect(try #require(leaving.distance) > 0)
    _ = engine.take("o", from: 4)
    let left = try #require(engine.nearest(1) { _ in true }.conditions.first)
    #expect(left.state == .unsatisfied && left.confirmation == nil)
  }

  @Test func `a circle that no fix could be inside of says so`() throws {
    var engine = engine(try circle(2))
    _ = engine.process(fix(0, 500))
    #expect(engine.nearest(1) { _ in true }.conditions.first?.isAccuracyLimited == true)
  }
}
