import Foundation
import Geofencing
import TestSupport
import Testing

extension InABox {
  /// The generated receivers, as the real gpsd understands them.
  @Suite struct TrackGeneratorTests {
    private struct Report: Decodable {
      var `class`: String
      var mode: Int?
      var time: Timestamp?
      var lat: Double?
      var lon: Double?
    }

    @Test(arguments: Track.Scenario.allCases)
    func `the real gpsd finds every fix of a generated journey where it was`(
      scenario: Track.Scenario
    ) async throws {
      try await withSystemBox { box in
        try await box.startGPSD()
        let start = try #require(Timestamp(rfc3339: "2026-11-20T23:55:00Z"))
        try await box.startReceiver(scenario, speed: 400, start: start.rfc3339)
        try await box.check([
          "systemd-run", "--quiet", "--unit=reader", "--property=StandardError=journal",
          "--property=StandardOutput=file:/run/reports",
          "gpspipe", "-w", "127.0.0.1:2947",
        ])
        try await box.wait(
          for: "the end of the journey", until: ["systemctl", "show", "receiver", "-p", "SubState"]
        ) { $0.lines == ["SubState=exited"] }
        try await box.check(["systemctl", "stop", "gpsd.socket", "gpsd.service"])
        try await box.wait(
          for: "the end of the reports", until: ["systemctl", "is-active", "reader.service"]
        ) { $0.lines != ["active"] }

        let reports = try await box.check(["cat", "/run/reports"]).lines
          .map { try JSONDecoder().decode(Report.self, from: Data($0.utf8)) }
        var found: [Timestamp: Coordinate] = [:]
        for report in reports where report.class == "TPV" && (report.mode ?? 0) >= 2 {
          let coordinate = Coordinate(
            latitude: try #require(report.lat), longitude: try #require(report.lon))
          found[try #require(report.time)] = coordinate
        }
        let sent = Receiver(seed: 1).observe(Track(scenario, seed: 1), startingAt: start)
          .filter { $0.mode >= 2 }
        // Five decimals of a minute are two centimetres.
        let wrong = sent.filter { fix in
          found[fix.timestamp].map { $0.distance(to: fix.coordinate) > 0.03 } ?? false
        }
        #expect(wrong == [])
        // gpsd may need the first epochs to learn how this receiver's cycle ends.
        let missing = sent.filter { found[$0.timestamp] == nil }
        #expect(missing.count <= 3, "missing \(missing.map(\.timestamp.rfc3339)) of \(sent.count)")
        #expect(Set(found.keys).subtracting(sent.map(\.timestamp)) == [])
      }
    }
  }
}

@Suite struct SeedTests {
  private func sentences(_ scenario: Track.Scenario, seed: UInt64) -> [UInt8] {
    var writer = NMEAWriter()
    return Receiver(seed: seed)
      .observe(Track(scenario, seed: seed), startingAt: Timestamp(nanoseconds: 0))
      .flatMap { writer.sentences(for: $0) }
  }

  @Test(arguments: Track.Scenario.allCases)
  func `the same seed gives the same journey, another seed another`(scenario: Track.Scenario) {
    #expect(sentences(scenario, seed: 7) == sentences(scenario, seed: 7))
    #expect(sentences(scenario, seed: 7) != sentences(scenario, seed: 8))
  }

  @Test(arguments: 1...20)
  func `every city drive leaves home, passes three places and ends at the office`(
    seed: UInt64
  ) throws {
    let track = Track.cityDrive(seed: seed)
    let home = try #require(track.places.first)
    let office = try #require(track.places.last)
    #expect([home.identifier, office.identifier] == ["home", "office"])
    let first = try #require(track.points.first).coordinate
    let last = try #require(track.points.last).coordinate
    #expect(home.center.distance(to: first) < 1)
    #expect(office.center.distance(to: last) < office.radius / 2)
    for place in track.places.dropFirst() {
      // Well outside at first and well inside once, and for longer than a moment.
      #expect(place.center.distance(to: first) > place.radius + 200)
      let inside = track.points.count {
        place.center.distance(to: $0.coordinate) < place.radius - 30
      }
      #expect(Track.step * inside > .seconds(6), "\(place.identifier) of seed \(seed)")
    }
    // No place overlaps another, so the order of entries and exits is known.
    for (index, place) in track.places.enumerated() {
      for other in track.places[(index + 1)...] {
        #expect(place.center.distance(to: other.center) > place.radius + other.radius + 100)
      }
    }
  }
}
