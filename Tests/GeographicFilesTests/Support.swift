import Foundation
import Geofencing
import TestSupport
import Testing

@testable import GeographicFiles

/// What a file with some contents holds.
func read(
  _ bytes: some Sequence<UInt8>, as format: GeographicFormat, width: Double? = nil,
  radius: Double? = nil, onlyShapes: ConditionsReader.ShapeKind? = nil,
  skipsUnlocated: Bool = true, in folder: TemporaryFolder? = nil
) throws -> ConditionsFile {
  let folder = try folder ?? TemporaryFolder()
  let path = try folder.write(bytes, "places.\(format.rawValue)")
  defer { withExtendedLifetime(folder) {} }
  do throws(FileMistakes) {
    return try ConditionsReader(
      path: path, width: width, radius: radius, onlyShapes: onlyShapes,
      skipsUnlocated: skipsUnlocated
    ).read()
  } catch {
    // The folder is another one each time.
    throw FileMistakes(
      lines: error.lines.map { $0.replacing(folder.path + "/", with: "") }, more: error.more)
  }
}

func read(
  _ text: String, as format: GeographicFormat, width: Double? = nil, radius: Double? = nil,
  onlyShapes: ConditionsReader.ShapeKind? = nil
) throws -> ConditionsFile {
  try read(text.utf8, as: format, width: width, radius: radius, onlyShapes: onlyShapes)
}

/// What is wrong with a file, one line each; empty where nothing is.
func mistakes(
  _ bytes: some Sequence<UInt8>, as format: GeographicFormat, in folder: TemporaryFolder? = nil
) -> [String] {
  do {
    _ = try read(bytes, as: format, in: folder)
    return []
  } catch let mistakes as FileMistakes {
    return mistakes.lines + (mistakes.more > 0 ? ["and \(mistakes.more) more"] : [])
  } catch {
    return ["an error of another kind: \(error)"]
  }
}

func mistakes(_ text: String, as format: GeographicFormat) -> [String] {
  mistakes(text.utf8, as: format)
}

/// Expects that one thing is wrong with a file, and that it is told with its place.
func expectMistake(_ says: String, in text: String, as format: GeographicFormat) {
  let lines = mistakes(text, as: format)
  #expect(lines.count == 1, "\(lines)")
  #expect(lines.first?.contains(says) == true, "\(lines)")
  #expect(lines.first?.hasPrefix("places.\(format.rawValue):") == true, "\(lines)")
}

/// All of some conditions as a file.
func written(
  _ conditions: [(identifier: String, condition: Condition)], as format: GeographicFormat
) throws -> [UInt8] {
  var writer = ConditionsWriter(format: format)
  var bytes: [UInt8] = []
  for (identifier, condition) in conditions {
    try writer.write(condition, identifier: identifier, into: &bytes)
  }
  writer.finish(into: &bytes)
  return bytes
}

/// A GeoJSON collection with a feature on each line from the second on.
func collection(_ features: String...) -> String {
  "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}"
}

func feature(
  id: String? = "\"a\"", _ geometry: String = #"{"type":"Point","coordinates":[16.3,48.2]}"#,
  _ properties: String = #"{"radius":100}"#
) -> String {
  let id = id.map { "\"id\":\($0)," } ?? ""
  return "{\"type\":\"Feature\",\(id)\"geometry\":\(geometry),\"properties\":\(properties)}"
}

func kml(_ features: String) -> String {
  "<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n"
    + features + "\n</Document></kml>"
}

/// A KML Placemark with data.
func placemark(
  _ geometry: String = "<Point><coordinates>16.3,48.2,170</coordinates></Point>",
  name: String? = "a", attributes: String = "", data: [(String, String)] = [("radius", "100")]
) -> String {
  let values = data.map { "<Data name=\"\($0.0)\"><value>\($0.1)</value></Data>" }.joined()
  return "<Placemark\(attributes)>" + (name.map { "<name>\($0)</name>" } ?? "")
    + "<ExtendedData>\(values)</ExtendedData>\(geometry)</Placemark>"
}

func gpx(_ contents: String) -> String {
  "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\" "
    + "xmlns:g=\"https://geofenced.io/gpx/1\" xmlns:o=\"urn:other\">\n" + contents + "\n</gpx>"
}
