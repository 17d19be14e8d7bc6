import Foundation
import Geofencing
import TestSupport
import Testing

@testable import GeographicFiles

/// Conditions in a file whose end has passed.
@Suite struct EndedConditionsTests {
  private static func circle(_ name: String, expires: String? = nil) -> String {
    let end = expires.map { #","expires":"\#($0)T00:00:00Z""# } ?? ""
    return feature(
      id: nil, #"{"type":"Point","coordinates":[1,2]}"#,
      #"{"name":"\#(name)","radius":9\#(end)}"#)
  }

  /// Reads a file as on a day; nil reads it whenever that is.
  private static func read(
    _ features: [String], on day: String?, in folder: TemporaryFolder
  ) throws -> ConditionsFile {
    let path = try folder.write(
      collection(features.joined(separator: ",\n")).utf8, "places.geojson")
    let now = day.flatMap { Timestamp(rfc3339: $0 + "T00:00:00Z") }
    return try ConditionsReader(path: path, now: now).read()
  }

  @Test func `are left out and told, and change nothing for others`() throws {
    let folder = try TemporaryFolder()
    let circles = [
      Self.circle("new", expires: "2026-05-02"), Self.circle("o", expires: "2026-05-01"),
      Self.circle("o"), Self.circle("older", expires: "2026-04-01"),
    ]
    let file = try Self.read(circles, on: "2026-05-01", in: folder)
    #expect(file.conditions.map(\.identifier) == ["new", "o-2"])
    #expect(
      file.notes.first == "\(folder.path)/places.geojson: conditions left out whose 'expires' is "
        + "in the past: 2, the first of them 'o' on line 3")
    let all = try Self.read(circles, on: nil, in: folder)
    #expect(all.conditions.map(\.identifier) == ["new", "o", "o-2", "older"])
  }

  @Test func `are no conditions where there are no others`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: FileMistakes.self) {
      try Self.read([Self.circle("old", expires: "2026-05-01")], on: "2026-05-02", in: folder)
    }
    let path = folder.path + "/places.geojson"
    #expect(error?.lines.first?.contains("the first of them 'old' on line 2") == true)
    #expect(error?.lines.dropFirst() == ["\(path): there are no conditions in it"])
  }
}
