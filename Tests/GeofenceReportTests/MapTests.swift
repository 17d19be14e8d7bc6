import Foundation
import Geofencing
import TestSupport
import Testing

@testable import GeofenceReport

/// Where things are on the map, wherever on the globe they are.
struct MapTests {
  /// Ways of which the middle is on the antimeridian, at a pole, or anywhere else.
  private static let places = [
    (-16.8, 179.9985), (0, 180), (89.9999, 20), (-90, 0), (37.5665, 126.9780), (0, 0),
  ]

  @Test(arguments: places)
  func `distances on the map are those on the globe`(latitude: Double, longitude: Double) throws {
    let start = try coordinate(latitude, longitude)
    var report = Report(title: "", origin: "")
    for step in 0..<100 {
      report.track.append(
        Report.TrackPoint(
          timestamp: try beginning() + .seconds(step),
          coordinate: start.moved(by: Double(step) * 50, bearing: Double(step) * 4)))
    }
    let track = try #require(try report.picture["track"] as? [String: Any])
    let x = try #require(track["x"] as? [Double])
    let y = try #require(track["y"] as? [Double])
    let times = try #require(track["time"] as? [Int])
    #expect(times.count > 50)
    for (a, b) in zip(times.indices, times.indices.dropFirst()) {
      let drawn = ((x[b] - x[a]) * (x[b] - x[a]) + (y[b] - y[a]) * (y[b] - y[a])).squareRoot()
      let walked = report.track[times[a] / 1000].coordinate
        .distance(to: report.track[times[b] / 1000].coordinate)
      #expect(abs(drawn - walked) < 0.03, "\(drawn) for \(walked)")
    }
  }

  @Test func `a polygon that is cut at the antimeridian has no edge there`() throws {
    func box(_ west: Double, _ east: Double) -> [[(Double, Double)]] {
      [[(west, -17), (east, -17), (east, -16.9), (west, -16.9)]]
    }
    var report = Report(title: "", origin: "")
    report.requested = try beginning()...(beginning() + .seconds(1))
    report.fences = [
      Report.Fence(
        key: key("strait"),
        condition: try Shapes.polygons([box(179.95, 180), box(-180, -179.95)]))
    ]
    let fence = try #require((try report.picture["fences"] as? [[String: Any]])?.first)
    let edge = try #require(fence["edge"] as? String)
    let area = try #require(fence["area"] as? String)
    #expect(area.components(separatedBy: "M").count == 3)
    #expect(area.components(separatedBy: "Z").count == 3)
    // Three sides of each half.
    #expect(!edge.contains("Z"))
    #expect(try #require(fence["size"] as? Double) < 12_000)
    let corners = edge.components(separatedBy: "M").dropFirst().map {
      $0.components(separatedBy: "L").count
    }
    #expect(corners.reduce(0, +) - corners.count == 6, "\(edge)")
  }

  @Test func `a ring of very many corners is drawn with few of them`() throws {
    let center = try coordinate(48, 11)
    let ring = (0...50_000).map { corner in
      Position(center.moved(by: 1000, bearing: Double(corner % 50_000) / 50_000 * 360))
    }
    var report = Report(title: "", origin: "")
    report.requested = try beginning()...(beginning() + .seconds(1))
    report.fences = [
      Report.Fence(
        key: key("round"),
        condition: try Condition(
          shape: .polygon(PolygonalGeographicCondition(coordinates: [[ring]]))))
    ]
    let fence = try #require((try report.picture["fences"] as? [[String: Any]])?.first)
    let corners = try #require(fence["area"] as? String).components(separatedBy: "L").count
    #expect((30...5000).contains(corners), "\(corners)")
    #expect(abs(try #require(fence["size"] as? Double) - 2000) < 10)
  }

  /// The edge and the bounds of a polygon on a map around a place.
  private func outline(
    _ ring: [(Double, Double)], around center: Coordinate
  ) throws -> (edge: String, bounds: MapBounds) {
    let positions = ring.map { Position(longitude: $0.0, latitude: $0.1) }
    let outline = FenceOutline(
      .polygon(try PolygonalGeographicCondition(coordinates: [[positions]])),
      on: LocalMap(center: center), tolerance: 1)
    return (outline.edge, outline.bounds)
  }

  @Test func `what goes around the globe in one edge is drawn as with corners between`() throws {
    let pole = try coordinate(90, 0)
    let plain = try outline(
      [(-180, 60), (180, 60), (180, 90), (-180, 90), (-180, 60)], around: pole)
    let fine = try outline(
      [(-180, 60), (-60, 60), (60, 60), (180, 60), (180, 90), (-180, 90), (-180, 60)], around: pole)
    #expect(!plain.edge.isEmpty)
    let (a, b) = (plain.bounds.extent, fine.bounds.extent)
    #expect(a > 6e6 && abs(a / b - 1) < 0.05, "\(a) \(b)")
  }

  @Test func `an edge that runs along the antimeridian is drawn`() throws {
    let ring = [
      (179.993, 15.002), (180, 15.002), (180, 15.006), (179.993, 15.006), (179.993, 15.002),
    ]
    #expect(try outline(ring, around: try coordinate(15, 180)).edge.hasSuffix("Z"))
  }
}
