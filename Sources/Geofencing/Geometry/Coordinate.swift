import CGeodesic

/// A position on the WGS84 ellipsoid, in degrees.
package struct Coordinate: BitwiseCopyable, Sendable, Hashable, Codable {
  /// Degrees north of the equator, −90 to 90.
  package let latitude: Double

  /// Degrees east of Greenwich, −180 to 180.
  package let longitude: Double

  /// A coordinate, or nil when a number isn't finite or is out of range.
  package init?(latitude: Double, longitude: Double) {
    // NaN is in no range, so this refuses it too.
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// 0° 0°, a value to be replaced by a real position.
  package static var nowhere: Coordinate { Coordinate(checkedLatitude: 0, longitude: 0) }

  /// A coordinate that was checked before.
  init(checkedLatitude latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A coordinate, or an error that names the number that is out of range.
  package init(validLatitude latitude: Double, longitude: Double) throws(ConditionError) {
    guard let value = Coordinate(latitude: latitude, longitude: longitude) else {
      throw (-90...90).contains(latitude)
        ? .longitudeOutOfRange(longitude) : .latitudeOutOfRange(latitude)
    }
    self = value
  }

  /// Decodes `latitude` and `longitude`; a number out of range is a ``ConditionError``.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      validLatitude: container.decode(Double.self, forKey: .latitude),
      longitude: container.decode(Double.self, forKey: .longitude))
  }

  /// Whether another coordinate is the same place: at the antimeridian and the poles several are.
  func isSamePlace(as other: Coordinate) -> Bool {
    latitude == other.latitude
      && (longitude == other.longitude || abs(latitude) == 90
        || abs(longitude - other.longitude) == 360)
  }

  /// The length of the geodesic to another position, in metres.
  ///
  /// Exact on the ellipsoid (GeographicLib); a sphere would be wrong by up to 0.56 %.
  package func distance(to other: Coordinate) -> Double { geodesic(to: other).length }

  /// The direction in which the geodesic to another position begins, in degrees from north.
  package func bearing(to other: Coordinate) -> Double { geodesic(to: other).bearing }

  /// Length in metres and direction in degrees of the geodesic to another position, for the cost of one of them.
  package func geodesic(to other: Coordinate) -> (length: Double, bearing: Double) {
    var azimuth = 0.0
    let length = unsafe geodesic_inverse(
      latitude, longitude, other.latitude, other.longitude, &azimuth)
    // On processors with fused multiply-add (aarch64), GeographicLib finds 1e-10 m between equal positions.
    return (self == other ? 0 : length, azimuth)
  }

  /// The position reached by going some metres in a direction given in degrees from north.
  package func moved(by metres: Double, bearing: Double) -> Coordinate {
    var latitude = 0.0
    var longitude = 0.0
    unsafe geodesic_direct(
      self.latitude, self.longitude, bearing, metres, &latitude, &longitude)
    return Coordinate(latitude: latitude, longitude: longitude) ?? self
  }

  /// The distance in metres to the closest position on the way between two others.
  ///
  /// The two ends are laid out around this one by their geodesic distance and direction (the
  /// azimuthal equidistant projection), where the way is taken as straight. Distances from it
  /// are exact; the way's curvature is off by less than a metre in a way of 20 km.
  func distance(toWayFrom start: Coordinate, to end: Coordinate) -> Double {
    let a = Vector(from: self, to: start)
    let way = Vector(from: self, to: end) - a
    guard way.squaredLength > 0 else { return a.length }
    let fraction = min(1, max(0, -a.dot(way) / way.squaredLength))
    return (a + way * fraction).length
  }
}
