/// A position in units of 180°/2³¹, about nine millimetres.
///
/// It is half the size of a ``Coordinate``, and differences of longitude wrap around the globe by themselves.
struct BinaryAngles: BitwiseCopyable {
  /// Units north of the south pole, less than 2³¹.
  let latitude: UInt32

  /// Units east of the antimeridian.
  let longitude: UInt32

  /// How many units a degree has.
  static let perDegree = Double(1 << 31) / 180

  /// The unit that the position lies in: its angles rounded down.
  init(_ position: Coordinate) {
    latitude = UInt32(min(max((position.latitude + 90) * Self.perDegree, 0), Double(Int32.max)))
    longitude = UInt32(truncatingIfNeeded: Int64((position.longitude + 180) * Self.perDegree))
  }

  /// The angles of the middle of the unit, in degrees.
  @inline(__always)
  var degrees: (latitude: Double, longitude: Double) {
    (
      (Double(latitude) + 0.5) * (1 / Self.perDegree) - 90,
      (Double(longitude) + 0.5) * (1 / Self.perDegree) - 180
    )
  }
}
