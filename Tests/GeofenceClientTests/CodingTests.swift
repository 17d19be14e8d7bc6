import Foundation
import GeofenceClient
import Testing

/// What other programs read of values that a program writes.
@Suite struct CodingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func again<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test func `durations are seconds`() throws {
    let began = Date(timeIntervalSinceReferenceDate: 0)
    let visit = Monitor.Event.Visit(id: "v", began: began, duration: .milliseconds(102_500))
    #expect(try json(visit) == #"{"began":0,"duration":102.5,"id":"v"}"#)
    #expect(try again(visit) == visit)
    #expect(visit.ended == Date(timeIntervalSinceReferenceDate: 102.5))
    let stay = Monitor.Event.Visit(id: "v", began: began)
    #expect(try json(stay) == #"{"began":0,"id":"v"}"#)
    #expect(try again(stay) == stay && stay.ended == nil)

    let options = ConditionOptions(
      enterAfter: .seconds(60), exitAfter: .milliseconds(1_500), confidence: 0.9, expires: began)
    #expect(
      try json(options) == #"{"confidence":0.9,"enterAfter":60,"exitAfter":1.5,"expires":0}"#)
    #expect(try again(options) == options)
    #expect(try json(ConditionOptions()) == "{}")
    #expect(try again(ConditionOptions()) == ConditionOptions())
  }

  @Test func `an event comes back as it was, without what a condition met`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 100)
    var event = Monitor.Event(
      identifier: "home", state: .unsatisfied, previousState: .satisfied, kind: .exited,
      date: date, sequence: 7, log: "L")
    #expect(try again(event) == event)
    event.monitor = "trip"
    event.bounds = date - 9...date
    event.location = Location(latitude: 48, longitude: 16, timestamp: date)
    (event.distance, event.probability, event.accuracyLimited) = (12.5, 0.01, true)
    event.visit = Monitor.Event.Visit(id: "v", began: date - 60, duration: .seconds(55))
    event.missed = Monitor.Event.Missed(sequences: 3...5, count: 2)
    event.reason = .removed
    #expect(try again(event) == event)
    var refined = event
    refined.refinement = CircularGeographicCondition(
      center: Coordinate(latitude: 48, longitude: 16), radius: 50)
    #expect(try again(refined) == event)
    let brief = Monitor.Event(identifier: "a", state: .unknown, kind: .undetermined, date: date)
    #expect(
      try json(brief)
        == #"{"accuracyLimited":false,"date":100,"identifier":"a","kind":"undetermined","#
        + #""log":"","monitor":"","previousState":"unknown","sequence":0,"state":"unknown"}"#)
  }

  @Test(arguments: ["1e300", "[5,0]", "\"60\""])
  func `what is no duration is refused`(number: String) {
    for text in ["{\"enterAfter\":\(number)}", "{\"exitAfter\":\(number)}"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(ConditionOptions.self, from: Data(text.utf8))
      }
    }
  }
}
