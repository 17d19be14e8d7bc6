import CommandLineParsing
import JSONCoding

/// The reference system in a member `crs`, which GeoJSON allowed before RFC 7946 left only WGS84.
struct GeoJSONReferenceSystem {
  /// The name of the system in the file; empty if there is none.
  private var name = ""
  private var isNull = false

  /// Reads the next value.
  init(from scanner: inout JSONScanner) throws {
    switch try scanner.kind() {
    case .object: try readObject(from: &scanner)
    case .string: name = try scanner.string().beginning
    case .word: isNull = try scanner.word() == nil
    case .array, .number: try scanner.skip()
    }
  }

  private mutating func readObject(from scanner: inout JSONScanner) throws {
    var type = ""
    var code: String?
    try scanner.eachMember { scanner, key in
      switch (key, try scanner.kind()) {
      case ("type", .string): type = try scanner.string().beginning
      case ("properties", .object):
        try scanner.eachMember { scanner, key in
          switch (key, try scanner.kind()) {
          case ("name", .string), ("href", .string): name = try scanner.string().beginning
          case ("code", .string): code = try scanner.string().beginning
          case ("code", .number): code = try scanner.numberText()
          default: try scanner.skip()
          }
        }
      default: try scanner.skip()
      }
    }
    // Still older files have {"type": "EPSG", "properties": {"code": 4326}}.
    if name.isEmpty, let code { name = "\(type):\(code)" }
  }

  /// Why positions in it aren't longitudes and latitudes of WGS84; nil if they are.
  var problem: String? {
    guard !isNull, !isWGS84 else { return nil }
    let what = name.isEmpty ? "the \"crs\" has no name" : "the \"crs\" is '\(shortened(name))'"
    return "\(what), and not WGS84: convert the file with "
      + "'ogr2ogr -t_srs EPSG:4326 NEW.geojson FILE'"
  }

  /// Whether the name stands for WGS84, or for NAD83 or ETRS89, which are within two metres of it.
  ///
  /// Names of WGS84 are `urn:ogc:def:crs:OGC:1.3:CRS84`, `EPSG:4326`, or an address that ends in `EPSG/0/4326`. The
  /// order of axes that the authority of a system defines never mattered in GeoJSON.
  private var isWGS84: Bool {
    let parts = name.lowercased().split { ":/# ".contains($0) }
    let code = parts.last { $0 != "ogcwkt" && $0 != "proj4" } ?? ""
    let isOfEPSG = parts.contains { $0 == "epsg" || $0 == "epsg.xml" }
    let isOfOGC = parts.contains("ogc") || parts.contains("crs")
    return switch code {
    case "crs84", "crs84h", "wgs84", "gcs_wgs_1984": true
    case "84": isOfOGC || parts == ["wgs", "84"]
    case "4326", "4979", "4258", "4269": isOfEPSG
    default: false
    }
  }
}
