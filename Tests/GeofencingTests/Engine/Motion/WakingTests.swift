import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// A receiver of something at rest that is silent for a while, as when it is released to save power.
@Suite struct `After a silence at rest` {
  /// An engine with a row of circles from the centre to the east, of which the first one is satisfied.
  private func engine(
    circles count: Int, metresApart spacing: Double, radius: Double
  ) throws -> ConditionEngine {
    var engine = ConditionEngine()
    for place in 0..<count {
      let center = centre.moved(by: Double(place) * spacing, bearing: 90)
      _ = engine.add(
        try circle(radius, around: center),
        as: ConditionKey(monitor: home.monitor, identifier: "place-\(place)"),
        assuming: place == 0 ? .satisfied : .unsatisfied, at: at(0))
    }
    return engine
  }

  private static let silences = [30.0, 60, 183, 400]

  /// In a reflection speeds are worse too.
  @Test(arguments: silences, [2.0, 5, 20])
  func `a reflection with noisy speeds is none of it`(silence: Double, length: Double) throws {
    for seed: UInt64 in 1...10 {
      var engine = try ConditionEngine.insideHome()
      var receiver = WanderingReceiver(seed: seed)
      var random = SplitMix64(seed: seed)
      _ = engine.judge(seconds(0, 600).map { receiver.report($0) })
      let back = 600 + silence
      let fixes = seconds(back, back + 120).map { second in
        let isReflected = second < back + length
        let velocity = (0.4 * random.normal(), 0.4 * random.normal())
        return isReflected
          ? receiver.report(second, east: 100, velocity: velocity) : receiver.report(second)
      }
      #expect(engine.judge(fixes).transitions == [])
    }
  }

  /// As seen by who looks at a released receiver now and then.
  @Test func `a look goes on while fixes contradict what was believed`() throws {
    var engine = try ConditionEngine.insideHome()
    _ = engine.judge(seconds(0, 600).map { report($0, speed: 0.05, course: 90) })
    #expect(!engine.isConfirming)
    _ = engine.judge(seconds(783, 787).map { report($0, east: 100, speed: 0.4, course: 90) })
    #expect(engine.isConfirming)
    _ = engine.judge([report(787, speed: 0.05, course: 90)])
    #expect(!engine.isConfirming)
  }

  @Test(arguments: silences) func `who has walked away is told half a minute later`(
    silence: Double
  ) throws {
    var engine = try ConditionEngine.insideHome()
    _ = engine.judge(seconds(0, 600).map { report($0, speed: 0.05, course: 90) })
    let way = seconds(0, 60).map { second in
      report(
        600 + silence + second, east: 1.3 * (silence + second), speed: 1.3, course: 90)
    }
    let left = try #require(engine.judge(way).transitions.first)
    #expect(left.kind == .exited)
    #expect(left.date <= at(600 + silence + max(35, 40 - silence + 35)))
    let crossed = at(600 + 50 / 1.3)
    #expect(left.bounds.map { $0.contains(crossed) } ?? (silence < 50 / 1.3))
  }

  @Test(arguments: silences) func `who drives is told at once`(silence: Double) throws {
    var engine = try ConditionEngine.insideHome()
    _ = engine.judge(seconds(0, 600).map { report($0, speed: 0.05, course: 90) })
    let way = seconds(0, 20).map { second in
      report(600 + silence + second, east: 12 * (silence + second), speed: 12, course: 90)
    }
    let (transitions, refused) = engine.judge(way)
    #expect(refused == [])
    #expect(try #require(transitions.first).date <= at(600 + silence + 3))
  }

  /// As between houses, where a few fixes come now and then: each few of them are refused, or unproven.
  @Test(arguments: [(5.0, 45.0, 0.95), (3, 30, 0.8), (25, 60, 1.3)], [true, false])
  func `who walks on in sight now and then is told all the same`(
    pattern: (on: Double, off: Double, speed: Double), standsInSight: Bool
  ) throws {
    var engine = try engine(circles: 10, metresApart: 200, radius: 80)
    var random = SplitMix64(seed: 4)
    var (east, fixes) = (0.0, seconds(0, 600).map { report($0, speed: 0.05, course: 90) })
    for second in seconds(600, 3600) {
      let isInSight =
        (second - 600).truncatingRemainder(dividingBy: pattern.on + pattern.off) >= pattern.off
      let speed = isInSight && standsInSight ? 0 : pattern.speed
      east += speed
      guard isInSight else { continue }
      let told = abs(speed + 0.1 * random.normal())
      fixes.append(report(second, east: east + random.normal(), speed: told, course: 90))
    }
    let transitions = engine.judge(fixes).transitions
    #expect(!transitions.contains { $0.kind == .undetermined })
    let reached = Int((east - 200) / 200)
    let exits = transitions.filter { $0.kind == .exited }
    #expect(exits.count >= min(reached, 9) / 2, "\(transitions.map(\.short))")
    let first = try #require(exits.first).date
    #expect(first <= at(600 + 4 * (pattern.on + pattern.off) + 90), "\(first)")
  }

  @Test(arguments: [60.0, 183, 400]) func `who walks first and drives then is told of all circles`(
    silence: Double
  ) throws {
    var engine = try engine(circles: 4, metresApart: 160, radius: 50)
    _ = engine.judge(seconds(0, 600).map { report($0, speed: 0.05, course: 90) })
    let back = 600 + silence
    let way = seconds(back, back + 60).map { second in
      let walked = 55 + 1.3 * min(second - back, 4)
      let isDriving = second >= back + 4
      return report(
        second, east: walked + (isDriving ? 14 * (second - back - 4) : 0),
        speed: isDriving ? 14 : 1.3, course: 90)
    }
    let told = engine.judge(way).transitions
    #expect(
      told.map { "\($0.kind) \($0.key.identifier)" } == [
        "exited place-0", "entered place-1", "exited place-1", "entered place-2", "exited place-2",
        "entered place-3", "exited place-3",
      ])
    #expect(try #require(told.first).date <= at(back + 12))
  }

  /// With a fix in half a minute or a minute each may seem to be a trip.
  @Test(arguments: [30.0, 45, 60, 80], [8.0, 30])
  func `lone reflections between rare fixes add up to nothing`(step: Double, depth: Double) throws {
    for seed: UInt64 in 1...5 {
      var random = SplitMix64(seed: seed)
      var receiver = WanderingReceiver(seed: seed)
      var engine = try ConditionEngine.insideHome(radius: 80, west: 80 - depth)
      let fixes = (0..<600).map { number in
        let isReflected = number > 20 && number.isMultiple(of: 5)
        let angle = random.uniform(0...(2 * Double.pi))
        let length = isReflected ? random.uniform(60...200) : 0
        return receiver.report(
          Double(number) * step, east: length * cos(angle), north: length * sin(angle))
      }
      let transitions = engine.judge(fixes).transitions
      #expect(transitions == [], "\(seed) \(transitions.map(\.short))")
    }
  }

  /// What was moved by hand, or a boat on its anchor: too little for a jump, and too much for noise.
  @Test func `a move of some metres in a silence is told within a few looks`() throws {
    for seed: UInt64 in 1...6 {
      var receiver = WanderingReceiver(seed: seed)
      var engine = try ConditionEngine.insideHome(west: 42)
      _ = engine.judge(seconds(0, 600).map { receiver.report($0) })
      let looks = (0..<10).flatMap { look in
        seconds(783 + Double(look) * 183, 803 + Double(look) * 183).map {
          receiver.report($0, east: 24)
        }
      }
      let told = engine.judge(looks).transitions
      #expect(told.map(\.kind) == [.exited], "\(seed)")
      #expect(told.first.map { $0.date <= at(783 + 5 * 183) } == true, "\(seed)")
    }
  }

  @Test func `one fix of a reflection doesn't say what nobody knows yet`() throws {
    func report(_ second: Double, _ east: Double) -> Location {
      GeofencingTests.report(second, east: east, speed: 0.1, course: 90)
    }
    var unknown = GeofencingTests.engine(try circle(50), parameters: .init())
    // It can't be told for as long as it stands on the line.
    let line = seconds(0, 1200, every: 60).map { report($0, $0 == 600 ? 200 : 50) }
    #expect(unknown.judge(line).transitions == [])
  }

  @Test(arguments: [45.0, 60]) func `a restart in the midst of it changes nothing`(
    step: Double
  ) throws {
    var engine = try ConditionEngine.insideHome()
    var restarted = engine
    var random = SplitMix64(seed: 2)
    var receiver = WanderingReceiver(seed: 2)
    var kinds: [EventKind] = []
    for number in 0..<120 {
      let isReflected = (20..<90).contains(number) && number % 7 == 0
      let east = isReflected ? random.uniform(60...200) : number < 100 ? 0 : 400
      let fix = receiver.report(Double(number) * step, east: east)
      restarted = try restarted.restarted()
      let told = engine.process(fix)
      #expect(restarted.process(fix) == told)
      kinds += told.map(\.kind)
    }
    #expect(kinds == [.exited])
  }

  /// What was wrong by a lot at first isn't known to be so by becoming better.
  @Test(arguments: [20.0, 60]) func `the first word after a cold start is no false one`(
    sigma: Double
  ) throws {
    var told = 0
    for seed: UInt64 in 1...40 {
      var random = SplitMix64(seed: seed)
      var engine = ConditionEngine()
      for (index, radius) in [50.0, 100, 200].enumerated() {
        for (name, distance) in [("inside", radius - 20), ("outside", radius + 20)] {
          _ = engine.add(
            try circle(radius, around: centre.moved(by: distance, bearing: 90)),
            as: ConditionKey(monitor: home.monitor, identifier: "\(name)-\(index)"), at: at(0))
        }
      }
      var receiver = WanderingReceiver(seed: seed)
      let first = (sigma * random.normal(), sigma * random.normal())
      let time = random.uniform(20...90)
      let fixes = seconds(0, 600).map { second in
        let share = exp(-second / time)
        receiver.accuracy = 1.515 * hypot(4, sigma * share)
        return receiver.report(second, east: first.0 * share, north: first.1 * share)
      }
      for transition in engine.judge(fixes).transitions {
        told += 1
        let isInside = transition.key.identifier.hasPrefix("inside")
        #expect((transition.state == .satisfied) == isInside, "\(seed) \(transition)")
      }
    }
    #expect(told == 240)
  }
}
