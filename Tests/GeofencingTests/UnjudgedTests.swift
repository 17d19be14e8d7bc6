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
}
