import Geofencing

/// Appends a circle as a waypoint of GPX 1.1, or a corridor as a route or a track, on one line.
///
/// A polygon can't be expressed in GPX: then nothing is appended.
func appendGPX(_ condition: Condition, _ identifier: String, to bytes: inout [UInt8]) {
  switch condition.shape {
  case .polygon: break
  case .circle(let circle):
    bytes.append("<wpt\(attributes(of: circle.center))>")
    appendNameAndOptions(of: condition, identifier, to: &bytes)
    bytes.append("</wpt>\n")
  case .corridor(let corridor) where corridor.lines.count == 1:
    bytes.append("<rte>")
    appendNameAndOptions(of: condition, identifier, to: &bytes)
    for point in corridor.lines[0] { bytes.append("<rtept\(attributes(of: point))/>") }
    bytes.append("</rte>\n")
  case .corridor(let corridor):
    bytes.append("<trk>")
    appendNameAndOptions(of: condition, identifier, to: &bytes)
    for line in corridor.lines {
      bytes.append("<trkseg>")
      for point in line { bytes.append("<trkpt\(attributes(of: point))/>") }
      bytes.append("</trkseg>")
    }
    bytes.append("</trk>\n")
  }
}

private func appendNameAndOptions(
  of condition: Condition, _ identifier: String, to bytes: inout [UInt8]
) {
  bytes.append("<name>\(identifier)</name><extensions>")
  for option in condition.writtenOptions {
    let name = option.property.rawValue
    bytes.append("<geofenced:\(name)>\(option.text)</geofenced:\(name)>")
  }
  bytes.append("</extensions>")
}

private func attributes(of position: Coordinate) -> String {
  " lat=\"\(position.latitude.plain)\" lon=\"\(position.longitude.plain)\""
}
