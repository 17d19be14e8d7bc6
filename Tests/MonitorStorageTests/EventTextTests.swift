import Foundation
import JSONCoding
import TestSupport
import Testing

@testable import Geofencing
@testable import MonitorStorage

/// What is written while everybody waits is what the encoder would have written.
@Suite struct EventTextTests {
  private func location() throws -> Location {
    let coordinate = try #require(Coordinate(latitude: 47.376_912_345_6, longitude: -8.5))
    var location = Location(timestamp: at(1.25), coordinate: coordinate)
    location.altitude = 520.881
    location.ellipsoidalAltitude = 567.123
    location.horizontalAccuracy = 1.973_742_1
    location.verticalAccuracy = 4.6 / 1.96
    location.speed = 55.6
    location.speedAccuracy = 0.37 / 1.96
    location.course = 180
    location.satellitesUsed = 9
    location.device = "/dev/\"tty\"\\ACM0"
    location.isSimulated = true
    location.followsDiscontinuity = true
    return location
  }

  @Test(arguments: EventKind.allCases, [false, true])
  func `an event`(_ kind: EventKind, _ isFull: Bool) throws {
    var transition = transition(key("zu Hause \u{1}"), kind, .satisfied, second: 2)
    if isFull {
      transition.bounds = at(-1)...at(2)
      transition.location = try location()
      transition.distance = -99.999_876
      transition.probability = 0.999_999_9
      transition.visit = Visit(of: "zu Hause", began: at(1))
      transition.duration = .milliseconds(61_250)
      transition.reason = .replaced
      transition.isAccuracyLimited = true
    }
    for log in [nil, "f88aa51d38e8acf3"] {
      let event = Event(
        sequence: 1 << 40, log: log, recorded: log == nil ? nil : at(3.5), transition: transition)
      let text = try event.canonicalText()
      #expect(try text == CanonicalJSON.text(event))
      // What is scanned is what a decoder finds.
      #expect(
        try Event(scanning: text) == CanonicalJSON.decode(Event.self, from: Array(text.utf8)))
      guard isFull, log != nil else { continue }
      // No member can be forgotten here.
      let members = try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(Set(members.keys) == Set(Event.CodingKeys.allCases.map(\.rawValue)))
    }
  }

  @Test func `what isn't as it is written today is left to a decoder`() throws {
    let text = try Event(
      sequence: 1, log: "f88a", recorded: at(3), transition: transition(key("a"), .entered)
    ).canonicalText()
    _ = try Event(scanning: text)
    let others = [
      text + text, text + "x", String(text.dropLast()),
      text.replacing("\"sequence\":1", with: "\"a\":1"),
      text.replacing("\"sequence\":1", with: "\"sequence\":1.5"),
      text.replacing("\"sequence\":1", with: "\"sequence\":null"),
      text.replacing("\"sequence\":1", with: "\"sequence\":1,\"news\":true"),
      text.replacing("entered", with: "teleported"), text.replacing("T00:", with: "T99:"), "", "[]",
    ]
    for other in others { #expect(throws: (any Error).self) { try Event(scanning: other) } }
  }

  @Test func `a number that JSON doesn't have is refused`() throws {
    var transition = transition()
    transition.distance = .infinity
    let event = Event(sequence: 1, log: nil, recorded: nil, transition: transition)
    #expect(throws: EncodingError.self) { try event.canonicalText() }
  }
}
