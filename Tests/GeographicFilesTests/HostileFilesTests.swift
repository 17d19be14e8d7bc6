import Foundation
import Glibc
import TestSupport
import Testing

@testable import GeographicFiles

@Suite struct `Hostile files` {
  private static let laughs =
    "<!DOCTYPE l [\n<!ENTITY a \"lol\">\n"
    + (1...9).map {
      "<!ENTITY \(Character(Unicode.Scalar(UInt8(97 + $0)))) \"\(String(repeating: "&\(Character(Unicode.Scalar(UInt8(96 + $0))));", count: 10))\">\n"
    }.joined()
    + "]>"
  private static let quadratic =
    "<!DOCTYPE l [<!ENTITY a \"\(String(repeating: "x", count: 50_000))\">]>"

  private static func root(_ format: GeographicFormat) -> String { "<\(format)>&a;</\(format)>" }

  @Test(arguments: [GeographicFormat.kml, .gpx])
  func `entities are refused where they are declared`(format: GeographicFormat) {
    for head in [Self.laughs, Self.quadratic, "<!DOCTYPE l [<!ENTITY a SYSTEM \"/etc/passwd\">]>"] {
      let lines = mistakes(head + Self.root(format), as: format)
      #expect(
        lines == [
          "places.\(format):1: not XML: a document type that declares entities or anything else "
            + "isn't read: remove it"
        ])
    }
  }

  @Test func `no file is opened but the one that was named`() throws {
    let folder = try TemporaryFolder()
    // Opened, this would never return: nobody writes into it.
    try #require(mkfifo(folder.path + "/trap", 0o600) == 0)
    for (format, text) in [
      (GeographicFormat.kml, "<!DOCTYPE kml SYSTEM \"file://\(folder.path)/trap\"><kml>&a;</kml>"),
      (.gpx, "<!DOCTYPE gpx SYSTEM \"\(folder.path)/trap\"><gpx>&a;</gpx>"),
      (.kml, "<!DOCTYPE kml [<!ENTITY a SYSTEM \"\(folder.path)/trap\">]><kml>&a;</kml>"),
      (.kml, kml("<NetworkLink><Link><href>\(folder.path)/trap</href></Link></NetworkLink>")),
    ] {
      let lines = mistakes(text, as: format)
      let isLink = text.contains("NetworkLink")
      #expect(lines.count == (isLink ? 2 : 1), "\(lines)")
      // Why there is nothing in it.
      if isLink { #expect(lines.first?.contains("NetworkLinks skipped") == true) }
    }
  }

  @Test(arguments: [
    (GeographicFormat.geojson, #"{"type":"FeatureCollection","features":"#, "[", "64"),
    (.geojson, "", #"{"a":"#, "64"),
    (.geojson, #"{"type":"Polygon","coordinates":"#, "[", "64"),
    (.kml, "<kml>", "<Folder>", "100"), (.gpx, "<gpx>", "<trk>", "100"),
  ])
  func `ten thousand levels are too many`(
    format: GeographicFormat, head: String, level: String, limit: String
  ) {
    let lines = mistakes(head + String(repeating: level, count: 10_000), as: format)
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix("nested deeper than \(limit) levels") == true, "\(lines)")
  }

  @Test(arguments: GeographicFormat.allCases, [2 << 30, (4 << 30) + 1])
  func `a file of gigabytes with nothing in it costs nothing`(
    format: GeographicFormat, size: Int
  ) throws {
    let heads = ["", #"{"type":"FeatureCollection","features":["#, "<kml>", "<gpx>", #"{"a":""#]
    for head in heads {
      let folder = try TemporaryFolder()
      let path = try folder.write(head.utf8, "places.\(format)")
      try #require(truncate(path, off_t(size)) == 0)
      var mostRead = 0
      #expect(throws: FileMistakes.self) {
        _ = try ConditionsReader(path: path).read { mostRead = max(mostRead, $0.bytesRead) }
      }
      #expect(mostRead < 4 << 20)
    }
  }

  /// To compare or go through such takes a time in the square of their length: a test that hangs has found one.
  @Test func `long texts of accents above and below are read, or refused, at once`() throws {
    let sign = "\u{301}\u{323}"
    let long = String(repeating: sign, count: 130_000)
    let radius = #"{"radius":9}"#
    let named = try read(
      collection(
        feature(id: nil, Self.point, #"{"radius":9,"name":"\#(long)","\#(sign)":"\#(long)"}"#),
        feature(id: "\"\(long)\"", Self.point, radius)),
      as: .geojson)
    #expect(named.conditions.map(\.identifier).allSatisfy { $0.hasPrefix("place-") })
    for text in [
      #"{"type":"\#(long)"}"#, collection(feature(#"{"type":"\#(long)","coordinates":[1,2]}"#)),
      collection(feature(Self.point, #"{"radius":9,"expires":"\#(long)"}"#)),
      #"{"type":"FeatureCollection","crs":{"properties":{"name":"\#(long)"}},"features":[]}"#,
    ] { #expect(mistakes(text, as: .geojson).count == 1) }
    let placed = try read(
      kml(placemark(name: long, data: [("radius", "9"), (long, "9")])), as: .kml)
    #expect(placed.conditions.map(\.identifier).allSatisfy { $0.hasPrefix("place-") })
    let marked = try read(
      gpx("<wpt lat='1' lon='2'><name>\(long)</name>\(Self.radius)</wpt>"), as: .gpx)
    #expect(marked.conditions.map(\.identifier).allSatisfy { $0.hasPrefix("place-") })
  }

  private static let radius = "<extensions><g:radius>9</g:radius></extensions>"

  private static let samples: [(format: GeographicFormat, text: String)] = [
    (
      .geojson,
      collection(
        feature(),
        feature(id: "7", #"{"type":"LineString","coordinates":[[1,2],[3.5,4e0]]}"#, #"{"width":9}"#)
      )
    ),
    (
      .kml,
      kml(
        placemark()
          + placemark(
            "<MultiGeometry><LineString><coordinates>1,2 3,4</coordinates></LineString></MultiGeometry>",
            name: "é", data: [("width", "9")]))
    ),
    (
      .gpx,
      gpx(
        "<wpt lat=\"1\" lon=\"2\"><name>a</name><extensions><g:radius>9</g:radius></extensions></wpt>"
          + "<rte><extensions><g:width>9</g:width></extensions><rtept lat=\"1\" lon=\"2\"/>"
          + "<rtept lat=\"3\" lon=\"4\"/></rte>")
    ),
  ]

  private static let point = #"{"type":"Point","coordinates":[1,2]}"#

  @Test(arguments: [
    (GeographicFormat.kml, kml(placemark("<Point><coordinates>&#x9b;1</coordinates></Point>"))),
    (.geojson, collection(feature(#"{"type":"\u009b2JP","coordinates":[1,2]}"#))),
    (.geojson, collection(feature(point, #"{"radius":9,"expires":"\u009b31m"}"#))),
    (.geojson, collection(feature(point, #"{"radius":9,"\u001bconfidence":0.9}"#))),
    (.geojson, "\u{9b}"),
  ])
  func `nothing in a file commands the terminal that a mistake is shown on`(
    format: GeographicFormat, text: String
  ) {
    let lines = mistakes(text, as: format)
    #expect(lines.count == 1)
    for line in lines {
      let controls = line.unicodeScalars.filter { $0.properties.generalCategory == .control }
      #expect(controls.isEmpty, "\(line)")
      #expect(line.contains("9B") || line.contains("1B"), "\(line)")
    }
  }

  @Test(arguments: samples.indices)
  func `a file that is cut off anywhere is one mistake`(sample: Int) throws {
    let (format, text) = Self.samples[sample]
    #expect(mistakes(text, as: format) == [])
    let bytes = Array(text.utf8)
    let folder = try TemporaryFolder()
    for count in 0..<bytes.count {
      let lines = mistakes(bytes.prefix(count), as: format, in: folder)
      #expect(lines.count == 1, "\(count): \(lines)")
    }
  }

  @Test(arguments: samples.indices)
  func `changed bytes never do more than make mistakes`(sample: Int) throws {
    let (format, text) = Self.samples[sample]
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: UInt64(sample))
    for _ in 0..<500 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      for line in mistakes(bytes, as: format, in: folder) {
        #expect(line.hasPrefix("places.\(format):"))
        #expect(!line.contains("\n") && line.count < 400)
      }
    }
  }

  @Test func `invalid UTF-8 is named with its line`() {
    let latin1 = collection(feature(), feature(id: "\"é\"")).unicodeScalars.map { UInt8($0.value) }
    #expect(
      mistakes(latin1, as: .geojson)
        == ["places.geojson:3: not JSON: the text isn't UTF-8; save it in that encoding"])
    #expect(
      mistakes(Array(kml("").utf8) + [0xFF], as: .kml).first?.contains("not XML:") == true)
  }

  @Test func `all mistakes are counted and twenty are told`() {
    let bad = (0..<50).map { _ in feature(Self.point, "{}") }.joined(separator: ",\n")
    let lines = mistakes(collection(bad, feature()), as: .geojson)
    #expect(lines.count == 21)
    #expect(
      lines.first
        == "places.geojson:2: feature 1: a circle needs \"radius\", its metres, or --radius for all that lack one"
    )
    #expect(lines.dropLast().last?.hasPrefix("places.geojson:21: feature 20: ") == true)
    #expect(lines.last == "and 30 more")
  }

  @Test func `a shape of too many positions is refused and costs no memory`() {
    let line = String(repeating: "[1,2],", count: 300_000) + "[1,2]"
    #expect(
      mistakes(
        collection(feature(#"{"type":"LineString","coordinates":[\#(line)]}"#, #"{"width":9}"#)),
        as: .geojson)
        == ["places.geojson:2: feature 1: more than 100000 positions: simplify the shape"])
    let points = String(repeating: "<rtept lat='1' lon='2'/>", count: 300_000)
    #expect(
      mistakes(gpx("<rte>\(points)</rte>"), as: .gpx)
        == ["places.gpx:3: rte 1: more than 100000 positions: simplify the shape"])
    let tuples = String(repeating: "1,2 ", count: 300_000)
    #expect(
      mistakes(
        kml(placemark("<LineString><coordinates>\(tuples)</coordinates></LineString>")), as: .kml)
        == ["places.kml:4: Placemark 1: more than 100000 positions: simplify the shape"])
  }
}
