import Geofencing
import Glibc

/// A point on the map: metres to the east and, as on screens, to the south.
struct MapPoint: Sendable, Hashable {
  var x: Double
  var y: Double

  /// The distance to another point in metres.
  func distance(to other: MapPoint) -> Double { hypot(x - other.x, y - other.y) }
}

/// A flat map around a centre: the azimuthal equidistant projection of the ellipsoid.
///
/// Distances from the centre are exact, and others within 0.01 % as far as 150 km away. Neither the
/// antimeridian nor a pole is special, and north is up in the middle.
struct LocalMap: Sendable {
  let center: Coordinate

  init(center: Coordinate) {
    self.center = center
  }

  /// A map around the middle of some positions; around 0° 0° if there are none.
  ///
  /// The middle is that of their directions from the centre of the globe, so the antimeridian makes no difference.
  init(around coordinates: some Sequence<Coordinate>) {
    var (x, y, z) = (0.0, 0.0, 0.0)
    for coordinate in coordinates {
      let (latitude, longitude) = (
        coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180
      )
      x += cos(latitude) * cos(longitude)
      y += cos(latitude) * sin(longitude)
      z += sin(latitude)
    }
    let middle = Coordinate(
      latitude: atan2(z, hypot(x, y)) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
    guard let middle else { preconditionFailure("arctangents are out of range") }
    self.init(center: middle)
  }

  /// The point of a position on the map.
  func point(of coordinate: Coordinate) -> MapPoint {
    let way = Vector(from: center, to: coordinate)
    return way.length > 0 ? MapPoint(x: way.east, y: -way.north) : MapPoint(x: 0, y: 0)
  }

  /// The points of a line that is straight in longitude and latitude, as in RFC 7946.
  ///
  /// The line is curved on the map, so it gets points in between. The beginning isn't among them, so that lines can be
  /// joined.
  ///
  /// - Parameter isCut: whether it was cut at the antimeridian: otherwise it goes the shorter way around the globe.
  func points(from start: Coordinate, to end: Coordinate, isCut: Bool) -> [MapPoint] {
    var longitudes = end.longitude - start.longitude
    if !isCut, abs(longitudes) > 180 { longitudes -= longitudes < 0 ? -360 : 360 }
    let latitudes = end.latitude - start.latitude
    let pieces = max(1, min(64, (max(abs(longitudes), abs(latitudes)) / 0.25).rounded(.up)))
    return (1...Int(pieces)).map { piece in
      let part = Double(piece) / pieces
      var longitude = start.longitude + longitudes * part
      if abs(longitude) > 180 { longitude -= longitude < 0 ? -360 : 360 }
      let between = Coordinate(latitude: start.latitude + latitudes * part, longitude: longitude)
      return point(of: between ?? end)
    }
  }
}
