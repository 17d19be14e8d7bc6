import Testing

@testable import GeographicFiles

@Suite struct `The reference system of a GeoJSON file` {
  private static func named(_ name: String) -> String {
    #"{"type":"name","properties":{"name":"\#(name)"}}"#
  }

  /// A collection on three lines, with a reference system before or after its features.
  private static func collection(_ system: String, isFirst: Bool, _ feature: String) -> String {
    let member = "\"crs\":\(system)"
    let features = "\"features\":[\(feature)]"
    return "{\"type\":\"FeatureCollection\",\n"
      + (isFirst ? "\(member),\n\(features)}" : "\(features),\n\(member)}")
  }

  @Test(arguments: [
    "urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84", "urn:ogc:def:crs:OGC::CRS84h",
    "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "https://www.opengis.net/def/crs/OGC/0/CRS84h",
    "OGC:CRS84", "CRS84", "CRS:84", "EPSG:4326", "epsg:4326", "EPSG:4979",
    "urn:ogc:def:crs:OGC:2:84", "WGS84", "WGS 84", "GCS_WGS_1984", "EPSG:4326 ", "EPSG:4269",
    "urn:ogc:def:crs:EPSG:v10.0:4258", "http://spatialreference.org/ref/epsg/4326/ogcwkt/",
    "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:EPSG:6.9:4979",
    "http://www.opengis.net/def/crs/EPSG/0/4326", "http://www.opengis.net/gml/srs/epsg.xml#4326",
  ])
  func `may be WGS84 under any of its names`(name: String) throws {
    for isFirst in [true, false] {
      let text = Self.collection(Self.named(name), isFirst: isFirst, feature())
      #expect(try read(text, as: .geojson).conditions.map(\.identifier) == ["a"])
    }
  }

  @Test(arguments: ["null", #""EPSG:4326""#, #"{"type":"EPSG","properties":{"code":4326}}"#])
  func `may be null, or WGS84 in an older form`(system: String) throws {
    let text = Self.collection(system, isFirst: true, feature())
    #expect(try read(text, as: .geojson).conditions.count == 1)
  }

  @Test(arguments: [
    (named("urn:ogc:def:crs:EPSG::4301"), "is 'urn:ogc:def:crs:EPSG::4301'"),
    (named("EPSG:3857"), "is 'EPSG:3857'"), (named("OGC:CRS83"), "is 'OGC:CRS83'"),
    (named("ESRI:4326"), "is 'ESRI:4326'"), (named("EPSG:14326"), "is 'EPSG:14326'"),
    (#"{"type":"EPSG","properties":{"code":31256}}"#, "is 'EPSG:31256'"),
    (#"{"type":"link","properties":{"href":"http://x/4301.prj"}}"#, "is 'http://x/4301.prj'"),
    ("{}", "has no name"), ("[7]", "has no name"), ("7", "has no name"), ("true", "has no name"),
  ])
  func `is refused by its name in one line where it is another`(system: String, says: String) {
    // Positions in metres are out of range, which is told no more.
    let place = feature(#"{"type":"Point","coordinates":[1821000,6141000]}"#)
    for (isFirst, line) in [(true, 2), (false, 3)] {
      let text = Self.collection(system, isFirst: isFirst, place)
      expectMistake("places.geojson:\(line): the \"crs\" \(says)", in: text, as: .geojson)
      expectMistake("'ogr2ogr -t_srs EPSG:4326 NEW.geojson FILE'", in: text, as: .geojson)
    }
  }

  @Test func `is looked for in a feature and a geometry too, but not in the properties`() throws {
    let system = "\"crs\":\(Self.named("EPSG:4301"))"
    let place = #"{"type":"Point","coordinates":[1,2],\#(system)}"#
    expectMistake("the \"crs\" is 'EPSG:4301'", in: feature(place), as: .geojson)
    expectMistake(
      "the \"crs\" is 'EPSG:4301'", in: "{\(system),\"type\":\"Feature\"}", as: .geojson)
    let own = feature(#"{"type":"Point","coordinates":[1,2]}"#, "{\"radius\":9,\(system)}")
    #expect(try read(own, as: .geojson).conditions.count == 1)
  }
}
