import Geofencing
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

@Suite struct `Without usable fixes` {
  @Test(arguments: [600.001, 601, 4000, 86_400])
  func `a state becomes unknown, dated when that was so however late it is seen`(
    second: Double
  ) throws {
    var engine = engine(try circle())
    _ = engine.take("iii")
    #expect(engine.advance(to: at(2 + 600)) == [])
    let events = engine.advance(to: at(2 + second))
    #expect(events.map(\.short) == ["undetermined unknown 602"])
    #expect(events[0].previousState == .satisfied)
    #expect(events[0].visit == Visit(of: "home", began: at(0)))
    #expect(events[0].duration == .seconds(2))
    #expect(events[0].bounds == nil)
    #expect(engine.advance(to: at(100_000)) == [])
  }

  @Test func `the next fix tells it when nobody else did`() throws {
    var engine = engine(try circle())
    _ = engine.take("iii")
    #expect(
      engine.take("i", from: 5000).map(\.short) == [
        "undetermined unknown 602", "determined satisfied 5000",
      ])
  }

  @Test func `an undecided fix is a usable one`() throws {
    var engine = engine(try circle())
    _ = engine.take("i")
    for minute in 1...100 { #expect(engine.process(fix(Double(minute) * 60, 100)) == []) }
    #expect(engine.advance(to: at(6600)) == [])
    #expect(engine.advance(to: at(6601)).map(\.short) == ["undetermined unknown 6600"])
  }

  @Test func `the time is that of the parameters`() throws {
    var parameters = DecisionParameters()
    parameters.unknownAfter = .seconds(30)
    var engine = engine(try circle(), parameters: parameters)
    _ = engine.take("i")
    #expect(engine.advance(to: at(31)).map(\.short) == ["undetermined unknown 30"])
  }

  @Test func `a condition that was added meanwhile has the full time`() throws {
    var engine = engine(try circle())
    _ = engine.take("o")
    let late = ConditionKey(monitor: monitor, identifier: "late")
    _ = engine.add(
      try circle(50), as: late, assuming: .satisfied, at: at(400), fixTime: at(400))
    #expect(engine.advance(to: at(700)).map(\.key) == [home])
    let events = engine.advance(to: at(2000))
    #expect(events.map(\.key) == [late])
    #expect(events.map(\.date) == [at(1000)])
  }

  @Test func `nothing is forgotten before the first fix, or where nothing is known`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    #expect(engine.advance(to: at(1e6)) == [])
    var unknown = ConditionEngine()
    _ = unknown.add(try circle(), as: home, at: at(0))
    _ = unknown.take("u")
    #expect(unknown.advance(to: at(1e6)) == [])
  }

  struct Return: CustomTestStringConvertible {
    let before: String
    let after: String
    let event: String
    let bounds: ClosedRange<Timestamp>?
    var testDescription: String { "\(before) … \(after)" }
  }

  /// `before` ends at second 9; the fixes are back at second 5000.
  @Test(arguments: [
    Return(before: "iiiiiiiiii", after: "i", event: "determined satisfied 5000", bounds: nil),
    Return(before: "oooooooooo", after: "o", event: "determined unsatisfied 5000", bounds: nil),
    Return(
      before: "iiiiiiiiii", after: "oooo", event: "exited unsatisfied 5003",
      bounds: at(9)...at(5000)),
    Return(
      before: "oooooooooo", after: "ii", event: "entered satisfied 5001", bounds: at(9)...at(5000)),
    // Undecided for a while: it happened before the first sure fix, not the last.
    Return(
      before: "oooooooooo", after: "uuii", event: "entered satisfied 5003",
      bounds: at(9)...at(5002)),
    // A fix that contradicts itself at once proves nothing.
    Return(before: "iiiiiiiiii", after: "oi", event: "determined satisfied 5001", bounds: nil),
    // It had begun to leave before: the bounds hold that moment too.
    Return(
      before: "iiiiiiiioo", after: "oooo", event: "exited unsatisfied 5003",
      bounds: at(7)...at(5000)),
  ])
  func `what comes after is measured against what was known before`(row: Return) throws {
    var engine = engine(try circle())
    _ = engine.take(row.before)
    #expect(engine.advance(to: at(4000)).map(\.short) == ["undetermined unknown 609"])
    let events = engine.take(row.after, from: 5000)
    #expect(events.map(\.short) == [row.event])
    #expect(events.first?.bounds == row.bounds)
    #expect(events.first?.previousState == .unknown)
    #expect(events.first?.duration == nil)
  }

  @Test func `a new visit begins when the position is known again`() throws {
    var engine = engine(try circle())
    _ = engine.take("i")
    _ = engine.advance(to: at(4000))
    // The contrary fix in between isn't its beginning.
    let next = engine.take("oi", from: 5000).first
    let event = try #require(next)
    #expect(event.visit == Visit(of: "home", began: at(5001)))
  }
}

@Suite struct `After a gap` {
  struct Row: CustomTestStringConvertible {
    let seconds: [Double]
    let metres: [Double]
    let bounds: ClosedRange<Timestamp>?
    var testDescription: String { "\(zip(seconds, metres).map { "\($0):\($1)" })" }
  }

  @Test(arguments: [
    // No gap, and one that is just none.
    Row(seconds: [0, 1, 2, 3, 4], metres: [50, 150, 150, 150, 150], bounds: nil),
    Row(seconds: [0, 10, 11, 12, 13], metres: [50, 150, 150, 150, 150], bounds: nil),
    Row(
      seconds: [0, 10.001, 11, 12, 14], metres: [50, 150, 150, 150, 150], bounds: at(0)...at(10.001)
    ),
    Row(
      seconds: [0, 300, 301, 302, 303], metres: [50, 150, 150, 150, 150], bounds: at(0)...at(300)),
    // Seen inside after the gap: then it was seen to leave.
    Row(seconds: [0, 300, 301, 302, 303, 304], metres: [50, 50, 150, 150, 150, 150], bounds: nil),
    // Undecided after the gap: it may have left in it.
    Row(
      seconds: [0, 300, 301, 302, 303, 304], metres: [50, 100, 150, 150, 150, 150],
      bounds: at(0)...at(301)),
    // Two gaps: the first counts.
    Row(
      seconds: [0, 100, 200, 201, 202, 203], metres: [50, 100, 150, 150, 150, 150],
      bounds: at(0)...at(200)),
    // A gap after the first fix outside: it happened just before, but not at a time that was seen.
    Row(seconds: [0, 1, 300, 301], metres: [50, 150, 150, 150], bounds: at(0)...at(1)),
    // A receiver that is slow, and one that is slower than what counts as a gap.
    Row(seconds: [0, 10, 20, 30, 40], metres: [50, 50, 150, 150, 150], bounds: nil),
    Row(seconds: [0, 11, 22, 33, 44], metres: [50, 50, 150, 150, 150], bounds: at(11)...at(22)),
  ])
  func `an event has bounds, and only then`(row: Row) throws {
    var engine = engine(try circle())
    let events = zip(row.seconds, row.metres).flatMap { engine.process(fix($0, $1)) }
    #expect(events.map(\.kind) == [.determined, .exited])
    #expect(events.last?.bounds == row.bounds)
  }

  @Test func `the length of the gap is that of the parameters`() throws {
    var parameters = DecisionParameters()
    parameters.gap = .seconds(2)
    var engine = engine(try circle(), parameters: parameters)
    _ = engine.process(fix(0, 50))
    let events = engine.take("oooo", from: 3)
    #expect(events.first?.bounds == at(0)...at(3))
  }

  @Test func `what was determined has no bounds: nothing was known`() throws {
    var engine = engine(try circle())
    _ = engine.take("u")
    #expect(engine.take("i", from: 300).first?.bounds == nil)
  }

  @Test func `the bounds surround a clock that was set back`() throws {
    var engine = engine(try circle())
    _ = engine.process(fix(1000, 50))
    #expect(engine.process(fix(500, 150, afterJump: true)) == [])
    let next = engine.take("ooo", from: 501).first
    let event = try #require(next)
    #expect(event.short == "exited unsatisfied 503")
    #expect(event.bounds == at(500)...at(1000))
    #expect(event.duration == .zero)
  }

  @Test func `the bounds surround a jump in place`() throws {
    var engine = engine(try circle())
    _ = engine.process(fix(0, 50))
    _ = engine.process(fix(1, 150, afterJump: true))
    #expect(engine.take("ooo", from: 2).first?.bounds == at(0)...at(1))
  }

  @Test func `a jump makes what was to be confirmed begin anew`() throws {
    var engine = engine(try circle())
    _ = engine.take("iooo")
    #expect(engine.process(fix(4, 150, afterJump: true)) == [])
    let events = engine.take("ooo", from: 5)
    #expect(events.map(\.short) == ["exited unsatisfied 7"])
    // It may have left before the jump, when it was first seen outside.
    #expect(events.first?.bounds == at(0)...at(4))
  }

  @Test func `a jump after a long silence ends it as any fix does`() throws {
    var engine = engine(try circle())
    _ = engine.take("i")
    #expect(
      engine.process(fix(5000, 150, afterJump: true)).map(\.short) == ["undetermined unknown 600"])
    let events = engine.take("ooo", from: 5001)
    #expect(events.map(\.short) == ["exited unsatisfied 5003"])
    #expect(events.first?.bounds == at(0)...at(5000))
  }

  @Test func `silence is noticed on a clock that was set back by years`() throws {
    var engine = ConditionEngine()
    _ = engine.process(fix(1e9, 50))
    _ = engine.add(try circle(), as: home, at: at(0))
    _ = engine.process(fix(1e9 + 1, 50))
    _ = engine.process(fix(100, 50, afterJump: true))
    #expect(engine.advance(to: at(701)).map(\.short) == ["undetermined unknown 700"])
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

  @Test(arguments: [(60.0, true), (60.001, false), (3600, false)])
  func `is believed of ways of a minute at most`(seconds: Double, isTold: Bool) throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    _ = engine.process(road(0, east: -150))
    #expect(
      engine.process(road(seconds, east: 150)).map(\.kind).contains(.crossed) == isTold)
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
