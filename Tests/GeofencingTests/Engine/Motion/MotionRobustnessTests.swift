import Geofencing
import TestSupport
import Testing

@Suite struct `Whatever a receiver says` {
  /// A commute: parked, a drive past and into circles, parked, and back.
  func commute(seed: UInt64) -> [Location] {
    var receiver = WanderingReceiver(seed: seed)
    var east = 0.0
    return seconds(0, 5400).map { second in
      let velocity: Double =
        switch second {
        case 1200..<1500: 14
        case 3600..<3900: -14
        default: 0
        }
      east += velocity
      return receiver.report(second, east: east, velocity: (velocity, 0))
    }
  }

  func engine(_ places: [(east: Double, radius: Double)]) throws -> ConditionEngine {
    var engine = ConditionEngine()
    for (index, place) in places.enumerated() {
      let center = centre.moved(by: place.east, bearing: 90)
      _ = engine.add(
        try circle(place.radius, around: center),
        as: ConditionKey(monitor: monitor, identifier: "\(index)"), at: at(0))
    }
    return engine
  }

  /// What happened at a place: having crossed it is to have come and gone.
  func story(of key: ConditionKey, in transitions: [Transition]) -> [EventKind] {
    transitions.filter { $0.key == key }.flatMap {
      $0.kind == .crossed ? [.entered, .exited] : [$0.kind]
    }
  }

  static let places = [(0.0, 50.0), (0, 15), (45, 25), (1500, 60), (4200, 80), (4260, 40)]

  @Test(arguments: 1...3) func `the same fixes give the same transitions`(seed: UInt64) throws {
    let fixes = commute(seed: seed)
    var first = try engine(Self.places)
    var second = try engine(Self.places)
    let transitions = first.judge(fixes).transitions
    #expect(second.judge(fixes).transitions == transitions)
    // There is something to compare.
    #expect(transitions.count > 10)
  }

  @Test(arguments: 1...3) func `a restart invents no events`(seed: UInt64) throws {
    let fixes = commute(seed: seed)
    var whole = try engine(Self.places)
    let expected = whole.judge(fixes).transitions
    for every in [97, 601, 1301] {
      var engine = try engine(Self.places)
      var transitions: [Transition] = []
      for (index, fix) in fixes.enumerated() {
        if index > 0, index.isMultiple(of: every) {
          var next = ConditionEngine(parameters: engine.parameters)
          next.restore(lastFix: engine.lastFix)
          for place in Self.places.indices {
            let key = ConditionKey(monitor: monitor, identifier: "\(place)")
            let (condition, status) = try #require(engine[key])
            next.restore(condition, as: key, status: status.stored)
          }
          engine = next
        }
        transitions += engine.process(fix)
      }
      for place in Self.places.indices {
        let key = ConditionKey(monitor: monitor, identifier: "\(place)")
        #expect(
          story(of: key, in: transitions) == story(of: key, in: expected),
          "place \(place), a restart every \(every) s")
      }
    }
  }

  /// Numbers for ``DecisionParameters``, the ends of their ranges among them.
  func parameters(_ random: inout SplitMix64) -> DecisionParameters {
    func one<T>(of values: T...) -> T {
      values[Int(random.next() % UInt64(values.count))]
    }
    var parameters = DecisionParameters()
    parameters.minimumSigma = one(of: 0.1, 3, 3, 1000)
    parameters.accuracyFactor = one(of: 1, 1.2, 10)
    parameters.jumpTime = .seconds(one(of: 0, 30, 3600))
    parameters.confidence = one(of: 0.5, 0.98, 0.9999)
    parameters.stillConfidence = one(of: 0.5, 0.999, 0.999_999)
    parameters.certainty = one(of: 0.5, 0.999, 1)
    parameters.unknownAfter = .seconds(one(of: 10, 600, 30 * 86_400))
    parameters.gap = .seconds(one(of: 1, 10, 86_400))
    parameters.crossedWithin = .seconds(one(of: 0, 60, 3600))
    parameters.enterFixes = one(of: 1, 2, 100)
    parameters.exitFixes = one(of: 1, 3, 100)
    return parameters
  }

  @Test(arguments: 1...40)
  func `numbers stay finite, and events make sense`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func one<T>(of values: T...) -> T {
      values[Int(random.next() % UInt64(values.count))]
    }
    let origins = [
      centre, Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -89.9999, longitude: 12),
      Coordinate(latitude: 0.0001, longitude: 180),
    ].compactMap { $0 }
    let origin = origins[Int(seed) % origins.count]
    var engine = ConditionEngine(parameters: parameters(&random))
    for (index, radius) in [10.0, 60, 500, 20_000].enumerated() {
      let center = origin.moved(by: random.uniform(0...300), bearing: random.uniform(0...360))
      _ = engine.add(
        try circle(radius, around: center),
        as: ConditionKey(monitor: monitor, identifier: "\(index)"),
        assuming: one(of: .unknown, .satisfied, .unsatisfied), at: at(0))
    }
    let step = one(of: 0.1, 1, 1, 5, 60, 599, 700)
    let fastest = one(of: 0.0, 1.4, 30, 300)
    let error = one(of: 0.01, 3, 20, 300)
    var (now, east, north) = (at(0), 0.0, 0.0)
    for _ in 0..<250 {
      now =
        now + .milliseconds(Int(1000 * (random.chance(0.03) ? random.uniform(0.1...900) : step)))
      let turnsBack = random.chance(0.01)
      if turnsBack {
        now = one(of: now + .seconds(-86_400), Timestamp(nanoseconds: .min), at(0))
      }
      let heading = random.uniform(0...360)
      east += fastest * step * random.normal()
      north += fastest * step * random.normal()
      let jump = random.chance(0.05) ? 3000.0 : error
      var fix = report(
        0, east: east + jump * random.normal(), north: north + jump * random.normal(),
        speed: fastest * random.unit(), course: random.chance(0.8) ? heading : nil,
        accuracy: random.chance(0.8) ? error * 1.5 : nil, from: origin)
      fix.timestamp = now
      fix.followsDiscontinuity = turnsBack
      if random.chance(0.03) { fix.speed = one(of: nil, 1e3, 9999, 1e9, 1.7e308) }
      if random.chance(0.03) { fix.horizontalAccuracy = one(of: 1e-300, 1e9, 1.7e308) }
      for transition in engine.process(fix) {
        if let distance = transition.distance {
          #expect(distance.isFinite)
          #expect((distance < 0) == (transition.state == .satisfied))
        }
        #expect((0...1).contains(transition.probability ?? 0))
      }
      let sigma = try #require(engine.lastEstimate).sigma
      #expect(sigma.isFinite && sigma >= min(engine.parameters.minimumSigma, 2))
    }
    // A quarter of an hour of sense ends it all, whatever came before.
    let clean = DecisionParameters()
    engine.parameters = clean
    for second in seconds(1, 900) {
      var fix = report(0, speed: 0.02, course: 10, from: origin)
      fix.timestamp = now + .milliseconds(Int(second * 1000))
      _ = engine.process(fix)
      if second > 700 { #expect(engine.lastFix == fix) }
    }
    let estimate = try #require(engine.lastEstimate)
    #expect(estimate.isStill == true)
    #expect(estimate.coordinate.distance(to: origin) < max(20, 3 * estimate.sigma))
  }

  @Test func `one that claims too much at rest has no better altitudes`() throws {
    var receiver = WanderingReceiver(seed: 6)
    (receiver.drift, receiver.accuracy) = (8, 5)
    var height = WanderingReceiver(seed: 7)
    height.drift = 8
    var engine = GeofencingTests.engine(
      try circle(500, altitude: AltitudeBand(minimum: nil, maximum: 104)))
    var events: [Transition] = []
    for second in seconds(0, 4 * 3600) {
      var fix = receiver.report(second)
      // Its error upwards is one to the north of another.
      fix.altitude = 100 + (height.report(second).coordinate.latitude - centre.latitude) * 111_000
      fix.verticalAccuracy = 5
      events += engine.process(fix).filter { second > 600 && $0.kind != .determined }
    }
    #expect(events == [])
  }
}
