import Geofencing
import JSONCoding

/// A report as a GeoJSON FeatureCollection (RFC 7946), for QGIS and other programs that draw maps.
///
/// The property `kind` says what a feature is: `track`, a line for each stretch without gaps; `fix`, a point for each
/// fix that was used; `rejection`, a point for each row of fixes that weren't, with their number; `condition`; `event`.
/// Unlike in the page, the track isn't thinned. The remarks of the report are in the collection's member `remarks`.
/// Lines and circles across the antimeridian are cut there (section 3.1.9).
package struct GeoJSONReport {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  /// The bytes of the collection, a line for each feature.
  ///
  /// - Throws: `EncodingError` if a number isn't finite, which doesn't happen with a receiver's fixes.
  package func encode() throws -> [UInt8] {
    // A member that GeoJSON doesn't define (section 6.1), for people who read the file.
    let remarks = try CanonicalJSON.text(report.remarks)
    let head =
      "{\"type\":\"FeatureCollection\",\"name\":\(try CanonicalJSON.text(report.title)),"
      + (report.remarks.isEmpty ? "" : "\"remarks\":\(remarks),")
    // A text with very many conditions is large, so there is only one copy of it.
    var bytes = Array((head + "\"features\":[").utf8)
    var isFirst = true
    func add(_ feature: Feature) throws {
      bytes += (isFirst ? "\n" : ",\n").utf8
      bytes += try CanonicalJSON.encode(feature)
      isFirst = false
    }
    for fence in report.fences { try add(feature(of: fence)) }
    for stretch in stretches { try add(feature(of: stretch)) }
    for fix in report.track { try add(feature(of: fix)) }
    for rejection in report.rejections { try feature(of: rejection).map(add) }
    for event in report.events { try add(feature(of: event)) }
    bytes += "\n]}\n".utf8
    return bytes
  }

  // MARK: Features

  private struct Feature: Encodable {
    private(set) var type = "Feature"
    var geometry: Geometry
    var properties: Properties
  }

  /// The properties of a feature; each kind has its own.
  private struct Properties: Encodable {
    var kind: String
    var name: String?
    var monitor: String?
    var time: Timestamp?
    var from: Timestamp?
    var to: Timestamp?
    var speed: Double?
    var horizontalAccuracy: Double?
    var why: String?
    var count: Int?
    var sequence: Int64?
    var event: String?
    var state: String?
    var distance: Double?
    var probability: Double?
    var about: String?
    var radius: Double?
    var width: Double?
    var minimumAltitude: Double?
    var maximumAltitude: Double?
    var altitudeReference: String?

    init(_ kind: String) { self.kind = kind }
  }

  private var stretches: [ArraySlice<Report.TrackPoint>] {
    let starts =
      report.track.indices.filter { $0 > 0 && report.track[$0].followsGap } + [report.track.count]
    var start = 0
    return starts.compactMap { end in
      defer { start = end }
      // A line has at least two positions.
      return end - start > 1 ? report.track[start..<end] : nil
    }
  }

  private func feature(of stretch: ArraySlice<Report.TrackPoint>) -> Feature {
    var properties = Properties("track")
    properties.from = stretch.first?.timestamp
    properties.to = stretch.last?.timestamp
    properties.count = stretch.count
    return Feature(
      geometry: .line(CutGeometry.line(through: stretch.map(\.coordinate))),
      properties: properties)
  }

  private func feature(of fix: Report.TrackPoint) -> Feature {
    var properties = Properties("fix")
    properties.time = fix.timestamp
    properties.speed = fix.speed
    properties.horizontalAccuracy = fix.horizontalAccuracy?.toCentimetres
    return Feature(geometry: .point(Position(fix.coordinate)), properties: properties)
  }

  private func feature(of rejection: Report.Rejection) -> Feature? {
    guard let coordinate = rejection.fix.coordinate else { return nil }
    var properties = Properties("rejection")
    properties.time = rejection.fix.timestamp
    properties.horizontalAccuracy = rejection.fix.horizontalAccuracy?.toCentimetres
    properties.why = rejection.sentence
    properties.count = rejection.fix.count
    return Feature(geometry: .point(Position(coordinate)), properties: properties)
  }

  private func feature(of explained: Report.ExplainedEvent) -> Feature {
    let transition = explained.event.transition
    var properties = Properties("event")
    properties.sequence = explained.event.sequence
    properties.event = transition.kind.rawValue
    properties.state = transition.state.rawValue
    properties.monitor = transition.key.monitor.name
    properties.name = transition.key.identifier
    properties.time = transition.date
    properties.from = transition.bounds?.lowerBound
    properties.to = transition.bounds?.upperBound
    properties.distance = transition.distance?.toCentimetres
    properties.probability = transition.probability
    properties.speed = transition.location?.speed
    properties.horizontalAccuracy = transition.location?.horizontalAccuracy?.toCentimetres
    properties.why = explained.sentences.joined(separator: " ")
    return Feature(
      geometry: transition.location.map { .point(Position($0.coordinate)) } ?? .nowhere,
      properties: properties)
  }

  private func feature(of fence: Report.Fence) -> Feature {
    var properties = Properties("condition")
    properties.name = fence.key.identifier
    properties.monitor = fence.key.monitor.name
    properties.about = fence.condition.summary
    properties.state = fence.state?.rawValue
    properties.minimumAltitude = fence.condition.altitude?.minimum
    properties.maximumAltitude = fence.condition.altitude?.maximum
    properties.altitudeReference = fence.condition.altitude?.reference.rawValue
    switch fence.condition.shape {
    case .circle(let circle):
      properties.radius = circle.radius
      return Feature(
        geometry: .area(CutGeometry.disc(around: circle.center, radius: circle.radius)),
        properties: properties)
    case .polygon(let polygon):
      return Feature(geometry: .area(polygon.coordinates), properties: properties)
    case .corridor(let corridor):
      properties.width = corridor.width
      return Feature(
        geometry: .line(corridor.lines.flatMap(CutGeometry.line)), properties: properties)
    }
  }
}

/// A geometry of RFC 7946; one with a single part isn't written as a multi-part one.
private enum Geometry: Encodable {
  /// Null: a feature without a place has the member all the same (section 3.2).
  case nowhere
  case point(Position)
  case line([[Position]])
  case area([[[Position]]])

  private enum CodingKeys: CodingKey {
    case type, coordinates
  }

  func encode(to encoder: any Encoder) throws {
    func write(_ type: String, _ coordinates: some Encodable) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(type, forKey: .type)
      try container.encode(coordinates, forKey: .coordinates)
    }
    switch self {
    case .nowhere:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .point(let position): try write("Point", position)
    case .line(let lines) where lines.count == 1: try write("LineString", lines[0])
    case .line(let lines): try write("MultiLineString", lines)
    case .area(let polygons) where polygons.count == 1: try write("Polygon", polygons[0])
    case .area(let polygons): try write("MultiPolygon", polygons)
    }
  }
}
