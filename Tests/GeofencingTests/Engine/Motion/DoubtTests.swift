import Geofencing
import Glibc
import TestSupport
import Testing

@Suite struct `While a change is unconfirmed` {
  @Test func `a gap makes its time a matter of bounds`() throws {
    var engine = engine(try circle())
    _ = engine.take(String(repeating: "i", count: 20))
    #expect(engine.take("oo", from: 20) == [])
    let next = engine.take("o", from: 322).first
    let event = try #require(next)
    #expect(event.short == "exited unsatisfied 322")
    #expect(event.bounds == at(19)...at(20))
  }

  @Test func `a gap is forgotten when the state is seen to hold`() throws {
    var engine = engine(try circle())
    _ = engine.take("iioo")
    _ = engine.take("i", from: 300)
    #expect(engine.doubts == [:])
    let events = engine.take("oooo", from: 301)
    #expect(events.map(\.short) == ["exited unsatisfied 304"])
    #expect(events.first?.bounds == nil)
  }

  @Test func `it is told since when the state is in doubt`() throws {
    var engine = engine(try circle())
    _ = engine.take("u")
    _ = engine.take("u", from: 300)
    #expect(engine.doubts == [:], "nothing was known")
    _ = engine.take("ii", from: 301)
    #expect(engine.doubts == [:])
    _ = engine.take("oo", from: 303)
    #expect(engine.doubts == [home: at(302)])
    _ = engine.take("u", from: 400)
    #expect(engine.doubts == [home: at(302)])
    _ = engine.take("oo", from: 401)
    #expect(engine.doubts == [:])
  }
}

@Suite struct `Speeds that are too low` {
  /// As of a boat that drifts, where the receiver tells no speed that is so low.
  @Test(arguments: [20, 40, 60, 80, 100, 120]) func `make bounds of what they hid`(
    radius: Double
  ) throws {
    var engine = engine(try circle(radius))
    let fixes = seconds(0, 1200).map { second in
      report(second, east: 0.25 * max(0, second - 120), accuracy: 6)
    }
    let exited = try #require(engine.judge(fixes).transitions.last)
    #expect(exited.kind == .exited)
    let bounds = try #require(exited.bounds)
    #expect(bounds.contains(at(120 + radius / 0.25)), "\(bounds)")
    #expect(bounds.lowerBound >= at(0))
  }

  @Test func `hide nothing that was passed through`() throws {
    var engine = engine(try circle(15))
    let fixes = seconds(0, 900).map { second in
      report(second, east: 0.25 * max(0, second - 120) - 120, accuracy: 3.7)
    }
    let crossed = try #require(engine.judge(fixes).transitions.last)
    #expect(crossed.kind == .crossed)
    // From 540 to 660 it was inside.
    let bounds = try #require(crossed.bounds)
    #expect(bounds.lowerBound <= at(540) && bounds.upperBound >= at(660), "\(bounds)")
  }

  @Test func `aren't seen where fixes are rare and tell no course`() throws {
    var engine = engine(try circle(300))
    var random = SplitMix64(seed: 6)
    let fixes = (0..<200).map { number in
      let second = Double(number) * 10
      // There and back along a winding street.
      let east = 900 * sin(second / 100)
      return report(
        second, east: east + 3 * random.normal(),
        north: 80 * sin(second / 23) + 3 * random.normal(),
        speed: abs(9 * cos(second / 100)))
    }
    let told = engine.judge(fixes).transitions.filter { [.entered, .exited].contains($0.kind) }
    #expect(told.count > 10)
    #expect(told.count { $0.bounds != nil } == 0)
  }
}

@Suite struct `The end of a watch` {
  @Test(arguments: [(2.0, 98.0), (0, 100), (50, 60), (-7, 100)])
  func `an end that is noticed late is dated when it was, but after the last fix`(
    late: Double, date: Double
  ) throws {
    var engine = engine(try circle(expires: at(1000 - late)), assuming: .satisfied)
    _ = engine.process(fix(60, 0))
    let ends = engine.expire(at: at(1000), fixTime: at(100))
    #expect(ends.map(\.date) == (late < 0 ? [] : [at(date)]))
  }

  @Test func `is dated by the clock of the fixes, like all events`() throws {
    var engine = engine(try circle(), assuming: .satisfied)
    _ = engine.process(fix(5, 0))
    let addition = engine.add(
      try circle(200), as: home, assuming: .satisfied, at: at(1e6), fixTime: at(7))
    guard case .replaced(let end?) = addition else { throw TestFailure("nothing was replaced") }
    #expect(end.short == "unmonitored unmonitored 7")
    #expect(
      engine.remove(home, because: .removed, at: at(1e6), fixTime: at(8))?.short
        == "unmonitored unmonitored 8")
    _ = engine.add(try circle(expires: at(1e6)), as: home, at: at(0))
    #expect(
      engine.expire(at: at(1e6 + 1), fixTime: at(9)).map(\.short)
        == ["unmonitored unmonitored 8"])
  }
}
