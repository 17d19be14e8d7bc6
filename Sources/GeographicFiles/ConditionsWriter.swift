package import Geofencing

/// Writes conditions as GeoJSON, KML or GPX, piece by piece.
///
/// The same conditions always give the same bytes, and can be read again without loss.
package struct ConditionsWriter: Sendable {
  package let format: GeographicFormat

  private var hasBegun = false
  private var isFirst = true
  /// Routes and tracks, which GPX wants after all waypoints; routes come first.
  private var routes: [UInt8] = []
  private var tracks: [UInt8] = []

  /// Begins a file.
  package init(format: GeographicFormat) {
    self.format = format
  }

  /// Appends the bytes of one more condition, and before the first one the beginning of the file.
  ///
  /// Routes and tracks of GPX are appended only by ``finish(into:)``, because waypoints have to come before them.
  /// - Throws: ``FileMistakes`` if the format has no such shape: GPX has no polygons. Then nothing is appended.
  package mutating func write(
    _ condition: Condition, identifier: String, into bytes: inout [UInt8]
  ) throws(FileMistakes) {
    switch format {
    case .geojson:
      begin(&bytes)
      if !isFirst { bytes += Array(",\n".utf8) }
      appendGeoJSON(condition, identifier, to: &bytes)
    case .kml:
      begin(&bytes)
      appendKML(condition, identifier, to: &bytes)
    case .gpx:
      switch condition.shape {
      case .polygon:
        throw FileMistakes(lines: [
          "condition '\(identifier)' is a polygon, which GPX has not: write GeoJSON or KML"
        ])
      case .circle:
        begin(&bytes)
        appendGPX(condition, identifier, to: &bytes)
      case .corridor(let corridor) where corridor.lines.count == 1:
        appendGPX(condition, identifier, to: &routes)
      case .corridor:
        appendGPX(condition, identifier, to: &tracks)
      }
    }
    isFirst = false
  }

  /// Appends the end of the file; nothing may be written after it.
  package mutating func finish(into bytes: inout [UInt8]) {
    begin(&bytes)
    switch format {
    case .geojson: bytes += Array((isFirst ? "]}\n" : "\n]}\n").utf8)
    case .kml: bytes += Array("</Document>\n</kml>\n".utf8)
    case .gpx: bytes += routes + tracks + Array("</gpx>\n".utf8)
    }
    routes = []
    tracks = []
  }

  private mutating func begin(_ bytes: inout [UInt8]) {
    guard !hasBegun else { return }
    hasBegun = true
    let head =
      switch format {
      case .geojson: "{\"type\":\"FeatureCollection\",\"features\":[\n"
      case .kml:
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2">
        <Document>

        """
      case .gpx:
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="geofenced" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:geofenced="\(GPXReader.optionsNamespace)">

        """
      }
    bytes += Array(head.utf8)
  }
}
