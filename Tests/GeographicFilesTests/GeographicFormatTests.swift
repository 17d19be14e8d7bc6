import Foundation
import GeographicFiles
import TestSupport
import Testing

@Suite struct `The format of a file` {
  @Test(arguments: [
    ("places.geojson", GeographicFormat.geojson), ("a.b/PLACES.JSON", .geojson), ("x.kml", .kml),
    ("x.GPX", .gpx), ("x.txt", nil), ("kml", nil), ("folder.kml/places", nil), ("-", nil),
  ])
  func `is told by the extension`(path: String, format: GeographicFormat?) {
    #expect(GeographicFormat(path: path) == format)
  }

  @Test(arguments: [
    (" \n{\"type\"", GeographicFormat.geojson), ("\u{1E}{", .geojson), ("\u{FEFF}{", .geojson),
    ("<?xml version='1.0'?>\n<!-- x --><kml xmlns", .kml), ("\u{FEFF}<gpx ", .gpx), ("<html>", nil),
    ("<?xml version='1.0'?><ns2:kml xmlns:ns2='x'>", .kml), ("<gpx>", .gpx), ("<x:gpx\n", .gpx),
    ("<kmls><gpxx/></kmls>", nil), ("hello", nil), ("", nil),
  ])
  func `is told by the first bytes where the extension tells nothing`(
    text: String, format: GeographicFormat?
  ) {
    #expect(GeographicFormat(beginning: Array(text.utf8)) == format)
    let utf16 = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(GeographicFormat(beginning: utf16) == format)
  }

  @Test(arguments: [
    ([0x50, 0x4B, 0x03, 0x04, 0x00], "is packed as KMZ or zip: unpack it"),
    ([0x1F, 0x8B, 0x08], "is compressed: unpack it with gunzip"),
    (Array("hello".utf8), "is neither GeoJSON nor KML nor GPX"),
    ([], "there are no conditions in it"),
  ])
  func `decides what is read at all`(bytes: [UInt8], says: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, "places")
    let error = try #require(throws: FileMistakes.self) {
      _ = try ConditionsReader(path: path).read()
    }
    #expect(error.description.hasPrefix("\(path): \(says)"), "\(error)")
  }

  @Test(arguments: [
    (GeographicFormat.geojson, ["home", "yard", "route"]), (.kml, ["My-home", "yard"]),
    (.gpx, ["home", "way-to-work"]),
  ])
  func `is described with an example that can be read`(
    format: GeographicFormat, identifiers: [String]
  ) throws {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: repository.appending(path: "Docs/Files.md"), encoding: .utf8)
    let rest = try #require(page.split(separator: "```\(format)\n").dropFirst().first)
    let example = try #require(rest.split(separator: "\n```").first)
    #expect(try read(String(example), as: format).conditions.map(\.identifier) == identifiers)
  }

  @Test func `progress goes to the end of the file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/places"
    let text = collection((0..<2000).map { feature(id: "\($0)") }.joined(separator: ",\n"))
    try Data(text.utf8).write(to: URL(filePath: path))
    var steps: [ConditionsReader.Progress] = []
    let file = try ConditionsReader(path: path).read { steps.append($0) }
    #expect(file.conditions.count == 2000)
    #expect(steps.count > 3)
    #expect(steps.allSatisfy { $0.bytesInAll == text.utf8.count })
    #expect(steps.map(\.bytesRead) == steps.map(\.bytesRead).sorted())
    #expect(steps.last?.bytesRead == text.utf8.count)
  }

  @Test func `a file's conditions are handed out while it is read, until one is wrong`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/places"
    let features = (0..<2000).map { feature(id: "\($0)") }
    var (pieces, given, piecesAtFirst) = (0, [NamedCondition](), 0)
    func read(_ features: [String]) throws -> ConditionsFile {
      try Data(collection(features.joined(separator: ",\n")).utf8).write(to: URL(filePath: path))
      (pieces, given, piecesAtFirst) = (0, [], 0)
      return try ConditionsReader(path: path).read {
        pieces = max(pieces, $0.bytesRead)
      } each: {
        if given.isEmpty { piecesAtFirst = pieces }
        given.append($0)
      }
    }
    #expect(try read(features).conditions.isEmpty)
    let conditions = try ConditionsReader(path: path).read().conditions
    #expect(given == conditions && given.count == 2000)
    #expect(piecesAtFirst < pieces)
    #expect(throws: FileMistakes.self) {
      _ = try read(features[..<1500] + ["7"] + features[1500...])
    }
    #expect(given == Array(conditions[..<1500]))
  }

  @Test func `a pipe's conditions are handed out when all is read`() async throws {
    let folder = try TemporaryFolder()
    let (path, pipe) = (folder.path + "/places", folder.path + "/pipe")
    let text = collection((0..<2000).map { feature(id: "\($0)") }.joined(separator: ",\n"))
    try Data(text.utf8).write(to: URL(filePath: path))
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = try Command(["sh", "-c", "cat \(path) >\(pipe)"])
      .spawn(input: nil, output: 1, errors: 2)
    var (bytes, given) = (0, [NamedCondition]())
    let file = try ConditionsReader(path: pipe).read {
      #expect(given.isEmpty)
      bytes = $0.bytesRead
    } each: {
      #expect(bytes == text.utf8.count)
      given.append($0)
    }
    #expect(file.conditions.isEmpty && given.map(\.identifier) == (0..<2000).map { "\($0)" })
    _ = await writer.end()
  }
}
