/// The formats in which other programs keep places.
package enum GeographicFormat: String, Sendable, Hashable, CaseIterable {
  /// RFC 7946, also as a text sequence (RFC 8142) or with one feature per line.
  case geojson
  /// KML 2.2 of the Open Geospatial Consortium; not KMZ, which is compressed.
  case kml
  /// GPX 1.0 and 1.1.
  case gpx

  /// The format of a file extension; nil if the extension isn't known.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[dot...].dropFirst().lowercased() {
    case "geojson", "json", "geojsonl", "geojsons", "ndjson": self = .geojson
    case "kml": self = .kml
    case "gpx": self = .gpx
    default: return nil
    }
  }

  /// The format of a file with these first bytes; nil if they don't show it.
  package init?(beginning bytes: some Collection<UInt8>) {
    // Without its zeros, UTF-16 can be read like ASCII up to the element that shows the format.
    let text = String(
      decoding: bytes.prefix(4096).lazy.filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self)
    switch text.first(where: { !$0.isWhitespace }) {
    case "{", "[", "\u{1E}": self = .geojson
    case "<":
      guard let found = text.split(separator: "<").lazy.compactMap(Self.init(element:)).first else {
        return nil
      }
      self = found
    default: return nil
    }
  }

  /// The format whose root element begins with this text; its name may have a prefix.
  private init?(element text: Substring) {
    let name = text.prefix { !$0.isWhitespace && $0 != ">" }
    switch name.split(separator: ":", omittingEmptySubsequences: false).last {
    case "kml": self = .kml
    case "gpx": self = .gpx
    default: return nil
    }
  }
}
