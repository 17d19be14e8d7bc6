import Foundation
import TestSupport
import Testing

extension InTrouble.BadInputTests {
  /// Files that can't be used, and what is said of each behind its name.
  private static let files: [(text: String, says: String)] = [
    ("{\n  \"type\": \"FeatureCollection\",\n  \"features\": [\n    {]}\n", ":4: not JSON: "),
    ("", ": there are no conditions in it"),
    ("[1, 2]", ":1: not a GeoJSON FeatureCollection"),
    (#"{"type": "FeatureCollection"}"#, ":1: not a GeoJSON FeatureCollection"),
    (#"{"type": "FeatureCollection", "features": 7}"#, ":1: not a GeoJSON FeatureCollection"),
    (feature(id: "\"a\"", geometry: #"{"type": "Polygon", "coordinates": []}"#), ":2: feature 1"),
    (feature(id: "\"a\"", properties: "{}"), ":2: feature 1: a circle needs \"radius\""),
    (feature(id: "\"a\"", properties: #"{"radius": "big"}"#), ":2: feature 1: \"radius\""),
    (feature(id: "\"a\"", properties: #"{"radius": 0}"#), ":2: feature 1: radius 0.0 is out of"),
    (
      feature(id: "7").replacing("\n]}", with: ",\n\n" + featureLine(id: "\"7\"") + "\n]}"),
      ":4: feature 2: the identifier '7' is there twice"
    ),
    // The syntax, where it is wrong.
    (feature(id: "07"), ":2: not JSON: a number must not begin with 0"),
    (feature(id: #""\x""#), ":2: not JSON: expected one of"),
    (feature(id: #""\u12g4""#), ":2: not JSON: expected four hexadecimal digits"),
    // A byte order mark is no mistake.
    ("\u{FEFF}" + feature(id: "1", properties: "{}"), ":2: feature 1: a circle needs \"radius\""),
    (
      feature(id: "1").replacing("\"Feature\"", with: "\"Place\""),
      ":2: feature 1: it needs \"type\": \"Feature\""
    ),
    // The properties, by name.
    (
      feature(id: "1", properties: #"{"radius": 1e999}"#),
      ":2: feature 1: \"radius\": the number is out of range\n"
    ),
    (
      feature(id: "1", properties: #"{"radius": 9, "expires": "soon"}"#),
      ":2: feature 1: \"expires\": 'soon' is not an RFC 3339 date such as 2027-01-01T00:00:00Z\n"
    ),
    (
      feature(id: "1", properties: #"{"radius": 9, "enterafter": 9}"#),
      ":2: feature 1: there is no property \"enterafter\"; did you mean 'enterAfter'?"
    ),
    (
      feature(id: "1", properties: #"{"radius": 9, "confidense": 9}"#),
      ":2: feature 1: there is no property \"confidense\"; did you mean 'confidence'?"
    ),
    // Others' properties are let through.
    (
      feature(id: "7", properties: #"{"radius": 9, "radius_m": 9, "name": null, "entry": [1]}"#)
        .replacing("\n]}", with: ",\n\n" + featureLine(id: "\"7\"") + "\n]}"),
      ":4: feature 2: the identifier '7' is there twice"
    ),
  ]

  @Test(arguments: files)
  func `a conditions file that can't be used is named with its line`(
    text: String, says: String
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, "places.geojson")
    let result = try await DaemonProcess.run(["replay", "--conditions", path, "/dev/null"])
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(Self.isOneLine(result.errors))
    #expect(result.errors.contains(path + says), "\(result.errors)")
  }

  @Test func `a conditions file in another encoding is named with the line`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/places.geojson"
    let text = feature(id: "1", properties: #"{"radius": 9, "name": "Café"}"#)
    try text.write(toFile: path, atomically: true, encoding: .isoLatin1)
    let result = try await DaemonProcess.run(["replay", "--conditions", path, "/dev/null"])
    #expect(result.status == 1)
    #expect(Self.isOneLine(result.errors))
    #expect(result.errors.contains(path + ":2: not JSON: the text isn't UTF-8"))
  }
}

/// One feature on a line of its own.
private func featureLine(
  id: String, geometry: String = #"{"type": "Point", "coordinates": [16.3, 48.2]}"#,
  properties: String = #"{"radius": 100}"#
) -> String {
  #"{"type": "Feature", "id": \#(id), "geometry": \#(geometry), "properties": \#(properties)}"#
}

/// A collection with one feature on line 2.
private func feature(
  id: String, geometry: String = #"{"type": "Point", "coordinates": [16.3, 48.2]}"#,
  properties: String = #"{"radius": 100}"#
) -> String {
  "{\"type\": \"FeatureCollection\", \"features\": [\n"
    + featureLine(id: id, geometry: geometry, properties: properties) + "\n]}"
}
