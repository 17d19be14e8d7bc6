import Glibc

extension PolygonalGeographicCondition {
  /// The distance in metres from a position to the nearest edge: negative inside.
  package func signedDistance(to position: Coordinate) -> Double {
    var nearest = Double.infinity
    var isInside = false
    for ring in polygons.joined() {
      for (start, end) in zip(ring, ring.dropFirst()) {
        nearest = min(nearest, distanceToSegment(of: position, from: start, to: end))
        if (start.latitude > position.latitude) != (end.latitude > position.latitude),
          position.longitude
            < (end.longitude - start.longitude) * (position.latitude - start.latitude)
            / (end.latitude - start.latitude) + start.longitude
        {
          isInside.toggle()
        }
      }
    }
    return isInside ? -nearest : nearest
  }
}

extension CorridorGeographicCondition {
  /// The distance in metres from a position to the nearest side: negative inside.
  package func signedDistance(to position: Coordinate) -> Double {
    var nearest = Double.infinity
    for line in lines {
      for (start, end) in zip(line, line.dropFirst()) {
        nearest = min(nearest, distanceToSegment(of: position, from: start, to: end))
      }
    }
    return nearest - width / 2
  }
}
