import Geofencing

/// Appends a condition as a GeoJSON feature, on one line without a line break at its end.
///
/// The identifier is also its name, which maps show beside a place.
func appendGeoJSON(_ condition: Condition, _ identifier: String, to bytes: inout [UInt8]) {
  bytes.append("{\"type\":\"Feature\",\"id\":\"\(identifier)\",\"geometry\":{\"type\":\"")
  switch condition.shape {
  case .circle(let circle):
    bytes.append("Point\",\"coordinates\":")
    appendPosition(circle.center, to: &bytes)
  case .polygon(let polygon) where polygon.polygons.count == 1:
    bytes.append("Polygon\",\"coordinates\":")
    appendLines(polygon.polygons[0], to: &bytes)
  case .polygon(let polygon):
    bytes.append("MultiPolygon\",\"coordinates\":[")
    bytes.append(polygon.polygons, between: ",") { appendLines($0, to: &$1) }
    bytes.append("]")
  case .corridor(let corridor) where corridor.lines.count == 1:
    bytes.append("LineString\",\"coordinates\":")
    appendLine(corridor.lines[0], to: &bytes)
  case .corridor(let corridor):
    bytes.append("MultiLineString\",\"coordinates\":")
    appendLines(corridor.lines, to: &bytes)
  }
  bytes.append("},\"properties\":{\"name\":\"\(identifier)\"")
  for option in condition.writtenOptions {
    let quote = option.property.isText ? "\"" : ""
    bytes.append(",\"\(option.property.rawValue)\":\(quote)\(option.text)\(quote)")
  }
  bytes.append("}}")
}

private func appendLines(_ lines: [[Coordinate]], to bytes: inout [UInt8]) {
  bytes.append("[")
  bytes.append(lines, between: ",") { appendLine($0, to: &$1) }
  bytes.append("]")
}

private func appendLine(_ line: [Coordinate], to bytes: inout [UInt8]) {
  bytes.append("[")
  bytes.append(line, between: ",") { appendPosition($0, to: &$1) }
  bytes.append("]")
}

private func appendPosition(_ position: Coordinate, to bytes: inout [UInt8]) {
  bytes.append("[")
  bytes.append(position)
  bytes.append("]")
}
