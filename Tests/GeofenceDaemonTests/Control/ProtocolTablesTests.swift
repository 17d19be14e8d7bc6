import EventDelivery
import Foundation
import Geofencing
import JSONCoding
import Positioning
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// The tables of `Docs/Protocol.md`, against what they are about.
struct ProtocolTablesTests {
  private let lines: [Substring]

  init() throws {
    let page = try String(
      contentsOfFile: SystemBox.repository + "Docs/Protocol.md", encoding: .utf8)
    lines = page.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The rows of the table with this header, each as its cells.
  private func table(_ header: String) throws -> [[String]] {
    let start = try #require(lines.firstIndex { $0 == header })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// What stands between backticks.
  private func names(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  /// An event of which all is known.
  private func event() throws -> Event {
    let monitor = MonitorKey(user: 1000, name: "default")
    var transition = Transition(
      key: ConditionKey(monitor: monitor, identifier: "home"), kind: .exited, state: .unsatisfied,
      previousState: .satisfied, date: at(9))
    transition.bounds = at(8)...at(9)
    var location = Location(
      timestamp: at(9), coordinate: try Coordinate(validLatitude: 48, longitude: 16),
      horizontalAccuracy: 5, speed: 1)
    location.isSimulated = true
    transition.location = location
    transition.distance = 1
    transition.probability = 0.5
    transition.visit = Visit(id: "visit", began: at(1))
    transition.duration = .seconds(7)
    transition.reason = .removed
    transition.isAccuracyLimited = true
    return Event(sequence: 1, log: "log", recorded: at(10), transition: transition)
  }

  @Test func `every code of a rejection is told`() throws {
    let codes = try table("| code | why |").flatMap { names(in: $0[0]) }
    #expect(
      Set(codes)
        == Set(RejectionReason.allCases.map(\.rawValue) + [RejectedFix.contradictsMotion]))
    #expect(Set(codes).count == codes.count)
  }

  @Test func `every field of an event is told`() throws {
    let written = try CanonicalJSON.encode(event())
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(written)) as? [String: Any])
    let told = try table("| field | what it is | when it is there |").flatMap {
      names(in: $0[0])
    }
    #expect(Set(told) == Set(object.keys))
  }

  @Test func `every field in the journal is told`() throws {
    let fields = JournalEntry.fields(of: try event(), withCoordinates: true).map(\.name)
    let told = try table("| field | of the event |").flatMap { names(in: $0[0]) }
    #expect(Set(told) == Set(fields.filter { $0.hasPrefix("GEOFENCE_") }))
  }

  @Test func `limits are told with their defaults`() throws {
    let cells = try table("| what | how much |").map {
      $0[1].replacing(#/(\d),(\d)/#) { "\($0.output.1)\($0.output.2)" }
    }
    let configuration = Configuration()
    let (limits, varlink) = (configuration.limits, configuration.socket.varlink)
    for (key, number) in [
      ("MaximumMessageBytes", varlink.maximumMessageBytes >> 20),
      ("MaximumMessageBytesPerUser", varlink.maximumMessageBytesPerUser >> 20),
      ("MaximumConnections", varlink.maximumConnections),
      ("MaximumConnectionsPerUser", varlink.maximumConnectionsPerUser),
      ("MaximumRequestsPerSecond", varlink.maximumRequestsPerSecond),
      ("MaximumConsumersPerUser", limits.maximumConsumersPerUser),
      ("MaximumConditionsPerUser", limits.maximumConditionsPerUser),
      ("MaximumMonitorsPerUser", limits.maximumMonitorsPerUser),
      ("MaximumSessionsPerUser", limits.maximumSessionsPerUser),
      ("MaximumVerticesPerUser", limits.maximumVerticesPerUser),
    ] {
      let told = cells.compactMap { cell in
        cell.range(of: "`\(key)=`, ").map { cell[$0.upperBound...].prefix(while: \.isNumber) }
      }
      #expect(told == ["\(number)"], "\(key)=")
    }
  }

  @Test func `limits that nobody sets are told as they are`() throws {
    let rows = try table("| what | how much |")
    func told(_ what: String) throws -> String {
      try #require(rows.first { $0[0].hasPrefix(what) }, "\(what)")[1]
    }
    var conditions = Configuration().limits
    #expect(HourlyAdditions.limit(conditions) == 2 * conditions.maximumConditionsPerUser)
    conditions.maximumConditionsPerUser = 1
    #expect(HourlyAdditions.limit(conditions) == 10_000)
    #expect(
      try told("conditions that a user other than root adds").hasPrefix(
        "twice what `MaximumConditionsPerUser=` says, and 10,000 at least"))
    let limits = Configuration().socket.varlink
    #expect(limits.partialMessageTimeout == .seconds(10) && limits.writeTimeout == .seconds(10))
    #expect(try told("time from the first byte of a request") == "10 s")
    #expect(try told("time in which more of a reply must be taken").hasPrefix("10 s, "))
    #expect(try told("names of monitors").hasPrefix("1 to \(Identifier.maximumLength) of "))
  }
}
