import CommandLineParsing
import Foundation
import Geofencing
import GeographicFiles
import TestSupport
import Testing

@testable import GeofenceCommands

/// The shapes that `ctl add` takes, and what commands say of shapes.
struct GivenShapeTests {
  private func arguments(_ words: [String]) throws -> ParsedArguments {
    try GeofenceCommandsTests.arguments(["ctl", "add"] + words)
  }

  private func shape(_ words: String...) throws -> Condition.Shape {
    try GivenShape.shape(arguments(words))
  }

  private static let square = "POLYGON ((8 47, 8.5 47, 8.5 47.5, 8 47.5, 8 47))"
  private static let way = "LINESTRING (8 47, 8.5 47.5)"

  @Test(arguments: ["--polygon", "--line"], ["{\"type\":\"Polygon\"}", "\n <kml/>"])
  func `what a file holds isn't taken for its name`(option: String, contents: String) throws {
    let error = #expect(throws: UsageError.self) { _ = try shape(option, contents) }
    #expect(error?.description.contains("this is what a ") == true)
    #expect(error?.description.contains("kml/") == false)
  }

  @Test func `a circle, a polygon or a line is one shape`() throws {
    guard case .circle(let circle) = try shape("--lat", "47", "--lon", "8", "-r", "100"),
      case .polygon(let polygon) = try shape("--polygon", Self.square),
      case .polygon(let polygons) = try shape(
        "--polygon", " multipolygon(((8 47, 9 47, 9 48, 8 47)), ((1 1, 2 1, 2 2, 1 1)))"),
      case .corridor(let corridor) = try shape("--line", Self.way, "--width", "50"),
      case .corridor(let corridors) = try shape(
        "--line", "MULTILINESTRING ((8 47, 9 48), (1 1, 2 2))", "--width", "5")
    else { throw TestFailure("that is another shape") }
    #expect(circle.radius == 100 && circle.center == Coordinate(latitude: 47, longitude: 8))
    #expect(polygon.vertexCount == 4 && polygons.vertexCount == 6)
    #expect(corridor.width == 50 && corridor.vertexCount == 2 && corridors.vertexCount == 4)
  }

  @Test(arguments: [
    ([], "missing a shape"),
    (["--id", "x"], "missing a shape"),
    (["--lat", "1", "--lon", "2"], "missing '--radius'"),
    (["--radius", "1"], "missing '--lat'"),
    (["--here", "--polygon", square], "--here and --polygon are different shapes: give one"),
    (["--lat", "1", "--polygon", square], "--lat and --polygon are different shapes: give one"),
    (["--line", way, "--polygon", square], "--polygon and --line are different shapes: give one"),
    (["--line", way], "missing '--width'"),
    (["--polygon", square, "--width", "5"], "--width is for --line"),
    (
      ["--polygon", "POLYGON ((8 47, 9 47, 9 48, 8 47"],
      "; write POLYGON ((LON LAT, …, first again)) or MULTIPOLYGON (((…)), ((…)))"
    ),
    (
      ["--line", "LINESTRING (8 47, 9", "--width", "5"],
      "; write LINESTRING (LON LAT, LON LAT, …) or MULTILINESTRING ((…), (…))"
    ),
    (["--polygon", "POLYGON EMPTY"], "--polygon: the shape can't be read: the shape is empty; "),
    (
      ["--line", "SRID=4326;LINESTRING (8 47, 9 48)", "--width", "5"],
      "--line: the shape can't be read: the text has to begin with POLYGON, MULTIPOLYGON, LINESTRING"
    ),
    (["--polygon", "POINT (8 47)"], "--polygon: the shape can't be read: the text has to begin"),
    (
      ["--polygon", "CIRCLE (48.2 16.3, 200)"],
      "or MULTIPOLYGON (((…)), ((…))); a circle is --lat, --lon and --radius"
    ),
    (["--line", "CircularString(8 47,9 48,9 47)", "--width", "5"], "; write LINESTRING (LON LAT"),
    (["--polygon", way], "--polygon wants a polygon; --line takes lines"),
    (["--line", square, "--width", "5"], "--line wants a line; --polygon takes polygons"),
  ])
  func `options that don't make a shape are told in one line`(words: [String], message: String)
    throws
  {
    let error = #expect(throws: UsageError.self) { try GivenShape.shape(arguments(words)) }
    #expect(error?.description.hasPrefix("geofenced ctl add: ") == true)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func `a circle may be where the receiver is`() throws {
    let here = try Coordinate(validLatitude: 47, longitude: 8)
    let shape = try GivenShape.shape(arguments(["--here", "--radius", "40"]), here: here)
    #expect(try shape == .circle(CircularGeographicCondition(center: here, radius: 40)))
    for (words, message) in [
      (["--here"], "missing '--radius'"),
      (["--here", "--lon", "8", "-r", "40"], "--here is instead of --lat and --lon"),
    ] {
      let error = #expect(throws: UsageError.self) {
        try GivenShape.shape(arguments(words), here: here)
      }
      #expect(error?.description.contains(message) == true)
    }
  }

  @Test func `the centre of a circle may lie beside the receiver`() throws {
    let here = try Coordinate(validLatitude: 47, longitude: 8)
    func center(_ words: [String]) throws -> Coordinate {
      try GivenShape.center(from: here, arguments(words + ["-r", "40"]))
    }
    #expect(try center(["--here"]) == here)
    let west = try center(["--here", "--bearing", "270", "--distance", "30"])
    #expect(abs(here.distance(to: west) - 30) < 0.02)
    #expect(abs(here.bearing(to: west) + 90) < 0.1)
    #expect(west.longitude < 8)
    for (words, message) in [
      (["--lat", "8", "--bearing", "9"], "--bearing and --distance are for --here"),
      (["--here", "--bearing", "270"], "--bearing and --distance go together: give both"),
      (["--here", "--distance", "30"], "--bearing and --distance go together: give both"),
      (
        ["--here", "--bearing", "361", "--distance", "30"],
        "--bearing wants degrees from 0 to 360, got 361"
      ),
      (
        ["--here", "--bearing", "9", "--distance", "-1"],
        "--distance wants metres from 0 to 100000, got -1"
      ),
    ] {
      let error = #expect(throws: UsageError.self) { try center(words) }
      #expect(error?.description == "geofenced ctl add: \(message)")
    }
  }

  @Test(arguments: [
    "POLYGON ((8 47, 9 47, 8 47))",
    "POLYGON ((8 97, 9 97, 9 98, 8 97))",
  ])
  func `text that is no polygon says why`(text: String) throws {
    #expect(throws: ConditionError.self) { try shape("--polygon", text) }
  }

  @Test(arguments: [
    "polygon.geojson", "Polygon 1.geojson", "no/Linestring of mine.kml", "Yard (2)",
    "Trip (2, 3).kml",
  ])
  func `the name of a file that is missing isn't taken for a text`(name: String) throws {
    let error = #expect(throws: (any Error).self) {
      try GivenShape.shape(arguments(["--polygon", name]))
    }
    #expect(error.map { "\($0)".hasPrefix("\(name): the file can't be read") } == true)
  }

  @Test func `a shape from a file is the only one in it`() throws {
    let folder = try TemporaryFolder()
    func write(_ name: String, _ features: [String]) throws -> String {
      let path = "\(folder.path)/\(name)"
      try #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    func feature(_ type: String, _ coordinates: String, _ properties: String = "{}") -> String {
      #"{"type":"Feature","properties":\#(properties),"geometry":{"type":"\#(type)","#
        + #""coordinates":\#(coordinates)}}"#
    }
    let yard = feature("Polygon", "[[[8,47],[9,47],[9,48],[8,47]]]")
    let way = feature("LineString", "[[8,47],[9,48]]")
    let wide = feature("LineString", "[[8,47],[9,48]]", #"{"width":20}"#)
    guard case .polygon(let polygon) = try shape("--polygon", write("yard.geojson", [yard])),
      case .corridor(let corridor) = try shape(
        "--line", write("way.geojson", [way]), "--width", "30"),
      case .corridor(let own) = try shape("--line", write("wide.geojson", [wide])),
      case .corridor(let typed) = try shape(
        "--line", write("wide.geojson", [wide]), "--width", "30")
    else { throw TestFailure("that is another shape") }
    #expect(polygon.vertexCount == 3)
    #expect(corridor.width == 30 && own.width == 20 && typed.width == 30)
    // What else is in it, as the places that a receiver marks, isn't asked for its size.
    let place = feature("Point", "[8,47]")
    let all = try write("all.geojson", [place, way, yard, place])
    guard case .polygon = try shape("--polygon", all),
      case .corridor = try shape("--line", all, "--width", "5")
    else { throw TestFailure("that is another shape") }
    for (option, path) in [
      ("polygon", try write("wide.geojson", [wide])), ("line", try write("yard.geojson", [yard])),
    ] {
      let error = #expect(throws: FileMistakes.self) { try shape("--\(option)", path) }
      #expect(error?.description == "\(path): there is no \(option) in it")
    }
    #expect(throws: CommandFailure.self) {
      try shape("--polygon", write("two.geojson", [yard, place, yard]))
    }
    #expect(throws: FileMistakes.self) { try shape("--line", write("way.geojson", [way])) }
    #expect(throws: FileMistakes.self) { try shape("--line", folder.path + "/missing.gpx") }
    #expect(throws: FileMistakes.self) { try shape("--polygon", "polygon.missing.geojson") }
  }

  @Test(arguments: [
    #""id":"way/12345","properties":{"confidence":"high","expires":"never","exitAfter":-1}"#,
    #""id":1.5,"properties":{"confidense":0.9,"minimumAltitude":1e400,"altitudeReference":"sea"}"#,
  ])
  func `only the shape is taken from a file, whatever else is in it`(members: String) throws {
    let folder = try TemporaryFolder()
    func write(_ geometry: String) throws -> String {
      let path = folder.path + "/places.geojson"
      try #"{"type":"Feature",\#(members),"geometry":\#(geometry)}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    let yard = #"{"type":"Polygon","coordinates":[[[8,47],[9,47],[9,48],[8,47]]]}"#
    guard case .polygon(let polygon) = try shape("--polygon", write(yard)) else {
      throw TestFailure("that is another shape")
    }
    #expect(polygon.vertexCount == 3)
    let error = #expect(throws: FileMistakes.self) { try shape("--polygon", write("{}")) }
    #expect(error?.description.hasSuffix("it needs a geometry with a type") == true)
  }

  @Test func `a shape is told with its kind, size, middle and altitudes`() throws {
    let texts = try Shapes.allKinds().mapValues { condition in
      [condition.shapeText, condition.centerText, condition.altitudeText ?? "-"]
    }
    #expect(
      texts == [
        "circle": ["circle of 150.5 m", "47.125 8.5", "-"],
        "circle-options": [
          "circle of 150.5 m", "47.125 8.5", "-3.5 to 450 m above the ellipsoid",
        ],
        "polygon": ["polygon, 4 vertices", "47.125 8.125", "-"],
        "polygon-altitude": [
          "polygon, 4 vertices", "47.125 8.125", "up to 300 m above mean sea level",
        ],
        "polygons": ["2 polygons with 1 hole, 11 vertices", "47.25 8.75", "-"],
        "corridor": ["corridor 60 m wide, 3 positions", "47.125 8.5", "-"],
        "corridors": ["2 corridors 2.5 m wide, 4 positions", "47.25 8.75", "-"],
      ])
  }

  @Test func `what would help against a poor accuracy is the shape, or the band of altitudes too`()
    throws
  {
    let shape = try shape("--lat", "47", "--lon", "8", "-r", "100")
    func remedy(_ minimum: Double?, _ maximum: Double?) throws -> String {
      try Condition(shape: shape, altitude: AltitudeBand(minimum: minimum, maximum: maximum))
        .remedyText
    }
    #expect(try Condition(shape: shape).remedyText == "a larger radius would help")
    #expect(try remedy(58, nil) == "a larger radius would help")
    #expect(
      try remedy(58, 62) == "a larger radius or a wider altitude band would help: 'geofenced ctl "
        + "explain' tells which")
  }

  @Test func `the middle of what lies across the antimeridian is there`() throws {
    let condition = try Shapes.corridor(
      [[(179, 10), (180, 12)], [(-180, 12), (-175, 14)]], width: 10)
    #expect(condition.centerText == "12 -178")
  }
}
