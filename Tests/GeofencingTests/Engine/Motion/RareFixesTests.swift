import Geofencing
import TestSupport
import Testing

/// Receivers that give a fix every one to ten minutes, each with a speed.
@Suite struct `Where fixes are minutes apart` {
  /// An engine whose circle of 100 m has the centre of the tests 50 m inside, by default.
  private func engine(
    _ state: ConditionState = .satisfied, middle east: Double = 50, radius: Double = 100,
    parameters: DecisionParameters = DecisionParameters.leaping
  ) throws -> ConditionEngine {
    GeofencingTests.engine(
      try circle(radius, around: centre.moved(by: east, bearing: 90)), assuming: state,
      parameters: parameters)
  }

  /// So many fixes of who is parked at the centre; the next one comes a step later.
  private func parked(_ count: Int, every step: Double) -> [Location] {
    (0..<count).map { report(Double($0) * step, speed: 0.1, course: 90) }
  }

  @Test(arguments: [80.0, 120, 300, 550])
  func `a drive between two rests is told by the third fix behind it`(step: Double) throws {
    var engine = try engine()
    let there = (10..<20).map { report(Double($0) * step, east: 4000, speed: 0.1, course: 90) }
    let (transitions, refused) = engine.judge(parked(10, every: step) + there)
    #expect(refused == [])
    #expect(transitions.map(\.short) == ["exited unsatisfied \(Int(12 * step))"])
    #expect(transitions.first?.bounds == at(9 * step)...at(10 * step))
  }

  /// A tracker that is awake for some seconds each time: of the drive before, a mean speed is left after the first look
  /// at rest.
  @Test(arguments: [(900.0, 6), (900, 3), (300, 6)], [4.0, 14, 25])
  func `a stay of two looks behind a drive is told`(rhythm: (Double, Int), speed: Double) throws {
    let (step, count) = rhythm
    var parameters = DecisionParameters()
    parameters.unknownAfter = .seconds(3600)
    var engine = try engine(.unsatisfied, middle: 4000, radius: 200, parameters: parameters)
    func look(_ number: Int, at east: Double, driving: Bool = false) -> [Location] {
      (0..<count).map { second in
        report(
          Double(number) * step + Double(second),
          east: east + (driving ? speed * Double(second) : 0),
          speed: driving ? speed : 0.2, course: driving ? 90 : Double(second * 70), accuracy: 8)
      }
    }
    let drive = (0..<3).map { look($0, at: -speed * step * Double(3 - $0) * 0.9, driving: true) }
    let stays = [look(3, at: 0), look(4, at: 4000), look(5, at: 4000)]
    let on = (6..<9).map { look($0, at: 9000) }
    let transitions = engine.judge((drive + stays + on).flatMap(\.self)).transitions
    #expect(
      transitions.map(\.kind) == [.entered, .exited],
      "\(transitions.map(\.short))")
    #expect(transitions.first.map { $0.date < at(6 * step) } == true)
  }

  @Test(arguments: [80.0, 120, 300, 550])
  func `an arrival between two rests is told by the second fix`(step: Double) throws {
    var engine = try engine(.unsatisfied, middle: 4000)
    let there = (10..<20).map { report(Double($0) * step, east: 4000, speed: 0.1, course: 90) }
    let (transitions, refused) = engine.judge(parked(10, every: step) + there)
    #expect(refused == [])
    #expect(transitions.map(\.short) == ["entered satisfied \(Int(11 * step))"])
  }

  /// As a van that stops every few hundred metres, and is never seen on the way.
  @Test(arguments: [30.0, 45, 60, 70, 76], [0.0, 0.1])
  func `short trips between rests are told`(step: Double, speed: Double) throws {
    var engine = try engine(.unsatisfied, middle: 600, radius: 50)
    // Three fixes at each stop.
    let fixes = (0..<30).map { number in
      report(
        Double(number) * step, east: Double(max(0, number - 6) / 3) * 200, speed: speed,
        course: speed > 0 ? 90 : nil)
    }
    let (transitions, refused) = engine.judge(fixes)
    #expect(refused == [])
    #expect(
      transitions.map(\.short) == [
        "entered satisfied \(Int(16 * step))", "exited unsatisfied \(Int(20 * step))",
      ])
  }

  @Test(arguments: [30.0, 60, 120, 300, 550])
  func `two fixes on the way are enough for an exit`(step: Double) throws {
    var engine = try engine()
    let way = (10..<14).map {
      report(Double($0) * step, east: Double($0 - 9) * step * 12, speed: 12, course: 90)
    }
    let (transitions, refused) = engine.judge(parked(10, every: step) + way)
    #expect(refused == [])
    #expect(transitions.map(\.short) == ["exited unsatisfied \(Int(11 * step))"])
  }

  @Test func `what is told to have confirmed an exit is what was waited for`() throws {
    var engine = try engine()
    _ = engine.judge(parked(10, every: 120))
    for second in 1200..<1300 {
      let fix = report(Double(second), east: 4000, speed: 0.1, course: 90)
      guard let exit = engine.process(fix).first else { continue }
      #expect(exit.date == at(1230))
      let explanation = engine.explanation(of: home, after: exit)
      #expect(explanation?.seconds == 30 && explanation?.secondsNeeded == 30)
      return
    }
    Issue.record("nothing was told")
  }

  /// However deep it was inside, one fix is too few for an entry; with the next it is known to have passed.
  ///
  /// Where fixes come more often, and speeds with a course lead to each, one is enough.
  @Test(arguments: [20.0, 30, 50, 60, 60.9], [true, false])
  func `who is inside at one fix has passed through`(step: Double, hasCourse: Bool) throws {
    var engine = try engine(.unsatisfied, middle: 0, radius: 6 * step)
    // A kilometre or less from one to the next, the third in the middle.
    let way = (0..<6).map { number in
      report(
        Double(number) * step, east: Double(number - 2) * step * 15, speed: 15,
        course: hasCourse ? 90 : nil)
    }
    let (transitions, refused) = engine.judge(way)
    #expect(refused == [])
    guard step > 30 || !hasCourse else {
      let last = 3 * step
      #expect(
        transitions.map(\.short) == [
          "entered satisfied \(Int(2 * step))", "exited unsatisfied \(Int(last))",
        ])
      return
    }
    #expect(transitions.map(\.kind) == [.crossed])
    #expect(transitions.first?.date == at(3 * step))
    #expect(transitions.first?.bounds == at(step)...at(3 * step))
    #expect(try #require(transitions.first?.probability) >= 0.98)
  }

  /// What decides are round times, and receivers that are to give a fix in such a time are a little late.
  @Test(arguments: [1.0, 3, 5, 10, 60], [0.4, 1.7])
  func `fixes that come some milliseconds late decide what exact ones do`(
    step: Double, deviation: Double
  ) throws {
    func told(_ lateness: (Int) -> Double) throws -> [String] {
      // One fix or three of six are inside.
      var engine = try engine(
        .unsatisfied, middle: 0, radius: deviation * step * 15, parameters: DecisionParameters())
      let way = (0..<12).map { number in
        let time = Double(number) * step + lateness(number)
        return report(
          time, east: (time - 5 * step) * 15, speed: 15, course: 90, accuracy: step / 2 + 1)
      }
      return engine.judge(way).transitions.map { event in
        let number = ((event.date - at(0)).inSeconds / step).rounded()
        return "\(event.kind) \(Int(number)) \(event.bounds == nil)"
      }
    }
    let exact = try told { _ in 0 }
    #expect(!exact.isEmpty || step == 1)
    #expect(try told { 0.001 * Double($0) } == exact)
    #expect(try told { $0.isMultiple(of: 2) ? 0.002 : 0 } == exact)
    #expect(try told { $0.isMultiple(of: 2) ? 0 : 0.002 } == exact)
  }

  @Test func `a passage that was seen too seldom isn't told`() throws {
    for step in [61.3, 90] {
      var engine = try engine(.unsatisfied, middle: 0, radius: 300)
      let way = (0..<6).map {
        report(Double($0) * step, east: Double($0 - 2) * step * 15, speed: 15, course: 90)
      }
      #expect(engine.judge(way).transitions == [])
    }
    // Nor what only one fix that strays has been inside of.
    var engine = try engine(.unsatisfied, middle: 200)
    let stray = (0..<20).map { report(Double($0) * 30, east: $0 == 10 ? 150 : 0, speed: 5) }
    #expect(engine.judge(stray).transitions == [])
  }

  /// Many fixes say themselves how long it was inside: who waits at a barrier first wasn't.
  @Test(arguments: [true, false]) func `a wait at the line is no stay`(hasSpeed: Bool) throws {
    var engine = GeofencingTests.engine(
      try circle(50, enterAfter: .seconds(25)), assuming: .unsatisfied, parameters: .init())
    let fixes = seconds(0, 120).map { second in
      let isWaiting = (20..<70).contains(second)
      let east = second < 20 ? (second - 20) * 10 - 50 : max(0, second - 70) * 10 - 50
      return report(
        second, east: east, speed: hasSpeed ? (isWaiting ? 0 : 10) : nil,
        course: hasSpeed && !isWaiting ? 90 : nil)
    }
    #expect(engine.judge(fixes).transitions == [])
  }

  @Test func `who asks for more fixes gets them`() throws {
    var parameters = DecisionParameters.leaping
    parameters.exitFixes = 4
    var engine = try engine(parameters: parameters)
    let way = (10..<16).map {
      report(Double($0) * 120, east: Double($0 - 9) * 1440, speed: 12, course: 90)
    }
    let (transitions, _) = engine.judge(parked(10, every: 120) + way)
    #expect(transitions.map(\.short) == ["exited unsatisfied 1560"])
  }

  @Test func `who is elsewhere at each fix has left by the third`() throws {
    var engine = try engine()
    let places = (10..<16).map {
      report(Double($0) * 300, east: 3000, north: Double($0 % 3) * 2000, speed: 0.1, course: 90)
    }
    let (transitions, _) = engine.judge(parked(10, every: 300) + places)
    #expect(transitions.map(\.short) == ["exited unsatisfied 3600"])
  }

  /// What happens where there are three reflections among the fixes of a parked receiver, one by one: in a
  /// place around it, one around the reflections, and one between the two.
  private func reflections(
    _ aside: Double, every step: Double, parameters: DecisionParameters = DecisionParameters.leaping
  ) throws -> [Transition] {
    try [(0, 50.0), (aside * 1.2, 100), (aside / 2, 25)].flatMap { middle, radius in
      var engine = try engine(
        middle == 0 ? .satisfied : .unsatisfied, middle: middle, radius: radius,
        parameters: parameters)
      var fixes = parked(40, every: step)
      for number in [12, 20, 31] {
        fixes[number] = report(Double(number) * step, east: aside, speed: 0.4, course: 10)
      }
      return engine.judge(fixes).transitions
    }
  }

  @Test(arguments: [60.0, 80, 120, 300, 550], [-250.0, -120, 120, 250])
  func `one reflection while parked is no event`(step: Double, aside: Double) throws {
    #expect(try reflections(aside, every: step) == [])
  }

  @Test(arguments: [-250.0, -120, 120, 250])
  func `one reflection is no event where one fix is enough either`(aside: Double) throws {
    var parameters = DecisionParameters.leaping
    parameters.exitFixes = 1
    parameters.enterFixes = 1
    parameters.exitTime = .zero
    parameters.enterTime = .zero
    parameters.crossedWithin = .seconds(600)
    #expect(try reflections(aside, every: 80, parameters: parameters) == [])
  }

  @Test func `two reflections to different places are no entry`() throws {
    var engine = try engine(.unsatisfied, middle: 200)
    var fixes = parked(20, every: 120)
    fixes[12] = report(12 * 120, east: 160, north: 40, speed: 0.4, course: 10)
    fixes[13] = report(13 * 120, east: 220, north: -40, speed: 0.4, course: 10)
    #expect(engine.judge(fixes).transitions == [])
  }

  /// It is the worse, the less the speeds say yet that it stands.
  @Test(arguments: [8, 12, 40])
  func `a reflection that goes on once a second is no event`(rest: Int) throws {
    for middle in [0.0, 220] {
      var engine = try engine(.unsatisfied, middle: middle)
      let drive = (-10..<0).map {
        report(Double($0) * 80, east: Double($0) * 960, speed: 12, course: 90)
      }
      let before = engine.judge(drive + parked(rest, every: 80)).transitions
      #expect(before.map(\.kind) == (middle == 0 ? [.entered] : []))
      let begin = Double(rest) * 80
      let second = seconds(0, 120).map {
        report(begin + $0, east: $0 < 20 ? 200 : 0, speed: 0.1, course: 90)
      }
      #expect(engine.judge(second).transitions == [])
    }
  }

  @Test func `one gap doesn't make fixes rare`() throws {
    var engine = try engine()
    let fixes = seconds(0, 100).map { report($0) } + seconds(400, 420).map { report($0, east: 300) }
    #expect(engine.judge(fixes).transitions == [])
  }
}
