import Geofencing
import TestSupport
import Testing

@testable import GeographicFiles

@Suite struct `Writing and reading again` {
  @Test(arguments: GeographicFormat.allCases, 1...8)
  func `gives the same conditions, and then the same bytes`(
    format: GeographicFormat, seed: Int
  ) throws {
    var random = RandomConditions(seed: UInt64(seed))
    let conditions = try random.conditions(60, withPolygons: format != .gpx)
    let bytes = try written(conditions, as: format)
    let file = try read(bytes, as: format)
    #expect(file.format == format)
    // A line may happen to be closed.
    #expect(file.notes.allSatisfy { format == .gpx && $0.contains("that are closed") })
    let expected = Dictionary(
      uniqueKeysWithValues: conditions.map { ($0.identifier, $0.condition) })
    #expect(file.conditions.count == conditions.count)
    for read in file.conditions { #expect(expected[read.identifier] == read.condition) }
    // GPX wants waypoints first, then routes, then tracks.
    if format != .gpx {
      #expect(file.conditions.map(\.identifier) == conditions.map(\.identifier))
    }
    let again = try written(file.conditions.map { ($0.identifier, $0.condition) }, as: format)
    #expect(again == bytes)
  }

  @Test func `each format has one form`() throws {
    let circle = try Condition(
      shape: .circle(
        CircularGeographicCondition(
          center: Coordinate(validLatitude: 48.2, longitude: 16), radius: 100)),
      altitude: AltitudeBand(minimum: nil, maximum: 120.5, reference: .ellipsoid),
      enterAfter: .seconds(2), expires: Timestamp(rfc3339: "2027-01-01T00:00:00.250Z"))
    let line = try Shapes.corridor([[(1, 2), (3, 4)]], width: 40)
    let both = [("home", circle), ("way", line)]
    #expect(
      String(decoding: try written(both, as: .geojson), as: UTF8.self) == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"home","geometry":{"type":"Point","coordinates":[16,48.2]},\
        "properties":{"name":"home","radius":100,"maximumAltitude":120.5,\
        "altitudeReference":"ellipsoid","enterAfter":2,"expires":"2027-01-01T00:00:00.250Z"}},
        {"type":"Feature","id":"way","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},\
        "properties":{"name":"way","width":40}}
        ]}

        """)
    #expect(
      String(decoding: try written([("way", line)], as: .kml), as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2">
        <Document>
        <Placemark><name>way</name><ExtendedData><Data name="identifier"><value>way</value></Data>\
        <Data name="width"><value>40</value></Data></ExtendedData>\
        <LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>
        </Document>
        </kml>

        """)
    #expect(
      String(decoding: try written([("way", line), ("home", circle)], as: .gpx), as: UTF8.self)
        == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="geofenced" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:geofenced="https://geofenced.io/gpx/1">
        <wpt lat="48.2" lon="16"><name>home</name><extensions>\
        <geofenced:radius>100</geofenced:radius>\
        <geofenced:maximumAltitude>120.5</geofenced:maximumAltitude>\
        <geofenced:altitudeReference>ellipsoid</geofenced:altitudeReference>\
        <geofenced:enterAfter>2</geofenced:enterAfter>\
        <geofenced:expires>2027-01-01T00:00:00.250Z</geofenced:expires></extensions></wpt>
        <rte><name>way</name><extensions><geofenced:width>40</geofenced:width></extensions>\
        <rtept lat="2" lon="1"/><rtept lat="4" lon="3"/></rte>
        </gpx>

        """)
  }

  @Test(arguments: [
    (5e-05, -5e-05, "0.00005", "-0.00005"), (-1.25e-07, 180, "-0.000000125", "180"),
    (1e-4, 3.5, "0.0001", "3.5"),
  ])
  func `a position close to a zero is written as GPX has numbers, which is without an exponent`(
    latitude: Double, longitude: Double, first: String, second: String
  ) throws {
    let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let circle = try CircularGeographicCondition(center: center, radius: 100)
    let place = ("buoy", try Condition(shape: .circle(circle)))
    let bytes = try written([place], as: .gpx)
    #expect(String(decoding: bytes, as: UTF8.self).contains("lat=\"\(first)\" lon=\"\(second)\""))
    let file = try read(String(decoding: bytes, as: UTF8.self), as: .gpx)
    #expect(file.conditions.first?.condition == place.1)
  }

  @Test func `a polygon can't be written as GPX, and nothing of it is`() throws {
    var random = RandomConditions(seed: 3)
    let polygon = try #require(
      random.conditions(20, withPolygons: true).first { _, condition in
        if case .polygon = condition.shape { true } else { false }
      })
    var writer = ConditionsWriter(format: .gpx)
    var bytes: [UInt8] = []
    #expect(
      throws: FileMistakes(lines: [
        "condition 'yard' is a polygon, which GPX has not: write GeoJSON or KML"
      ])
    ) {
      try writer.write(polygon.condition, identifier: "yard", into: &bytes)
    }
    #expect(bytes.isEmpty)
  }

  @Test(arguments: GeographicFormat.allCases)
  func `a file of nothing is well-formed, and says so when it is read`(
    format: GeographicFormat
  ) throws {
    #expect(
      mistakes(try written([], as: format), as: format)
        == ["places.\(format): there are no conditions in it"])
  }
}
