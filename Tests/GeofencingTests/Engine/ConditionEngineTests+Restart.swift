import Foundation
import TestSupport
import Testing

@testable import Geofencing

/// Gaps and restarts.
extension `The engine` {
  /// Restarts at every moment of a drive: the events are the same, in the same order, with the same
  /// visits; at most a change that was being confirmed is confirmed a little later, with bounds that
  /// surround when it really happened.
  @Test func `goes on seamlessly with what was stored`() throws {
    let letters = "ooouiiiiiuooooooooooiiiiioooooooooiuuuuiii"
    let condition = try circle()
    var whole = engine(condition)
    let expected = whole.take(letters)
    #expect(expected.map(\.kind) == [.determined, .entered, .exited, .entered, .exited, .entered])
    for cut in 1..<letters.count {
      var first = engine(condition)
      var events = first.take(String(letters.prefix(cut)))
      let status = try #require(first[home]?.status.stored)
      #expect(status == first[home]?.status)
      var second = ConditionEngine(parameters: .leaping)
      second.restore(
        lastFix: try JSONDecoder().decode(
          Location.self, from: JSONEncoder().encode(try #require(first.lastFix))))
      second.restore(condition, as: home, status: status)
      events += second.take(String(letters.dropFirst(cut)), from: Double(cut))
      #expect(events.map(\.kind) == expected.map(\.kind), "cut at \(cut)")
      for (event, other) in zip(events, expected) {
        if let visit = other.visit, other.kind == .entered || other.kind == .exited {
          let crossed = visit.began + (other.duration ?? .zero)
          let isCutOpen = crossed < at(Double(cut)) && other.date >= at(Double(cut))
          #expect(event.bounds?.lowerBound == (isCutOpen ? crossed + .seconds(-1) : nil))
          #expect(event.bounds?.contains(crossed) ?? true)
        } else {
          #expect(event.bounds == nil)
        }
        #expect((Duration.zero...Duration.seconds(4)).contains(event.date - other.date))
      }
      let visits = events.compactMap(\.visit?.id)
      #expect(visits.count == 5 && visits[0] == visits[1] && visits[2] == visits[3])
    }
  }

  /// The last fixes before a gap may be too close to the line to say.
  @Test(arguments: [
    ("iiiuu", "ooooo", 20.0, "exited"), ("ooouu", "iiiii", 20, "entered"),
    ("iiiuu", "ooooo", 1_000, "exited"), ("ooouu", "iiiii", 1_000, "entered"),
    ("iiiuuoo", "ooooo", 20, "exited"), ("uuiuiuu", "ooooo", 20, "exited"),
  ])
  func `a change in a gap is bounded by the last fix that was sure`(
    before: String, after: String, silence: Double, kind: String
  ) throws {
    for isExhaustive in [false, true] {
      var engine = engine(try circle(), assuming: before.first == "o" ? .unsatisfied : .satisfied)
      engine.isExhaustive = isExhaustive
      _ = engine.take(before)
      let start = Double(before.count) + silence
      if silence > 600 { _ = engine.advance(to: at(start)) }
      let next = engine.take(after, from: start).first { $0.kind.rawValue == kind }
      let event = try #require(next)
      let sure = try #require(before.lastIndex(of: kind == "exited" ? "i" : "o"))
      let last = before.distance(from: before.startIndex, to: sure)
      #expect(event.bounds?.lowerBound == at(Double(last)))
      let first = before.reversed().prefix { $0 == after.first }.count
      #expect(event.bounds?.upperBound == at(first > 0 ? Double(before.count - first) : start))
    }
  }

  @Test func `keeps the bounds of a gap over a restart in it`() throws {
    let condition = try circle()
    var first = engine(condition)
    _ = first.take("iii")
    _ = first.advance(to: at(700))
    // The position is back but undecided; then the program starts anew.
    _ = first.take("u", from: 5000)
    let status = try #require(first[home]?.status.stored)
    var second = ConditionEngine(parameters: .leaping)
    second.restore(lastFix: first.lastFix)
    second.restore(condition, as: home, status: status)
    let next = second.take("oooo", from: 5001).first
    let event = try #require(next)
    #expect(event.short == "exited unsatisfied 5004")
    #expect(event.bounds == at(2)...at(5001))
  }

  @Test func `sees that the way led through while it was restarted`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    engine.restore(lastFix: fix(0, -150))
    engine.restore(
      try circle(), as: home, status: ConditionStatus(assuming: .unsatisfied, watchedSince: nil))
    let events = engine.process(fix(20, 150)) + engine.process(fix(21, 151))
    #expect(events.map(\.short) == ["crossed unsatisfied 21"])
    #expect(events.first?.bounds == at(0)...at(20))
  }

  @Test func `forgets a restored state in time, though it was added when the clock was ahead`()
    throws
  {
    var engine = ConditionEngine(parameters: .leaping)
    engine.restore(lastFix: fix(0, 50))
    engine.restore(
      try circle(), as: home,
      status: ConditionStatus(assuming: .satisfied, watchedSince: at(1e9)))
    #expect(engine.advance(to: at(601)).map(\.short) == ["undetermined unknown 600"])
  }
}
