import EventDelivery
import Foundation
import Geofencing
import TestSupport
import Testing

@Suite struct `A journal entry` {
  private var transition: Transition {
    get throws {
      var transition = Transition(
        key: ConditionKey(
          monitor: MonitorKey(user: 1000, name: "work"), identifier: "home"),
        kind: .exited, state: .unsatisfied, previousState: .satisfied,
        date: try #require(Timestamp(rfc3339: "2026-01-01T00:00:12.250Z")))
      transition.location = Location(
        timestamp: transition.date,
        coordinate: try Coordinate(validLatitude: 47.25, longitude: 8.5),
        horizontalAccuracy: 4.500_499,
        isSimulated: true)
      transition.distance = 51.249_6
      transition.probability = 0.001_000_4
      transition.bounds = transition.date + .seconds(-60)...transition.date
      transition.visit = Visit(of: "home", began: transition.date + .seconds(-90))
      transition.duration = .milliseconds(90_500)
      transition.reason = .removed
      return transition
    }
  }

  private func lines(_ transition: Transition, withCoordinates: Bool) throws -> [String] {
    let event = Event(
      sequence: 42, log: "f00d", recorded: transition.date + .seconds(1), transition: transition)
    return JournalEntry.fields(of: event, withCoordinates: withCoordinates)
      .map { "\($0.name)=\($0.value)" }
  }

  private static let always = [
    "MESSAGE=Left home", "MESSAGE_ID=c91ea9d0dccf49dca738f52a0c1fe4af", "PRIORITY=5",
    "SYSLOG_IDENTIFIER=geofenced", "GEOFENCE_SEQUENCE=42", "GEOFENCE_USER=1000",
    "GEOFENCE_MONITOR=work", "GEOFENCE_IDENTIFIER=home", "GEOFENCE_KIND=exited",
    "GEOFENCE_STATE=unsatisfied", "GEOFENCE_PREVIOUS_STATE=satisfied",
    "GEOFENCE_DATE=2026-01-01T00:00:12.250Z", "GEOFENCE_LOG=f00d",
    "GEOFENCE_RECORDED=2026-01-01T00:00:13.250Z",
  ]

  private static let details = [
    "GEOFENCE_EARLIEST=2025-12-31T23:59:12.250Z", "GEOFENCE_LATEST=2026-01-01T00:00:12.250Z",
    "GEOFENCE_VISIT=home@2025-12-31T23:58:42.250Z", "GEOFENCE_DURATION_SEC=90.5",
    "GEOFENCE_REASON=removed", "GEOFENCE_PROBABILITY=0.001", "GEOFENCE_SIMULATED=yes",
  ]

  @Test func `has these fields, and positions only when they are asked for`() throws {
    #expect(
      try lines(transition, withCoordinates: false) == Self.always + Self.details)
    #expect(
      try lines(transition, withCoordinates: true)
        == Self.always + Self.details + [
          "GEOFENCE_LATITUDE=47.25", "GEOFENCE_LONGITUDE=8.5", "GEOFENCE_DISTANCE=51.25",
          "GEOFENCE_ACCURACY=4.5",
        ])
  }

  @Test func `leaves out what isn't known`() throws {
    var plain = try transition
    plain = Transition(
      key: plain.key, kind: plain.kind, state: plain.state, previousState: plain.previousState,
      date: plain.date)
    #expect(try lines(plain, withCoordinates: true) == Self.always)
  }

  @Test func `has one message id and one sentence for each kind`() throws {
    #expect(Set(EventKind.allCases.map(JournalEntry.messageID)).count == EventKind.allCases.count)
    let sentences = try EventKind.allCases.map { kind in
      JournalEntry.sentence(
        for: Transition(
          key: try transition.key, kind: kind, state: .satisfied, previousState: .unknown,
          date: Timestamp(nanoseconds: 0)))
    }
    #expect(
      sentences == [
        "home is satisfied", "Entered home", "Left home", "Passed through home",
        "Lost track of home: no fix to judge it by for too long",
        "home is no longer watched",
      ])
  }

  @Test func `is explained by the catalogue, of whatever kind`() throws {
    let catalog = try String(
      contentsOfFile: SystemBox.repository + "systemd/geofenced.catalog", encoding: .utf8)
    let explained = catalog.split(separator: "\n").filter { $0.hasPrefix("-- ") }
      .map { String($0.dropFirst(3)) }
    let told = EventKind.allCases.map(JournalEntry.messageID) + [JournalEntry.missedMessageID]
    #expect(Set(told).isSubset(of: explained))
  }
}
