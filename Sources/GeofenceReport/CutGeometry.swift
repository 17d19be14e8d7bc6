import Geofencing

/// Geometries cut at the antimeridian, as section 3.1.9 of RFC 7946 asks for.
enum CutGeometry {
  /// The line through some positions, cut into parts of at least two positions each.
  static func line(through coordinates: [Coordinate]) -> [[Position]] {
    var parts: [[Position]] = []
    var part: [Position] = []
    for coordinate in coordinates {
      let next = Position(coordinate)
      if let last = part.last, abs(next.longitude - last.longitude) > 180 {
        let side = last.longitude < 0 ? -180.0 : 180.0
        // The latitude at the antimeridian, with longitudes that go on beyond ±180.
        let way = next.longitude + 2 * side - last.longitude
        let latitude =
          way == 0
          ? last.latitude
          : last.latitude + (next.latitude - last.latitude) * (side - last.longitude) / way
        // If it only touches the antimeridian, there is nothing to draw on one side.
        let (end, begin) = (
          Position(longitude: side, latitude: latitude),
          Position(longitude: -side, latitude: latitude)
        )
        if end != last { part.append(end) }
        if part.count > 1 { parts.append(part) }
        part = begin == next ? [] : [begin]
      }
      part.append(next)
    }
    // If all positions are the same place, once at 180 and once at −180, a line still needs two.
    if part.count == 1, parts.isEmpty, coordinates.count > 1 { part += part }
    if part.count > 1 || parts.isEmpty { parts.append(part) }
    return parts
  }

  /// A disc as polygons whose outer rings run counterclockwise; the radius is in metres.
  static func disc(around center: Coordinate, radius: Double) -> [[[Position]]] {
    // Exactly around a pole, all corners would have the same latitude, and enclose nothing on the map.
    let latitude = min(max(center.latitude, -Self.lastLatitude), Self.lastLatitude)
    let center = Coordinate(latitude: latitude, longitude: center.longitude) ?? center
    let ring = center.ring(ofRadius: radius, isClockwise: false).map { Position($0) }
    return (try? PolygonalGeographicCondition(coordinates: [[ring]]))?.coordinates ?? [[ring]]
  }

  /// A hundredth of a metre from the pole, in degrees.
  private static let lastLatitude = 89.999_999_9
}
