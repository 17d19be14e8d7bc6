import Foundation
import Geofencing
import TestSupport
import Testing

@testable import GeofenceReport

/// The report for programs that draw maps.
struct GeoJSONReportTests {
  private typealias Object = [String: Any]

  private func features(of report: Report) throws -> [Object] {
    let bytes = try GeoJSONReport(report).encode()
    let collection = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? Object)
    #expect(collection["type"] as? String == "FeatureCollection")
    return try #require(collection["features"] as? [Object])
  }

  private func kind(_ feature: Object) -> String? {
    (feature["properties"] as? Object)?["kind"] as? String
  }

  private func geometry(_ feature: Object) -> Object? { feature["geometry"] as? Object }

  @Test func `every fix, event and condition is a feature`() throws {
    let report = try Report.town()
    let features = try features(of: report)
    let counts = Dictionary(features.map { (kind($0) ?? "", 1) }, uniquingKeysWith: +)
    #expect(
      counts == [
        "track": 1, "fix": report.track.count, "rejection": 3, "event": report.events.count,
        "condition": report.fences.count,
      ])
    let types = features.filter { kind($0) == "condition" }.map {
      geometry($0)?["type"] as? String
    }
    #expect(Set(types) == ["Polygon", "LineString"])
    let event = try #require(features.last { kind($0) == "event" })
    let properties = try #require(event["properties"] as? Object)
    #expect(
      properties["why"] as? String == "Sentence one of \(report.events.count). "
        + "Sentence two of \(report.events.count).")
    #expect((geometry(event)?["coordinates"] as? [Double])?.count == 2)
  }

  @Test func `an event, a condition and a rejection tell all that is known of them`() throws {
    let (center, date) = (try coordinate(48, 11), try beginning())
    var report = Report(title: "", origin: "")
    report.fences = [
      Report.Fence(
        key: key("a", monitor: "m"),
        condition: try Condition(
          shape: .circle(CircularGeographicCondition(center: center, radius: 50)),
          altitude: AltitudeBand(minimum: 10, maximum: 120, reference: .ellipsoid)))
    ]
    var transition = Transition(
      key: key("a", monitor: "m"), kind: .crossed, state: .unsatisfied,
      previousState: .unsatisfied, date: date)
    transition.location = Location(
      timestamp: date, coordinate: center, horizontalAccuracy: 4, speed: 3)
    transition.bounds = date + .seconds(-20)...date
    transition.distance = 60.5
    transition.probability = 0.99
    report.events = [
      Report.ExplainedEvent(
        event: Event(sequence: 7, log: nil, recorded: nil, transition: transition),
        sentences: ["It was so."])
    ]
    report.rejections = [
      Report.Rejection(
        fix: RejectedFix(
          timestamp: date, coordinate: center, horizontalAccuracy: 12.345,
          reason: "impossibleSpeed"), sentence: "it was too far away")
    ]
    let told = try features(of: report).map { try #require($0["properties"] as? NSDictionary) }
    let moment = "2026-05-04T08:00:00.000Z"
    #expect(
      told == [
        [
          "kind": "condition", "name": "a", "monitor": "m",
          "about": "circle of 50 m, 10 to 120 m above the ellipsoid",
          "radius": 50, "minimumAltitude": 10, "maximumAltitude": 120,
          "altitudeReference": "ellipsoid",
        ],
        [
          "kind": "rejection", "time": moment, "horizontalAccuracy": 12.35, "count": 1,
          "why": "it was too far away",
        ],
        [
          "kind": "event", "name": "a", "monitor": "m", "time": moment,
          "from": "2026-05-04T07:59:40.000Z", "to": moment, "sequence": 7, "event": "crossed",
          "state": "unsatisfied", "distance": 60.5, "probability": 0.99, "why": "It was so.",
          "horizontalAccuracy": 4, "speed": 3,
        ],
      ])
  }

  @Test func `what was left out is said in the collection itself`() throws {
    var report = Report(title: "", origin: "")
    func remarks() throws -> [String]? {
      let bytes = try GeoJSONReport(report).encode()
      let collection = try JSONSerialization.jsonObject(with: Data(bytes)) as? Object
      return collection?["remarks"] as? [String]
    }
    #expect(try remarks() == nil)
    report.remarks = ["106 others are \"not\"."]
    #expect(try remarks() == report.remarks)
  }

  /// Twice the area of a ring in square degrees; positive where it runs counterclockwise.
  private func area(_ ring: [[Double]]) -> Double {
    zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0[0] * $1.1[1] - $1.1[0] * $1.0[1] }
  }

  @Test(arguments: [
    (48.0, 11.0, 1000.0, 1), (-16.8, 179.999, 1000, 2), (0, -180, 5000, 2),
    (89.99, 30, 10_000, 1), (-90, 0, 100_000, 1), (70, 100, 1_900_000, 1),
    (75, 100, 1_900_000, 1),
  ])
  func `circles are polygons as RFC 7946 wants them, on the antimeridian and at the poles`(
    latitude: Double, longitude: Double, radius: Double, parts: Int
  ) throws {
    let center = try coordinate(latitude, longitude)
    var report = Report(title: "", origin: "")
    report.fences = [Report.Fence(key: key("a"), condition: try circle(center, radius))]
    let shape = try #require(geometry(try features(of: report)[0]))
    let type = shape["type"] as? String
    let polygons =
      type == "Polygon"
      ? [try #require(shape["coordinates"] as? [[[Double]]])]
      : try #require(shape["coordinates"] as? [[[[Double]]]])
    #expect(polygons.count == parts)
    for polygon in polygons {
      let ring = try #require(polygon.first)
      #expect(polygon.count == 1)
      #expect(ring.first == ring.last)
      #expect(ring.count >= 4)
      #expect(area(ring) > 0)
      for position in ring {
        #expect((-180...180).contains(position[0]))
        #expect((-90...90).contains(position[1]))
        let distance = center.distance(to: try coordinate(position[1], position[0]))
        let isOnSeam = abs(position[0]) == 180 || abs(position[1]) == 90
        #expect(isOnSeam ? distance <= radius * 1.01 : abs(distance - radius) < radius * 1e-3)
      }
    }
  }

  @Test func `a track across the antimeridian is cut there`() throws {
    var report = Report(title: "", origin: "")
    for (second, longitude) in [179.7, 179.9, -179.9, -179.7, 179.9].enumerated() {
      report.track.append(
        Report.TrackPoint(
          timestamp: try beginning() + .seconds(second),
          coordinate: try coordinate(10 + Double(second), longitude)))
    }
    let shape = try #require(geometry(try features(of: report)[0]))
    #expect(shape["type"] as? String == "MultiLineString")
    let lines = try #require(shape["coordinates"] as? [[[Double]]])
    #expect(lines.map(\.count) == [3, 4, 2])
    #expect(lines[0][2] == [180, 11.5])
    #expect(lines[1][0] == [-180, 11.5])
  }

  @Test func `a corridor across the antimeridian is cut there`() throws {
    var report = Report(title: "", origin: "")
    report.fences = [
      Report.Fence(
        key: key("a"),
        condition: try Shapes.corridor([[(179, 10), (-179, 10), (-178, 10)]], width: 100))
    ]
    let shape = try #require(geometry(try features(of: report)[0]))
    #expect(shape["type"] as? String == "MultiLineString")
    #expect(
      shape["coordinates"] as? [[[Double]]] == [
        [[179, 10], [180, 10]], [[-180, 10], [-179, 10], [-178, 10]],
      ])
  }

  @Test(arguments: [
    [180.0, -170], [-170, 180], [-180, 170], [180, -180, -170], [-170, 180, 170],
  ])
  func `what only touches the antimeridian has no part of one place there`(longitudes: [Double])
    throws
  {
    let coordinates = try longitudes.enumerated().map {
      try coordinate(Double($0.offset), $0.element)
    }
    let parts = CutGeometry.line(through: coordinates)
    #expect(!parts.isEmpty)
    for part in parts {
      #expect(part.count >= 2, "\(parts)")
      #expect(zip(part, part.dropFirst()).allSatisfy { abs($0.longitude - $1.longitude) <= 180 })
      #expect(zip(part, part.dropFirst()).allSatisfy { $0 != $1 }, "\(parts)")
    }
    #expect(CutGeometry.line(through: Array(coordinates.prefix(1))).map(\.count) == [1])
    let place = try [180.0, -180].map { try coordinate(1, $0) }
    #expect(CutGeometry.line(through: place).map(\.count) == [2])
  }

  @Test func `a gap parts the line, and a fix alone makes none`() throws {
    var report = Report(title: "", origin: "")
    for (second, isGap) in [(0, false), (1, false), (60, true), (120, true), (121, false)] {
      report.track.append(
        Report.TrackPoint(
          timestamp: try beginning() + .seconds(second), coordinate: try coordinate(1, 2),
          followsGap: isGap))
    }
    let lines = try features(of: report).filter { kind($0) == "track" }
    #expect(lines.count == 2)
  }

  @Test func `an event without a position has no geometry, and a report of nothing no features`()
    throws
  {
    var report = Report(title: hostile, origin: "")
    #expect(try features(of: report).isEmpty)
    report.events = [
      Report.ExplainedEvent(
        event: Event(
          sequence: 1, log: nil, recorded: nil,
          transition: Transition(
            key: key("a"), kind: .unmonitored, state: .unmonitored, previousState: .unknown,
            date: try beginning())), sentences: [])
    ]
    let feature = try #require(try features(of: report).first)
    #expect(feature["geometry"] is NSNull)
  }
}
