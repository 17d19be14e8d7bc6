import Foundation
import GeofenceReport
import Geofencing
import TestSupport
import Testing

/// When journeys of these tests begin.
func beginning() throws -> Timestamp { try #require(Timestamp(rfc3339: "2026-05-04T08:00:00Z")) }

func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
  try #require(Coordinate(latitude: latitude, longitude: longitude))
}

func circle(_ center: Coordinate, _ radius: Double) throws -> Condition {
  try Condition(shape: .circle(CircularGeographicCondition(center: center, radius: radius)))
}

func key(_ identifier: String, monitor: String = "default", user: UInt32 = 0) -> ConditionKey {
  ConditionKey(monitor: MonitorKey(user: user, name: monitor), identifier: identifier)
}

/// A text that would break out of any place that doesn't keep it in.
let hostile =
  #"</script><script>document.title='broken'</script><img src=x onerror=alert(1)>"'&\#u{202E}"#

extension Report {
  /// What happens on a journey past its places, and other shapes around them.
  static func journey(_ track: Track, seed: UInt64 = 1) throws -> Report {
    var report = Report(title: "A journey", origin: "The track is invented.")
    var engine = ConditionEngine()
    let start = try beginning()
    report.fences = try track.places.map {
      Fence(key: key($0.identifier), condition: try circle($0.center, $0.radius))
    }
    for fence in report.fences { _ = engine.add(fence.condition, as: fence.key, at: start) }
    for fix in Receiver(seed: seed, faults: .none).observe(track, startingAt: start)
    where fix.mode > 1 {
      let location = Location(
        timestamp: fix.timestamp, coordinate: fix.coordinate,
        horizontalAccuracy: fix.deviation * Location.sigmasIn68Percent, speed: fix.speed)
      report.track.append(
        TrackPoint(
          timestamp: fix.timestamp, coordinate: fix.coordinate, speed: fix.speed,
          horizontalAccuracy: location.horizontalAccuracy))
      for transition in engine.process(location) {
        let number = Int64(report.events.count + 1)
        report.events.append(
          ExplainedEvent(
            event: Event(sequence: number, log: nil, recorded: nil, transition: transition),
            sentences: ["Sentence one of \(number).", "Sentence two of \(number)."]))
      }
    }
    return report
  }

  /// A drive through a town with a condition of each kind, and with fixes that were left out.
  static func town() throws -> Report {
    var report = try journey(.cityDrive(seed: 3))
    let home = try #require(report.fences.first?.condition)
    guard case .circle(let circle) = home.shape else { throw TestFailure("no circle") }
    func position(_ metres: Double, _ bearing: Double) -> Position {
      Position(circle.center.moved(by: metres, bearing: bearing))
    }
    let corners = stride(from: 0.0, to: 360, by: 60)
    func ring(_ metres: Double) -> [Position] {
      corners.map { position(metres, $0) } + [position(metres, 0)]
    }
    report.fences.append(
      Fence(
        key: key("yard"),
        condition: try Condition(
          shape: .polygon(PolygonalGeographicCondition(coordinates: [[ring(400), ring(150)]])),
          altitude: AltitudeBand(minimum: nil, maximum: 120))))
    report.fences.append(
      Fence(
        key: key("route"),
        condition: try Condition(
          shape: .corridor(
            CorridorGeographicCondition(
              coordinates: [[position(500, 300), position(700, 20), position(900, 90)]], width: 80))
        )))
    for index in [50, 51, 200] {
      let point = report.track[index]
      report.rejections.append(
        Rejection(
          fix: RejectedFix(
            timestamp: point.timestamp, coordinate: point.coordinate.moved(by: 300, bearing: 45),
            reason: "impossibleSpeed"), sentence: "it was too far away"))
    }
    return report
  }

  /// The page, as text.
  var page: String {
    get throws { String(decoding: try HTMLReport(self).encode(), as: UTF8.self) }
  }

  /// What the page's script is given.
  var picture: [String: Any] {
    get throws {
      let page = try page
      let start = try #require(page.range(of: "id=\"data\">"))
      let end = try #require(page[start.upperBound...].range(of: "</script>"))
      let data = Data(page[start.upperBound..<end.lowerBound].utf8)
      return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
  }
}
