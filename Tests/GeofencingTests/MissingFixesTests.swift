import Geofencing
import Testing

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

  @Test(arguments: [
    ("iiooo", "exited unsatisfied 3600", at(900)...at(1800)),
    ("iiuoooo", "exited unsatisfied 4500", at(900)...at(2700)),
    ("iiuouoo", "exited unsatisfied 5400", at(900)...at(2700)),
    ("ooii", "entered satisfied 2700", at(900)...at(1800)),
  ])
  func `a change is confirmed also by fixes that each come after a silence`(
    letters: String, event: String, bounds: ClosedRange<Timestamp>
  ) throws {
    var engine = engine(try circle())
    let events = engine.take(letters, every: 900).filter {
      $0.kind == .entered || $0.kind == .exited
    }
    #expect(events.map(\.short) == [event])
    #expect(events.first?.bounds == bounds)
  }

  /// However long nobody could tell before, the bounds hold the moment when it happened.
  @Test(arguments: [1, 20, 40, 400, 4000])
  func `bounds hold the crossing where many fixes before the gap couldn't tell`(count: Int) throws {
    var engine = engine(try circle())
    _ = engine.take(String(repeating: "i", count: 100) + String(repeating: "u", count: count))
    let back = Double(100 + count + 60)
    let events = engine.take("oooo", from: back)
    #expect(events.map(\.kind) == [.exited])
    let bounds = try #require(events.first?.bounds)
    #expect(bounds.contains(at(99)))
    #expect(bounds.upperBound == at(back))
    // Of fixes long ago only some are remembered.
    let leeway = count > 1000 ? 99.0 : count > 15 ? 16 : 0
    #expect(bounds.lowerBound >= at(99 - leeway))
  }

  @Test(arguments: [
    (ConditionState.satisfied, "oooo", EventKind.exited), (.unsatisfied, "iii", .entered),
  ])
  func `what was only assumed may have ended with the first fix`(
    state: ConditionState, after: String, kind: EventKind
  ) throws {
    var engine = engine(try circle(), assuming: state)
    _ = engine.take(String(repeating: "u", count: 40))
    let events = engine.take(after, from: 100)
    #expect(events.map(\.kind) == [kind])
    #expect(events.first?.bounds == at(0)...at(100))
  }

  @Test func `what was only assumed may have ended since it was`() throws {
    var engine = ConditionEngine()
    _ = engine.add(try circle(), as: home, assuming: .satisfied, at: at(0), fixTime: at(0))
    _ = engine.take("o", from: 5)
    #expect(engine.advance(to: at(700)).map(\.kind) == [.undetermined])
    let events = engine.take("oooo", from: 1000)
    #expect(events.map(\.kind) == [.exited])
    #expect(events.first?.bounds?.lowerBound == at(0))
  }

  @Test func `what began just before a silence isn't confirmed by what comes after it`() throws {
    var engine = engine(try circle())
    _ = engine.take("iiiioo")
    #expect(engine.take("o", from: 5000).map(\.kind) == [.undetermined])
    #expect(engine.take("o", from: 5003) == [])
    #expect(engine.take("o", from: 5004).map(\.kind) == [.exited])
  }

  @Test func `fixes that come in pairs after each silence confirm a change, sure or not`() throws {
    var engine = engine(try circle())
    _ = engine.take("iii")
    var events: [Transition] = []
    for wake in 1...3 { events += engine.take("uo", from: Double(wake) * 900) }
    #expect(events.map(\.short) == ["undetermined unknown 602", "exited unsatisfied 2701"])
    #expect(events.last?.bounds == at(2)...at(901))
  }

  @Test func `stray fixes hours apart confirm nothing after a silence either`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    _ = engine.take("i")
    let stray = "o" + String(repeating: "u", count: 120)
    let events = engine.take(stray + stray + stray + stray, from: 28_800, every: 30)
    #expect(events.map(\.kind) == [.undetermined])
    #expect(engine.explanation(of: home)?.candidate == nil)
  }

  @Test func `a stray fix long ago is no doubt, but what came since it couldn't tell`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    _ = engine.take("io" + String(repeating: "u", count: 200), every: 5)
    #expect(engine.doubts == [:])
    // Nor is it before the fixes that a jump sets apart.
    _ = engine.process(fix(1006, 150, afterJump: true))
    let events = engine.take("ooo", from: 1007)
    #expect(events.first?.bounds == at(0)...at(1006))
  }

  @Test func `a stray fix hours before a silence isn't the end of a visit`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    _ = engine.take("io" + String(repeating: "u", count: 480), every: 60)
    #expect(engine.explanation(of: home)?.candidate == nil)
    let events = engine.advance(to: at(40_000))
    #expect(events.map(\.short) == ["undetermined unknown 29460"])
  }

  @Test func `bounds begin with the last sure fix, though it came hours before the gap`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    _ = engine.take("io" + String(repeating: "u", count: 7200))
    let events = engine.take("oooo", from: 7220)
    #expect(events.map(\.short) == ["exited unsatisfied 7223"])
    #expect(events.first?.bounds == at(0)...at(7220))
  }

  @Test func `a visit ends with the first fix outside, though the exit wasn't confirmed`() throws {
    var engine = engine(try circle(exitAfter: .seconds(300)))
    _ = engine.take("iiiioooooo")
    let events = engine.advance(to: at(700))
    #expect(events.map(\.short) == ["undetermined unknown 609"])
    #expect(events.first?.duration == .seconds(4))
    var other = GeofencingTests.engine(try circle(exitAfter: .seconds(300)))
    _ = other.take("iiiioooooo")
    #expect(
      other.remove(home, because: .removed, at: at(10), fixTime: at(10))?.duration == .seconds(4))
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
    // What a clock that was set back says of the stay is that it took less than no time.
    #expect(event.duration == nil && event.visit == Visit(of: "home", began: at(1000)))
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
