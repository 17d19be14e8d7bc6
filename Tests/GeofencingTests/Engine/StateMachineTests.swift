import Geofencing
import TestSupport
import Testing

@Suite struct `The state machine` {
  struct Row: CustomTestStringConvertible {
    let assuming: ConditionState
    let fixes: String
    let events: [String]
    let end: ConditionState
    var testDescription: String { "\(assuming.rawValue): \(fixes)" }

    init(
      _ assuming: ConditionState, _ fixes: String, _ events: [String], _ end: ConditionState
    ) {
      self.assuming = assuming
      self.fixes = fixes
      self.events = events
      self.end = end
    }
  }

  /// What each sequence of fixes leads to: entering takes 2 fixes over 1 s, leaving 3 over 3 s.
  static let rows = [
    // Adding alone tells nothing.
    Row(.unknown, "", [], .unknown),
    Row(.satisfied, "", [], .satisfied),
    Row(.unsatisfied, "", [], .unsatisfied),
    // From unknown one confident fix is enough, an undecided one never.
    Row(.unknown, "i", ["determined satisfied 0"], .satisfied),
    Row(.unknown, "o", ["determined unsatisfied 0"], .unsatisfied),
    Row(.unknown, "uuuu", [], .unknown),
    Row(.unknown, "uuui", ["determined satisfied 3"], .satisfied),
    // What was assumed and is true is no news; what is not true needs confirmation.
    Row(.satisfied, "iii", [], .satisfied),
    Row(.unsatisfied, "ooo", [], .unsatisfied),
    Row(.unsatisfied, "ii", ["entered satisfied 1"], .satisfied),
    Row(.satisfied, "oooo", ["exited unsatisfied 3"], .unsatisfied),
    // Entering needs two fixes and a second.
    Row(.unknown, "oi", ["determined unsatisfied 0"], .unsatisfied),
    Row(.unknown, "oii", ["determined unsatisfied 0", "entered satisfied 2"], .satisfied),
    Row(.unknown, "oi......i", ["determined unsatisfied 0", "entered satisfied 8"], .satisfied),
    // Leaving needs three fixes and three seconds.
    Row(.unknown, "ioo", ["determined satisfied 0"], .satisfied),
    Row(.unknown, "iooo", ["determined satisfied 0"], .satisfied),
    Row(.unknown, "ioooo", ["determined satisfied 0", "exited unsatisfied 4"], .unsatisfied),
    Row(.unknown, "io..o", ["determined satisfied 0"], .satisfied),
    Row(.unknown, "io..oo", ["determined satisfied 0", "exited unsatisfied 5"], .unsatisfied),
    // A contrary fix starts it again.
    Row(.unknown, "oioi", ["determined unsatisfied 0"], .unsatisfied),
    Row(.unknown, "oioii", ["determined unsatisfied 0", "entered satisfied 4"], .satisfied),
    Row(.unknown, "ioooiooo", ["determined satisfied 0"], .satisfied),
    Row(.unknown, "ioooioooo", ["determined satisfied 0", "exited unsatisfied 8"], .unsatisfied),
    // An undecided one does neither.
    Row(.unknown, "oiu", ["determined unsatisfied 0"], .unsatisfied),
    Row(.unknown, "oiuui", ["determined unsatisfied 0", "entered satisfied 4"], .satisfied),
    Row(.unknown, "iouuuuo", ["determined satisfied 0"], .satisfied),
    Row(.unknown, "iouuuuoo", ["determined satisfied 0", "exited unsatisfied 7"], .unsatisfied),
    // There and back.
    Row(
      .unknown, "ooiiioooooii",
      [
        "determined unsatisfied 0", "entered satisfied 3", "exited unsatisfied 8",
        "entered satisfied 11",
      ], .satisfied),
  ]

  @Test(arguments: rows) func `follows the table`(row: Row) throws {
    var engine = engine(try circle(), assuming: row.assuming)
    #expect(engine.take(row.fixes).map(\.short) == row.events)
    #expect(engine[home]?.status.state == row.end)
  }

  @Test func `needs the time even when the fixes are many`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    let entered = engine.take(String(repeating: "i", count: 30), every: 0.1)
    #expect(entered.map(\.short) == ["entered satisfied 1"])
    let exited = engine.take(String(repeating: "o", count: 60), from: 10, every: 0.1)
    #expect(exited.map(\.short) == ["exited unsatisfied 13"])
  }

  @Test func `says nothing about a night spent exactly on the line`() throws {
    for state in [ConditionState.satisfied, .unsatisfied] {
      var engine = engine(try circle(), assuming: state)
      for second in 0..<20_000 {
        #expect(engine.process(fix(Double(second), 100 + 4 * Double(second % 3 - 1))) == [])
      }
      #expect(engine[home]?.status.state == state)
    }
  }

  @Test(arguments: [nil, Duration.seconds(900)])
  func `doesn't add up single fixes of a night that lie outside`(exitAfter: Duration?) throws {
    var engine = engine(try circle(exitAfter: exitAfter), assuming: .satisfied)
    let hour = "ouuuuuuuuuuu"
    #expect(engine.take("i" + hour + hour + hour + hour, every: 60) == [])
    // Closer together they count, however few can be told.
    let close = "ouuuuuuuuuouuuuuuuuuo"
    #expect(engine.take(close, from: 3000, every: 60).map(\.kind) == [.exited])
  }

  @Test func `tells the grounds of a decision`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    let entry = engine.take("ii").first
    let entered = try #require(entry)
    #expect(entered.key == home)
    #expect(entered.previousState == .unsatisfied)
    #expect(entered.location == fix(1, 50))
    #expect(abs(try #require(entered.distance) + 50) < 1e-6)
    #expect(try #require(entered.probability) > 0.999_999)
    #expect(entered.bounds == nil)
    #expect(entered.reason == nil)
  }

  @Test func `gives the events that begin and end a visit the same id`() throws {
    var engine = engine(try circle())
    let events = engine.take("ooiiiiiiooooii")
    #expect(
      events.map(\.short) == [
        "determined unsatisfied 0", "entered satisfied 3", "exited unsatisfied 11",
        "entered satisfied 13",
      ])
    #expect(events[0].visit == nil)
    // A visit begins with the first fix inside and ends with the first outside.
    #expect(events[1].visit?.began == at(2))
    #expect(events[1].visit?.id == "home@2026-01-01T00:00:02.000Z")
    #expect(events[1].duration == nil)
    #expect(events[2].visit == events[1].visit)
    #expect(events[2].duration == .seconds(6))
    #expect(events[3].visit?.id == "home@2026-01-01T00:00:12.000Z")
  }

  @Test func `begins a visit when the first thing known is inside`() throws {
    var engine = engine(try circle())
    let beginning = engine.take("uui").first
    let determined = try #require(beginning)
    #expect(determined.visit == Visit(of: "home", began: at(2)))
    let exit = engine.take("oooo", from: 10).first
    let exited = try #require(exit)
    #expect(exited.visit == determined.visit)
    #expect(exited.duration == .seconds(8))
  }

  @Test(arguments: [
    (0, "entered satisfied 1"), (1, "entered satisfied 1"), (10, "entered satisfied 10"),
  ])
  func `waits for as long as enterAfter says`(seconds: Int, event: String) throws {
    var engine = engine(try circle(enterAfter: .seconds(seconds)), assuming: .unsatisfied)
    #expect(engine.take(String(repeating: "i", count: 20)).map(\.short) == [event])
  }

  @Test(arguments: [
    (0, "exited unsatisfied 2"), (3, "exited unsatisfied 3"), (15, "exited unsatisfied 15"),
  ])
  func `waits for as long as exitAfter says`(seconds: Int, event: String) throws {
    var engine = engine(try circle(exitAfter: .seconds(seconds)), assuming: .satisfied)
    #expect(engine.take(String(repeating: "o", count: 20)).map(\.short) == [event])
  }

  @Test func `starts enterAfter again when the position was outside in between`() throws {
    var engine = engine(try circle(enterAfter: .seconds(10)), assuming: .unsatisfied)
    #expect(engine.take("iiiiiiiiiioiiiiiiiiii").map(\.short) == [])
    #expect(engine.take("i", from: 21).map(\.short) == ["entered satisfied 21"])
  }

  @Test func `believes more or less as the condition's confidence asks`() throws {
    // 97 m is inside with 84 %.
    for (confidence, expected) in [(0.8, ["determined satisfied 0"]), (0.9, []), (nil, [])] {
      var engine = engine(try circle(confidence: confidence))
      #expect(engine.process(fix(0, 97)).map(\.short) == expected)
    }
  }

  @Test func `keeps its state when the accuracy gets too poor for it`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    #expect(engine.process(fix(0, 150, accuracy: 200)) == [])
    #expect(engine[home]?.status.isAccuracyLimited == true)
    #expect(engine[home]?.status.state == .satisfied)
    #expect(engine.process(fix(1, 50)) == [])
    #expect(engine[home]?.status.isAccuracyLimited == false)
  }
}

@Suite struct `Passing through` {
  /// A fix on a straight road that runs from west to east, so far north of the centre.
  private func road(
    _ second: Double, east: Double, north: Double = 0, afterJump: Bool = false
  ) -> Location {
    Location(
      timestamp: at(second), coordinate: centre.moved(east: east, north: north),
      horizontalAccuracy: 3, followsDiscontinuity: afterJump)
  }

  @Test(arguments: [
    // metres that the road misses the centre by, and whether it runs through the circle of 100 m
    (0.0, true), (50, true), (90, true), (-93, true), (95, false), (100, false), (104, false),
    (-120, false), (500, false),
  ])
  func `is told when the way between two fixes outside runs through`(
    north: Double, isThrough: Bool
  ) throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    #expect(engine.process(road(0, east: -400, north: north)) == [])
    let before = engine[home]?.status
    let events = engine.process(road(5, east: 380, north: north))
    #expect(events.map(\.short) == (isThrough ? ["crossed unsatisfied 5"] : []))
    if let event = events.first {
      #expect(event.previousState == .unsatisfied)
      #expect(event.bounds == at(0)...at(5))
      #expect(event.location == road(5, east: 380, north: north))
      #expect(event.visit == nil)
      #expect(try #require(event.probability) >= 0.98)
    }
    #expect(engine[home]?.status == before)
  }

  @Test func `is not told when the way ends or begins before the circle`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    for (second, east) in [-900.0, -500, -110, -900, -107].enumerated() {
      #expect(engine.process(road(Double(second), east: east)) == [])
    }
  }

  @Test(arguments: [(60.0, true), (60.9, true), (61.3, false), (3600, false)])
  func `is believed of ways of a minute at most`(seconds: Double, isTold: Bool) throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    _ = engine.process(road(0, east: -150))
    // Without a speed the next one has to say the same.
    let told = [0.0, 1].flatMap { engine.process(road(seconds + $0, east: 150 + $0)) }
    #expect(told.map(\.kind).contains(.crossed) == isTold)
  }

  /// The way is inside for 1.28 of 5 s, and then for 5.1 of 20 s.
  @Test(arguments: [
    (0.0, [true, true]), (1.2, [true, true]), (1.4, [false, true]), (5.0, [false, true]),
    (5.4, [false, false]), (600.0, [false, false]),
  ])
  func `is not told of less time than somebody wants to be inside`(
    wanted: Double, isTold: [Bool]
  ) throws {
    let time = Duration.nanoseconds(Int64(wanted * 1e9))
    var chosen = DecisionParameters.leaping
    chosen.enterTime = time
    for var engine in [
      engine(try circle(enterAfter: time), assuming: .unsatisfied),
      engine(try circle(), assuming: .unsatisfied, parameters: chosen),
    ] {
      _ = engine.process(road(0, east: -400))
      #expect(engine.process(road(5, east: 380)).map(\.kind) == (isTold[0] ? [.crossed] : []))
      _ = engine.process(road(15, east: 0))
      #expect(engine.process(road(25, east: -400)).map(\.kind) == (isTold[1] ? [.crossed] : []))
    }
  }

  @Test func `is not believed of a jump`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    _ = engine.process(road(0, east: -150))
    #expect(engine.process(road(5, east: 150, afterJump: true)) == [])
    #expect(engine.process(road(10, east: -150)).map(\.kind) == [.crossed])
  }

  @Test func `needs good fixes at both ends`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    #expect(engine.process(road(0, east: -103)) == [])
    #expect(engine.process(road(5, east: 150)) == [])
    #expect(engine.process(road(6, east: -103)) == [])
    // The way of the last good fix, over the undecided one, led through.
    #expect(engine.process(road(7, east: -150)).map(\.short) == ["crossed unsatisfied 7"])
  }

  @Test func `is no matter for a condition that is satisfied or unknown`() throws {
    for state in [ConditionState.satisfied, .unknown] {
      var engine = engine(try circle(), assuming: state)
      let events = engine.process(road(0, east: -150)) + engine.process(road(1, east: 150))
      #expect(events.map(\.kind).contains(.crossed) == (state == .unknown))
      #expect(events.map(\.kind).contains(.determined) == (state == .unknown))
    }
  }

  @Test func `ends what was to be confirmed inside`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    _ = engine.process(road(0, east: -150))
    #expect(engine.process(road(1, east: 0)) == [])
    #expect(engine.process(road(2, east: 150)).map(\.short) == ["crossed unsatisfied 2"])
    #expect(engine.process(road(3, east: 0)) == [])
  }
}
