import ControlInterface
import Geofencing
import JSONCoding
import TestSupport
import Testing
import Varlink

/// What a reply writes of itself is what the encoder makes of it.
@Suite struct `A reply that is written` {
  private let home = ConditionKey(
    monitor: MonitorKey(user: 1000, name: "default"), identifier: "home")

  private func check(_ reply: some Encodable & WrittenReply) throws {
    var writer = JSONWriter()
    try writer.object { try reply.write(to: &$0) }
    #expect(try writer.written() == CanonicalJSON.encode(reply))
  }

  private func records() throws -> [MonitorRecord] {
    var shapes = RandomShapes(seed: 6)
    let circle = try CircularGeographicCondition(
      center: Coordinate(validLatitude: -47.25, longitude: 8e-7), radius: 1_500.5)
    let polygon = try PolygonalGeographicCondition(coordinates: shapes.polygons(.anywhere))
    let corridor = try Shapes.corridor(
      [[(16, 48), (16.5, 48.25)], [(8, 47), (8.1, 47)]], width: 20.5)
    let band = try AltitudeBand(minimum: nil, maximum: 10, reference: .ellipsoid)
    let all = try Condition(
      shape: .polygon(polygon), altitude: band, enterAfter: .seconds(1),
      exitAfter: .milliseconds(2), confidence: 0.99,
      expires: Timestamp(nanoseconds: 1_767_225_600_123_000_000))
    let event = Event(
      sequence: 7, log: "l", recorded: at(3),
      transition: Transition(
        key: home, kind: .entered, state: .satisfied, previousState: .unknown, date: at(2)))
    let conditions = [
      Condition(circle: circle), corridor, all,
      try Condition(shape: .circle(circle), altitude: AltitudeBand(minimum: -5, maximum: nil)),
    ]
    return conditions.enumerated().map { index, condition in
      MonitorRecord(
        key: ConditionKey(
          monitor: MonitorKey(user: 1000, name: "m.\(index)"), identifier: "c-\(index)"),
        condition: condition,
        status: ConditionStatus(assuming: index == 1 ? .satisfied : .unknown, watchedSince: nil),
        added: at(0.25), lastEvent: index.isMultiple(of: 2) ? event : nil)
    }
  }

  @Test func `has every member of a record`() throws {
    let records = try records()
    for record in records {
      try check(Add.Reply(outcome: .replaced, record: record))
      try check(Adjust.Reply(outcome: .adjusted, record: record))
      try check(Record.Reply(record: record))
    }
    try check(List.Reply(records: records, revision: 12))
    try check(List.Reply(records: [], revision: 0))
  }

  @Test func `has every member of an explanation and of advice`() throws {
    let records = try records()
    let advice = Advice(
      for: records[0].condition, after: records.compactMap(\.lastEvent?.transition), present: nil,
      with: DecisionParameters())
    try check(Advise.Reply(items: records.map { Advise.Item(about: $0, advice) }))
    try check(Explain.Reply())
    var engine = ConditionEngine()
    _ = engine.add(records[0].condition, as: home, at: at(0))
    var reply = Explain.Reply()
    reply.event = records[0].lastEvent
    reply.explanation = engine.explanation(of: home)
    reply.present = reply.explanation
    reply.record = records[2]
    (reply.lastFixAge, reply.minimumSigma, reply.nextProbe) = (1.5, 3, 60)
    (reply.disconnection, reply.storageFailure) = ("gpsd can't be reached", "no room left")
    try check(reply)
  }
}
