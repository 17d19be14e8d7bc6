/// Satisfied inside one or several polygons, each of which may have holes.
///
/// Edges are straight in longitude and latitude, as in GeoJSON (RFC 7946).
///
/// ```swift
/// let yard = PolygonalGeographicCondition(exterior: [
///   Coordinate(latitude: 48.1370, longitude: 11.5750),
///   Coordinate(latitude: 48.1370, longitude: 11.5770),
///   Coordinate(latitude: 48.1382, longitude: 11.5770),
/// ])
/// ```
public struct PolygonalGeographicCondition: Condition {
  /// One polygon: what lies within its outer ring and in none of its holes.
  public struct Polygon: Sendable, Hashable, Codable {
    /// The corners of the outer ring, at least three, in either direction; the first need not be repeated.
    public var exterior: [Coordinate]

    /// The corners of each hole, at least three.
    public var holes: [[Coordinate]]

    /// A polygon with its holes.
    public init(exterior: [Coordinate], holes: [[Coordinate]] = []) {
      self.exterior = exterior
      self.holes = holes
    }
  }

  /// The polygons; they may touch in points, but not overlap.
  public var polygons: [Polygon]

  /// Between which altitudes; nil is any.
  public var altitude: AltitudeBand?

  /// How sure and how long, and until when.
  public var options: ConditionOptions

  /// Polygons.
  ///
  /// Nothing is checked here: ``Monitor/add(_:identifier:assuming:)`` says what is wrong with a ring.
  public init(
    polygons: [Polygon], altitude: AltitudeBand? = nil,
    options: ConditionOptions = ConditionOptions()
  ) {
    self.polygons = polygons
    self.altitude = altitude
    self.options = options
  }

  /// One polygon.
  ///
  /// - Parameters:
  ///   - exterior: The corners of the outer ring, at least three, in either direction; the first need not be
  ///     repeated.
  ///   - holes: The corners of each hole, at least three.
  ///   - altitude: Between which altitudes; nil is any.
  ///   - options: How sure and how long, and until when.
  public init(
    exterior: [Coordinate], holes: [[Coordinate]] = [], altitude: AltitudeBand? = nil,
    options: ConditionOptions = ConditionOptions()
  ) {
    self.init(
      polygons: [Polygon(exterior: exterior, holes: holes)], altitude: altitude, options: options)
  }
}
