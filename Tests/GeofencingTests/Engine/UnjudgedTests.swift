import TestSupport
import Testing

@testable import Geofencing

/// What waits for a fix to be judged.
@Suite struct UnjudgedTests {
  @Test func `takes no more memory however often conditions change while no fix comes`() throws {
    var engine = ConditionEngine()
    let keys = (0..<100).map { ConditionKey(monitor: monitor, identifier: "c\($0)") }
    func change(_ times: Int) throws {
      for round in 0..<times {
        for key in keys {
          _ = engine.add(try circle(100 + Double(round % 2)), as: key, at: at(0))
        }
      }
    }
    try change(20)
    let bytes = engine.bytes
    try change(200)
    #expect(engine.bytes <= bytes * 2)
    // None is forgotten for that.
    #expect(engine.process(fix(1, 0)).count == keys.count)
  }

  private func engine(watching keys: [ConditionKey]) throws -> ConditionEngine {
    var engine = ConditionEngine()
    for key in keys { _ = engine.add(try circle(), as: key, at: at(0)) }
    return engine
  }

  private func keys(_ count: Int) -> [ConditionKey] {
    (0..<count).map { ConditionKey(monitor: monitor, identifier: "c\($0)") }
  }

  @Test func `is judged in pieces as large as is asked for`() throws {
    var engine = try engine(watching: keys(100))
    #expect(engine.process(fix(1, 0), limit: 30).count == 30)
    #expect(engine.isUnfinished)
    #expect(engine.processRemaining(limit: 69).count == 69)
    #expect(engine.isUnfinished)
    #expect(engine.processRemaining(limit: 30).count == 1)
    #expect(!engine.isUnfinished)
  }

  @Test func `is judged to the end, however often a condition changes meanwhile`() throws {
    let keys = keys(20)
    var engine = try engine(watching: [])
    func change(_ times: Int) throws {
      for round in 0..<times {
        _ = engine.add(try circle(100 + Double(round % 2)), as: home, at: at(1))
      }
    }
    try change(600)
    for key in keys { _ = engine.add(try circle(), as: key, at: at(1)) }
    // That one, and one of the others.
    #expect(engine.process(fix(1, 0), limit: 2).count == 2)
    try change(400)
    _ = engine.processRemaining()
    #expect(!engine.isUnfinished)
    for key in keys + [home] { #expect(engine[key]?.status.state == .satisfied) }
  }
}
