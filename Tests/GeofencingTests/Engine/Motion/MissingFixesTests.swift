import Geofencing
import TestSupport
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
    var parameters = DecisionParameters.leaping
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
    var unknown = GeofencingTests.engine(try circle())
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
    var engine = ConditionEngine(parameters: .leaping)
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
