import Glibc
import TestSupport
import Testing

@testable import Geofencing

@Suite struct `Deciding by positions and speeds` {
  /// An engine with one circle of 100 m around a point so many metres to the west of the centre.
  func engine(
    edge distance: Double, assuming state: ConditionState = .unknown, enterAfter: Duration? = nil,
    exitAfter: Duration? = nil, parameters: DecisionParameters = DecisionParameters()
  ) throws -> ConditionEngine {
    GeofencingTests.engine(
      try circle(
        around: centre.moved(by: 100 + distance, bearing: 270), enterAfter: enterAfter,
        exitAfter: exitAfter), assuming: state, parameters: parameters)
  }

  @Test(arguments: [-12.0, -4, 4, 12, 30], [1.0, 10])
  func `tells nothing of a night parked near a line`(edge: Double, step: Double) throws {
    for seed: UInt64 in 1...3 {
      var receiver = WanderingReceiver(seed: seed)
      var engine = try engine(edge: edge, assuming: edge < 0 ? .satisfied : .unsatisfied)
      let fixes = seconds(0, 8 * 3600, every: step).map { receiver.report($0) }
      let (transitions, refused) = engine.judge(fixes)
      #expect(transitions == [])
      #expect(Double(refused.count) < 0.001 * Double(fixes.count))
    }
  }

  @Test(arguments: [0.0, 14]) func `leaves a reflection out and says so`(speed: Double) throws {
    // The circle lies to the north: where the reflections are.
    let place = centre.moved(by: 400 * speed, bearing: 90).moved(by: 250, bearing: 0)
    var engine = GeofencingTests.engine(
      try circle(150, around: place), assuming: .unsatisfied, parameters: DecisionParameters())
    var receiver = WanderingReceiver(seed: 4)
    for second in seconds(0, 800) {
      let isAside = (400..<420).contains(second)
      let before = engine.lastFix
      let status = engine[home]?.status
      let fix = receiver.report(
        second, east: second * speed, north: isAside ? 180 : 0, velocity: (speed, 0))
      let transitions = engine.judge(fix)
      if isAside {
        #expect(transitions == nil)
        #expect(engine.lastFix == before)
        #expect(engine[home]?.status == status)
        let evidence = engine.explanation(of: home)?.evidence.last
        #expect(evidence?.rejection == "contradictsMotion")
        #expect(evidence?.timestamp == fix.timestamp)
      } else {
        #expect(transitions == [])
      }
    }
  }

  @Test func `doesn't begin a wait again after a reflection`() throws {
    var engine = try engine(edge: -50, assuming: .unsatisfied, enterAfter: .seconds(60))
    let fixes = seconds(0, 100).map { report($0, east: (20..<40).contains($0) ? 150 : 0) }
    let (transitions, refused) = engine.judge(fixes)
    #expect(refused == seconds(20, 40))
    #expect(transitions.map(\.short) == ["entered satisfied 60"])
  }

  @Test func `gives bounds since the last good fix for what persisted`() throws {
    var engine = try engine(edge: -50, assuming: .satisfied)
    let (transitions, refused) = engine.judge(
      seconds(0, 400).map { report($0, east: $0 < 300 ? 0 : 200) })
    #expect(refused == seconds(300, 330))
    #expect(transitions.map(\.kind) == [.exited])
    let exited = try #require(transitions.first)
    #expect((at(330)...at(334)).contains(exited.date))
    #expect(exited.bounds == at(299)...at(330))
    #expect(try #require(exited.distance) > 0)
  }

  @Test(arguments: [
    (0.7, 1.0, 60.0), (1.4, 1, 60), (1.4, 5, 30), (1.4, 10, 60), (5, 1, 10), (14, 0.1, 10),
    (14, 1, 10),
    (30, 1, 15), (14, 5, 40), (14, 10, 80), (14, 15, 120), (30, 60, 480),
  ])
  func `is late but not deaf when the speed is stuck at zero`(
    speed: Double, step: Double, bound: Double
  ) throws {
    var engine = try engine(edge: -100, assuming: .satisfied)
    let (transitions, _) = engine.judge(
      seconds(0, 300 + 600 * max(1, 1.4 / speed), every: step).map {
        report($0, east: max(0, $0 - 300) * speed)
      })
    let exit = transitions.first
    let crossing = 300 + 100 / speed
    #expect(exit?.kind == .exited)
    #expect(try #require(exit).date <= at(crossing + bound))
  }

  @Test func `counts fixes as ever where there are no speeds`() throws {
    var engine = try engine(edge: -50)
    engine.parameters.maximumAcceleration = .infinity
    let (transitions, refused) = engine.judge(
      seconds(0, 60).map { report($0, east: $0 < 30 ? 0 : 100, speed: nil, accuracy: 3) })
    #expect(refused == [])
    #expect(
      transitions.map(\.short) == ["determined satisfied 0", "exited unsatisfied 33"])
  }

  @Test(arguments: 1...10)
  func `tells within seconds of who arrives and parks 15 m inside`(seed: UInt64) throws {
    var receiver = WanderingReceiver(seed: seed)
    receiver.drift = 2
    receiver.accuracy = 3
    // It comes from the east at 10 m/s, brakes over the last 25 m, and stands.
    var engine = try engine(edge: -15)
    let (transitions, _) = engine.judge(
      seconds(0, 400).map { second in
        let left = max(0, 105 - second)
        return left > 5
          ? receiver.report(second, east: (left - 5) * 10 + 25, velocity: (-10, 0))
          : receiver.report(second, east: left * left, velocity: (-2 * left, 0))
      })
    #expect(transitions.map(\.kind) == [.determined, .entered])
    let entered = try #require(transitions.last)
    #expect((at(100)...at(115)).contains(entered.date))
  }

  @Test(arguments: [2, 5])
  func `waits where only some of the fixes have a speed`(every: Int) throws {
    var engine = try engine(edge: -20, assuming: .satisfied)
    // Parked, and one reflection, in a fix that has a speed.
    let fixes = (0..<600).map { second in
      report(
        Double(second), east: second == 300 ? 60 : 0,
        speed: second.isMultiple(of: every) ? 0.1 : nil, course: 90)
    }
    #expect(engine.judge(fixes).transitions == [])
  }

  @Test func `always waits where a condition asks for it`() throws {
    func drive(enterAfter: Duration?, certainty: Double = 0.999) throws -> [String] {
      var parameters = DecisionParameters()
      parameters.certainty = certainty
      var engine = GeofencingTests.engine(
        try circle(5000, enterAfter: enterAfter), assuming: .unsatisfied, parameters: parameters)
      return engine.judge(
        seconds(0, 60).map { report($0, east: -$0 * 2, speed: 2, course: 270) }
      ).transitions.map(\.short)
    }
    #expect(try drive(enterAfter: nil) == ["entered satisfied 0"])
    #expect(try drive(enterAfter: .seconds(20)) == ["entered satisfied 20"])
    // No time is no wait.
    #expect(try drive(enterAfter: .zero) == ["entered satisfied 0"])
    // In the middle of a large circle the probability is rounded to 1, which isn't beyond doubt then.
    #expect(try drive(enterAfter: nil, certainty: 1) == ["entered satisfied 1"])
  }

  /// When who drives off at 12 m/s has left.
  private func exit(fixes: Int = 3, time: Double = 3) throws -> Timestamp {
    var parameters = DecisionParameters()
    parameters.exitFixes = fixes
    parameters.exitTime = .seconds(time)
    var engine = try ConditionEngine.insideHome(radius: 200, with: parameters)
    let transitions = engine.judge(
      seconds(0, 60).map { report($0, east: $0 * 12, speed: 12, course: 90) }
    ).transitions
    return try #require(transitions.first { $0.kind == .exited }).date
  }

  @Test(arguments: [(1, 3.0), (3, 1), (1, 0), (2, 2)])
  func `waits no longer where less is asked for`(fixes: Int, time: Double) throws {
    #expect(try exit(fixes: fixes, time: time) <= exit())
  }

  @Test(arguments: [(3, 10.0), (10, 3)])
  func `waits as long as is asked for, however sure it is`(fixes: Int, time: Double) throws {
    #expect(try exit(fixes: fixes, time: time) - exit() >= .seconds(8))
  }

  @Test(arguments: [20.0, 120, 500]) func `bears a gap while standing`(gap: Double) throws {
    var engine = try engine(edge: -20, assuming: .satisfied)
    var receiver = WanderingReceiver(seed: 6)
    let fixes = (seconds(0, 300) + seconds(300 + gap, 900 + gap)).map { receiver.report($0) }
    #expect(engine.judge(fixes).transitions == [])
  }

  /// A fix a minute: now one in a street at 12 m/s, now one at a traffic light.
  @Test func `refuses nobody who stands at both ends of a minute and drove in between`() throws {
    let minutes: [(east: Double, speed: Double)] = [
      (0, 12), (600, 12), (900, 0.1), (1400, 0), (1750, 12), (2200, 0.1), (2500, 0), (2900, 12),
    ]
    // Around where it is parked in the end.
    var engine = try engine(edge: -3100, assuming: .unsatisfied)
    let fixes = zip(0..., minutes).map { minute, at in
      report(Double(minute) * 60, east: at.east, speed: at.speed, course: 90)
    }
    #expect(engine.judge(fixes).refused == [])
    // Parked in the end: what lies far off once, or twice, decides nothing.
    let parked = seconds(480, 480 + 3600, every: 60).map { second in
      let isOff = second == 1200 || second == 2400 || second == 2460
      return report(second, east: isOff ? 2880 : 3000, course: 90)
    }
    let (transitions, refused) = engine.judge(parked)
    #expect(refused == [])
    #expect(transitions.map(\.kind) == [.entered])
  }

  @Test func `believes no jump in a gap of who stopped just before it`() throws {
    var engine = try engine(edge: -20, assuming: .satisfied)
    let drive = seconds(0, 60).map { report($0, east: 14 * ($0 - 60), speed: 14, course: 90) }
    let stop = seconds(60, 64).map { report($0, course: 90) }
    let garage = seconds(79, 84).map { report($0, east: 100, course: 90) }
    _ = engine.judge(drive)
    #expect(engine.judge(stop + garage).refused == seconds(79, 84))
  }

  @Test func `knows within JumpSec that something was carried away in a gap`() throws {
    var engine = try engine(edge: -20, assuming: .satisfied)
    let (transitions, refused) = engine.judge(
      (seconds(0, 300) + seconds(420, 500)).map { report($0, east: $0 < 300 ? 0 : 2000) })
    #expect(refused == [])
    #expect(transitions.map(\.short) == ["exited unsatisfied 450"])
    #expect(transitions.first?.bounds == at(299)...at(420))
  }

  @Test(arguments: [0.0, 30, 60, 90])
  func `finds its way out of a tunnel with a bend`(bend: Double) throws {
    // 20 s at 20 m/s, turning evenly on the way; the line lies 200 m behind the entrance.
    var (east, north, heading) = (-2000.0, 0.0, 90.0)
    var fixes: [Location] = []
    for second in seconds(0, 200) {
      if (100..<120).contains(second) {
        heading -= bend / 20
      } else {
        let course = heading < 0 ? heading + 360 : heading
        fixes.append(report(second, east: east, north: north, speed: 20, course: course))
      }
      east += 20 * sin(heading * .pi / 180)
      north += 20 * cos(heading * .pi / 180)
    }
    // All of it lies outside but the way as far as the entrance.
    var engine = try ConditionEngine.insideHome(radius: 2200, west: 2000)
    let (transitions, refused) = engine.judge(fixes)
    #expect(transitions.map(\.kind) == [.exited])
    let exited = try #require(transitions.first)
    #expect(exited.date <= at(bend > 30 ? 154 : 124))
    #expect(exited.bounds?.lowerBound == at(99))
    #expect(refused.count <= 30)
  }

  @Test func `refuses nothing for longer than JumpSec in a street between walls`() throws {
    for seed: UInt64 in 1...6 {
      var receiver = WanderingReceiver(seed: seed)
      receiver.drift = 8
      receiver.accuracy = 12
      var random = SplitMix64(seed: seed)
      var aside = 0.0
      var ends = 0.0
      var engine = try engine(edge: -3000, assuming: .unsatisfied)
      var since = 0.0
      var longest = 0.0
      for second in seconds(0, 4 * 3600) {
        if second >= ends {
          aside = 0
          if Double.random(in: 0..<60, using: &random) < 1 {
            aside = Double.random(in: -250...250, using: &random)
            ends = second + Double.random(in: 1...20, using: &random)
          }
        }
        let cycle = second.truncatingRemainder(dividingBy: 120)
        let speed = cycle < 60 ? 8.0 : 0
        let way = (second / 120).rounded(.down) * 480 + min(cycle, 60) * 8
        let fix = receiver.report(second, east: way, north: aside, velocity: (speed, 0))
        if engine.judge(fix) != nil { since = second }
        longest = max(longest, second - since)
      }
      #expect(longest <= 45)
    }
  }
}
