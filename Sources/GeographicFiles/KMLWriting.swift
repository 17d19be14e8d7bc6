import Geofencing

/// Appends a condition as a KML Placemark, on one line.
///
/// A circle is written as a point with a radius: a polygon couldn't be read as a circle again.
func appendKML(_ condition: Condition, _ identifier: String, to bytes: inout [UInt8]) {
  bytes.append("<Placemark><name>\(identifier)</name><ExtendedData>")
  appendData("identifier", identifier, to: &bytes)
  for option in condition.writtenOptions {
    appendData(option.property.rawValue, option.text, to: &bytes)
  }
  bytes.append("</ExtendedData>")
  switch condition.shape {
  case .circle(let circle):
    appendGeometry("Point", [circle.center], to: &bytes)
  case .polygon(let polygon):
    appendAll(polygon.polygons, to: &bytes) { rings, bytes in
      bytes.append("<Polygon>")
      for (index, ring) in rings.enumerated() {
        let boundary = index == 0 ? "outerBoundaryIs" : "innerBoundaryIs"
        bytes.append("<\(boundary)>")
        appendGeometry("LinearRing", ring, to: &bytes)
        bytes.append("</\(boundary)>")
      }
      bytes.append("</Polygon>")
    }
  case .corridor(let corridor):
    appendAll(corridor.lines, to: &bytes) { appendGeometry("LineString", $0, to: &$1) }
  }
  bytes.append("</Placemark>\n")
}

/// Appends geometries, in a MultiGeometry if there are several.
private func appendAll<Part>(
  _ parts: [Part], to bytes: inout [UInt8], _ write: (Part, inout [UInt8]) -> Void
) {
  if parts.count > 1 { bytes.append("<MultiGeometry>") }
  for part in parts { write(part, &bytes) }
  if parts.count > 1 { bytes.append("</MultiGeometry>") }
}

private func appendGeometry(_ name: String, _ line: [Coordinate], to bytes: inout [UInt8]) {
  bytes.append("<\(name)><coordinates>")
  bytes.append(line, between: " ") { $1.append($0) }
  bytes.append("</coordinates></\(name)>")
}

private func appendData(_ name: String, _ value: String, to bytes: inout [UInt8]) {
  bytes.append("<Data name=\"\(name)\"><value>\(value)</value></Data>")
}
