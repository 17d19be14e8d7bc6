/// The formats in which others keep places.
package enum GeographicFormat: String, Sendable, Hashable, CaseIterable {
  /// RFC 7946, also as a text sequence (RFC 8142) or with one feature a line.
  case geojson
  /// KML 2.2 of the Open Geospatial Consortium, not packed as KMZ.
  case kml
  /// GPX 1.0 and 1.1.
  case gpx

  /// The format that a file's extension stands for; nil when it tells nothing.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[dot...].dropFirst().lowercased() {
    case "geojson", "json", "geojsonl", "geojsons", "ndjson": self = .geojson
    case "kml": self = .kml
    case "gpx": self = .gpx
    default: return nil
    }
  }

  /// The format that a file's first bytes show; nil when they show none.
  package init?(beginning bytes: some Collection<UInt8>) {
    // Without the zeros, UTF-16 reads like ASCII as far as the element that tells the format.
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

  /// The format whose files have a root element that begins like this; a prefix may stand before its name.
  private init?(element text: Substring) {
    let name = text.prefix { !$0.isWhitespace && $0 != ">" }
    switch name.split(separator: ":", omittingEmptySubsequences: false).last {
    case "kml": self = .kml
    case "gpx": self = .gpx
    default: return nil
    }
  }
}
