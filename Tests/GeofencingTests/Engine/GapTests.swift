import Geofencing
import TestSupport
import Testing

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
      seconds: [0, 10.201, 11, 12, 14], metres: [50, 150, 150, 150, 150], bounds: at(0)...at(10.201)
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
    // And one that is to give a fix in ten seconds, and takes some milliseconds more.
    Row(seconds: [0, 10.02, 20.01, 30.03, 40.2], metres: [50, 50, 150, 150, 150], bounds: nil),
    Row(seconds: [0, 11, 22, 33, 44], metres: [50, 50, 150, 150, 150], bounds: at(11)...at(22)),
  ])
  func `an event has bounds, and only then`(row: Row) throws {
    var engine = engine(try circle())
    let events = zip(row.seconds, row.metres).flatMap { engine.process(fix($0, $1)) }
    #expect(events.map(\.kind) == [.determined, .exited])
    #expect(events.last?.bounds == row.bounds)
  }

  @Test func `the length of the gap is that of the parameters`() throws {
    var parameters = DecisionParameters.leaping
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

  /// The first fix behind it can't tell, and the clock tells the seconds before it once more.
  @Test(arguments: [(982.0, 1011.0), (800, 811)])
  func `bounds begin no later than a clock was set back, where fixes couldn't tell since`(
    back: Double, left: Double
  ) throws {
    var engine = engine(try circle())
    _ = engine.process(fix(1000, 50))
    _ = engine.process(fix(back, 100, afterJump: true))
    for second in stride(from: back + 1, to: left, by: 1) { _ = engine.process(fix(second, 100)) }
    let exit = engine.take("oooo", from: left)
    #expect(exit.map(\.kind) == [.exited])
    let bounds = try #require(exit.first?.bounds)
    #expect(bounds.lowerBound == at(back) && bounds.upperBound >= at(left))
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
    var engine = ConditionEngine(parameters: .leaping)
    _ = engine.process(fix(1e9, 50))
    _ = engine.add(try circle(), as: home, at: at(0))
    _ = engine.process(fix(1e9 + 1, 50))
    _ = engine.process(fix(100, 50, afterJump: true))
    #expect(engine.advance(to: at(701)).map(\.short) == ["undetermined unknown 700"])
  }

  @Test func `bounds don't begin with a visit that began before a clock was set back`() throws {
    var engine = engine(try circle())
    for second in 1000...1100 { _ = engine.process(fix(Double(second), 50)) }
    _ = engine.process(fix(800, 50, afterJump: true))
    for second in 801...810 { _ = engine.process(fix(Double(second), 50)) }
    for second in 811...1150 { _ = engine.process(fix(Double(second), 100)) }
    let exit = (0...5).flatMap { engine.process(fix(1300 + Double($0), 150)) }
    #expect(exit.map(\.kind) == [.exited])
    #expect(try #require(exit.first?.bounds).lowerBound <= at(810))
  }
}
