/// A position as RFC 7946 writes it: longitude before latitude, in degrees.
///
/// It is what a file or a message says, and need not be on the globe: longitudes beyond ±180 are how
/// many programs write what lies across the antimeridian.
package struct Position: Sendable, Hashable {
  package var longitude: Double
  package var latitude: Double

  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }

  package init(_ coordinate: Coordinate) {
    self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
  }
}

extension Position: Codable {
  /// Decodes an array of numbers; what follows longitude and latitude is an altitude and has no say.
  package init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    longitude = try container.decode(Double.self)
    latitude = try container.decode(Double.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(longitude)
    try container.encode(latitude)
  }
}
