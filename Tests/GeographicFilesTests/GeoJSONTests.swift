import Geofencing
import TestSupport
import Testing

@testable import GeographicFiles

@Suite struct `GeoJSON files` {
  private static let square = "[[0,0],[1,0],[1,1],[0,1],[0,0]]"

  @Test func `numbers may be texts, as Overpass writes them, and empty ones are none`() throws {
    let point = #"{"type":"Point","coordinates":[1,2]}"#
    let file = try read(
      collection(
        feature(id: "1", point, #"{"radius":"50","confidence":"0.99"}"#),
        feature(
          id: "2", point, #"{"radius":"","enterAfter":"","expires":"","altitudeReference":""}"#),
        feature(
          id: "3", #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#,
          #"{"width":"25.5"}"#)),
      as: .geojson, radius: 9)
    let conditions = file.conditions.map(\.condition)
    #expect(conditions[0].confidence == 0.99)
    guard case .circle(let first) = conditions[0].shape,
      case .circle(let second) = conditions[1].shape,
      case .corridor(let third) = conditions[2].shape
    else { throw TestFailure("\(conditions)") }
    #expect([first.radius, second.radius, third.width] == [50, 9, 25.5])
    #expect(conditions[1].enterAfter == nil)
  }

  @Test func `what has no place is skipped and counted, or a mistake where that is asked for`()
    throws
  {
    let circle = feature(id: "1", #"{"type":"Point","coordinates":[1,2]}"#, #"{"radius":50}"#)
    let nowhere = feature("null")
    let json = try read(Array(collection(circle, nowhere, nowhere).utf8), as: .geojson)
    #expect(json.conditions.map(\.identifier) == ["1"])
    #expect(json.notes.first?.hasSuffix("what has no geometry skipped: 2") == true)
    let address = "<Placemark><name>office</name><address>Main St 1</address></Placemark>"
    let places = try read(Array(kml(placemark() + address).utf8), as: .kml)
    #expect(places.conditions.count == 1)
    #expect(places.notes.first?.hasSuffix("what has no geometry skipped: 1") == true)
    for (text, format) in [
      (collection(circle, nowhere), GeographicFormat.geojson), (kml(placemark() + address), .kml),
    ] {
      let mistakes = #expect(throws: FileMistakes.self) {
        try read(Array(text.utf8), as: format, skipsUnlocated: false)
      }
      #expect(
        mistakes?.lines.first?.contains("2: it has no geometry to watch; only without --sync")
          == true)
    }
  }

  @Test func `members come in any order and others' are let through`() throws {
    let file = try read(
      """
      {"bbox":[1,2],"features":[
      {"properties":{"name":"Café","radius":9,"enterAfter":null,"tags":[{"a":1}]},"extra":{},
       "geometry":{"coordinates":[16.5,-48,170],"type":"Point"},"id":-7,"type":"Feature"}],
      "type":"FeatureCollection"}
      """, as: .geojson)
    let only = try #require(file.conditions.first)
    #expect(only.identifier == "-7")
    let center = try #require(Coordinate(latitude: -48, longitude: 16.5))
    let circle = try CircularGeographicCondition(center: center, radius: 9)
    #expect(try only.condition == Condition(shape: .circle(circle)))
  }

  @Test(arguments: ["Café Élan", "Cafe\u{301} E\u{301}lan"])
  func `a name gives the same identifier, however its accents are written`(name: String) throws {
    let file = try read(
      collection(
        feature(
          id: nil, #"{"type":"Point","coordinates":[1,2]}"#, #"{"name":"\#(name)","radius":9}"#)),
      as: .geojson)
    #expect(file.conditions.map(\.identifier) == ["Cafe-Elan"])
  }

  @Test func `each geometry is the condition it stands for`() throws {
    let file = try read(
      collection(
        feature(id: "1", "{\"type\":\"Polygon\",\"coordinates\":[\(Self.square)]}", "null"),
        feature(
          id: "2",
          "{\"type\":\"MultiPolygon\",\"coordinates\":[[\(Self.square)],[[[5,5],[6,5],[6,6],[5,5]]]]}",
          "{}"),
        feature(id: "3", #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, #"{"width":8}"#),
        feature(
          id: "4", #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#)),
      as: .geojson, width: 30)
    let shapes = file.conditions.map(\.condition.shape)
    guard case .polygon(let one) = shapes[0], case .polygon(let two) = shapes[1],
      case .corridor(let line) = shapes[2], case .corridor(let lines) = shapes[3]
    else { throw TestFailure("\(shapes)") }
    #expect(one.polygons.count == 1 && one.vertexCount == 4)
    #expect(two.polygons.count == 2 && two.vertexCount == 7)
    #expect(line.lines.count == 1 && line.width == 8)
    #expect(lines.lines.count == 2 && lines.width == 30)
  }

  @Test func `options are read by their names`() throws {
    let properties = """
      {"radius":9,"minimumAltitude":-5,"maximumAltitude":1e2,"altitudeReference":"ellipsoid",\
      "geofenced_enterAfter":1.5,"exitAfter":0,"confidence":0.9,"expires":"2027-01-01T01:00:00+01:00"}
      """
    let file = try read(
      collection(feature(id: "1"), feature(#"{"type":"Point","coordinates":[1,2]}"#, properties)),
      as: .geojson)
    let condition = try #require(file.conditions.last?.condition)
    #expect(
      try condition.altitude == AltitudeBand(minimum: -5, maximum: 100, reference: .ellipsoid))
    #expect(condition.enterAfter == .milliseconds(1500) && condition.exitAfter == .zero)
    #expect(condition.confidence == 0.9)
    #expect(condition.expires == Timestamp(rfc3339: "2027-01-01T00:00:00Z"))
  }

  @Test func `one feature, one geometry, and texts one after the other are read too`() throws {
    #expect(try read(feature(), as: .geojson).conditions.map(\.identifier) == ["a"])
    let geometry = "{\"coordinates\":[\(Self.square)],\"type\":\"Polygon\"}"
    #expect(
      mistakes(geometry, as: .geojson) == [
        "places.geojson:1: feature 1: it is a geometry alone: it needs a Feature around it"
      ])
    let named = (1...3).map { number in
      feature(
        id: number == 3 ? "\"third\"" : nil, Self.place, #"{"name":"My home","radius":9}"#)
    }
    #expect(
      try read(collection(named[0], named[1], named[2]), as: .geojson).conditions.map(\.identifier)
        == ["My-home", "My-home-2", "third"])
    let numbered = ["12", "1.5", "null", "[7]", "\"b\""].map { name in
      feature(
        id: name == "12" ? nil : "\"a\(name.count)\"", Self.place, "{\"name\":\(name),\"radius\":9}"
      )
    }
    #expect(
      try numbered.map { try read($0, as: .geojson).conditions.map(\.identifier) }
        == [["12"], ["a3"], ["a4"], ["a3"], ["a3"]])
    let shapes = try read(geometry, as: .geojson, onlyShapes: .polygon)
    #expect(shapes.conditions.map(\.identifier) == ["feature-1"])
    let lines = feature(id: "1") + "\n" + feature(id: "2")
    #expect(try read(lines, as: .geojson).conditions.map(\.identifier) == ["1", "2"])
    let sequence = "\u{1E}\(feature(id: "1"))\n\u{1E}\(feature(id: "2"))\n"
    #expect(try read(sequence, as: .geojson).conditions.map(\.identifier) == ["1", "2"])
  }

  @Test func `ids may be OpenStreetMap's`() throws {
    let file = try read(
      collection(feature(id: #""way/4253""#), feature(id: #""node/7""#)), as: .geojson)
    #expect(file.conditions.map(\.identifier) == ["way-4253", "node-7"])
    expectMistake(
      "the identifier 'way-1' is there twice",
      in: collection(feature(id: #""way/1""#), feature(id: #""way/1""#)), as: .geojson)
  }

  private static let place = #"{"type":"Point","coordinates":[16.3,48.2]}"#

  @Test func `how large another shape would be may be anything`() throws {
    let yard = #"{"type":"Polygon","coordinates":[[[8,47],[9,47],[9,48],[8,47]]]}"#
    for value in ["\"wide\"", "true", "[1]", "1e400"] {
      let file = try read(
        collection(
          feature(id: "1", yard, #"{"width":\#(value),"radius":\#(value)}"#),
          feature(id: "2", Self.place, #"{"radius":9,"width":\#(value)}"#)),
        as: .geojson)
      #expect(file.conditions.count == 2)
    }
  }

  @Test(arguments: [
    ("[1, 2]", ":1: not a GeoJSON FeatureCollection"), ("7", ":1: not a GeoJSON FeatureCollection"),
    (#"{"type":"FeatureCollection"}"#, ":1: not a GeoJSON FeatureCollection"),
    (#"{"type":"FeatureCollection","features":7}"#, ":1: not a GeoJSON FeatureCollection"),
    (#"{"features":[]}"#, ":1: not a GeoJSON FeatureCollection"), ("{}", ":1: not a GeoJSON"),
    (#"{"type":"FeatureCollection","features":[]}"#, ": there are no conditions in it"),
    (collection("[7]"), ":2: feature 1: it isn't an object"),
    (collection("{}"), ":2: feature 1: it needs \"type\": \"Feature\""),
    (
      collection(feature(id: "1.5")),
      ":2: feature 1: its id is neither a text nor a whole number: write it as a text"
    ),
    (collection(feature("7")), ":2: feature 1: it needs a geometry with a type"),
    (
      collection(feature(#"{"type":"Point"}"#)), ":2: feature 1: its geometry needs \"coordinates\""
    ),
    (
      collection(feature(), feature()),
      ":3: feature 2: the identifier 'a' is there twice, first on line 2: feature 1"
    ),
    (
      collection(
        feature(id: nil), feature(id: #""feature-1""#)),
      ":3: feature 2: the identifier 'feature-1' was given to feature 1 on line 2, which has none: give it "
        + "one of its own"
    ),
    (point("[NaN,1]"), ":2: not JSON: expected a value, not 'N'"),
    (point("[1e400,1]"), ":2: feature 1: a number in the coordinates is out of range"),
    (point("[16]"), ":2: feature 1: a position needs a longitude and a latitude"),
    (point("[\"16\",1]"), ":2: feature 1: the coordinates are no arrays of numbers"),
    (point("[16,\"1\"]"), ":2: feature 1: a position has something else than numbers in it"),
    (point("[]"), ":2: feature 1: there is an empty array in the coordinates"),
    (point("[[16,48]]"), ":2: feature 1: a Point needs \"coordinates\": [LONGITUDE, LATITUDE]"),
    (point("{\"lon\":1}"), ":2: feature 1: the coordinates are no arrays of numbers"),
    (
      point("[48.2,116.3]"),
      "latitude 116.3 is out of range: give degrees from -90 to 90; are longitude and latitude the wrong way round?"
    ),
    (point("[400,10]"), ":2: feature 1: longitude 400.0 is out of range"),
    (geometry("LineString", "[[1,2],[3]]"), ":2: feature 1: a position needs a longitude"),
    (
      geometry("LineString", "[[1,2],[[3,4]]]"),
      ":2: feature 1: the coordinates are not all equally deep"
    ),
    (geometry("LineString", "[[1,2],[3,4]]"), ":2: feature 1: a line needs \"width\""),
    (geometry("MultiPolygon", "[[[[[1,2]]]]]"), ":2: feature 1: the coordinates are too deep"),
    (geometry("Polygon", "[[[1,2],[3,4]]]"), ":2: feature 1: polygon 1, ring 1"),
    (geometry("MultiPoint", "[[1,2]]"), ":2: feature 1: a MultiPoint can't be watched: give each"),
    (geometry("Circle", "[1,2]"), ":2: feature 1: there is no geometry \"Circle\" in GeoJSON"),
    (
      collection(feature(#"{"type":"GeometryCollection","geometries":[]}"#)),
      ":2: feature 1: a GeometryCollection can't be watched"
    ),
    (properties("{}"), ":2: feature 1: a circle needs \"radius\""),
    (
      properties(#"{"radius":"9 m"}"#),
      ":2: feature 1: \"radius\": '9 m' is no number such as 100 or 0.5"
    ),
    (properties(#"{"radius":true}"#), ":2: feature 1: \"radius\" is of the wrong type"),
    (properties(#"[{"radius":9}]"#), ":2: feature 1: its properties aren't an object"),
    (properties("7"), ":2: feature 1: its properties aren't an object"),
    (properties("false"), ":2: feature 1: its properties aren't an object"),
    (properties("null"), ":2: feature 1: a circle needs \"radius\""),
    (properties(#"{"radius":9,"radius":9}"#), ":2: feature 1: \"radius\" is there twice"),
    (
      properties(#"{"radius":9,"expires":"2100-01-01T00:00:00Z","expires":"soon"}"#),
      ":2: feature 1: \"expires\" is there twice"
    ),
    (properties(#"{"radius":[1]}"#), ":2: feature 1: \"radius\" is of the wrong type"),
    (
      collection(
        feature(#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, #"{"width":"wide"}"#)),
      ":2: feature 1: \"width\": 'wide' is no number such as 100 or 0.5"
    ),
    (properties(#"{"radius":1e400}"#), ":2: feature 1: \"radius\": the number is out of range"),
    (properties(#"{"radius":0}"#), ":2: feature 1: radius 0.0 is out of range"),
    (
      properties(#"{"radius":9,"expires":7}"#),
      ":2: feature 1: \"expires\" is of the wrong type, it should be a text"
    ),
    (
      properties(#"{"radius":9,"expires":"soon"}"#),
      ":2: feature 1: \"expires\": 'soon' is not an RFC 3339 date"
    ),
    (
      properties(#"{"radius":9,"Radius":9}"#),
      ":2: feature 1: there is no property \"Radius\"; did you mean 'radius'?"
    ),
    (
      properties(#"{"radius":9,"exitAfter":1e300}"#),
      ":2: feature 1: exitAfter 1e+300 is out of range"
    ),
    (
      properties(#"{"radius":9,"minimumAltitude":1,"altitudeReference":"sea"}"#),
      ":2: feature 1: altitudeReference 'sea' is not valid: use meanSeaLevel or ellipsoid"
    ),
    (
      properties(#"{"radius":9,"altitudeReference":"ellipsoid"}"#),
      ":2: feature 1: altitudeReference says nothing"
    ),
    (
      properties(#"{"radius":9,"minimumAltitude":9,"maximumAltitude":1}"#),
      ":2: feature 1: minimumAltitude 9.0 isn't below"
    ),
    (collection(feature()) + "x", ":3: not JSON: expected a value, not 'x'"),
    (collection(feature()) + "[]", ":3: not JSON: text after the end of the JSON"),
  ])
  func `a mistake is told once, with its place`(text: String, says: String) {
    expectMistake(says, in: text, as: .geojson)
  }
}

private func geometry(_ type: String, _ coordinates: String) -> String {
  collection(feature("{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}"))
}

private func point(_ coordinates: String) -> String { geometry("Point", coordinates) }

private func properties(_ properties: String) -> String {
  collection(feature(#"{"type":"Point","coordinates":[1,2]}"#, properties))
}
