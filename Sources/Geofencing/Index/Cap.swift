/// All positions within some distance of a centre, in the form in which cells are compared with it.
///
/// The comparison is on the safe side: a cell that it doesn't touch lies farther away, one that it
/// touches may.
struct Cap: Sendable {
  let latitude: Double
  let longitude: Double

  /// Metres along the ground.
  let radius: Double

  /// Metres from the axis of the Earth to the centre.
  private let fromAxis: Double

  /// Whether it is so small and so far from the poles that the ground is as good as a plane.
  private let isFlat: Bool

  init(latitude: Double, longitude: Double, point: GeocentricPoint, radius: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
    fromAxis = (point.x * point.x + point.y * point.y).squareRoot()
    isFlat = radius <= 20_000 && abs(latitude) <= 85
  }

  /// Metres of a degree of latitude where that is shortest, at the equator: a(1 − e²)π/180.
  private static let leastDegree = 110_574.27

  /// Whether a cell may have a position in common with it.
  func touches(_ cell: Cell) -> Bool {
    let dy = max(cell.south - latitude, latitude - cell.north, 0) * Self.leastDegree
    guard dy <= radius else { return false }
    guard longitude < cell.west || longitude > cell.east else { return true }
    let dx = distanceToMeridian(
      min(difference(cell.west - longitude), difference(longitude - cell.east)))
    guard dx <= radius else { return false }
    // The meridians converge by less than this between the two ends of a distance of 20 km.
    return !isFlat || dx * dx + dy * dy <= radius * radius * 1.1
  }

  /// Degrees between two meridians, 0 to 180.
  private func difference(_ degrees: Double) -> Double {
    let difference = abs(degrees)
    return difference > 180 ? 360 - difference : difference
  }

  /// A distance in metres that the way to a meridian is never shorter than.
  ///
  /// In space, a straight line to the half plane of the meridian: its length is the distance from the
  /// axis times the sine of the angle, and that is at least x − x³/6.
  private func distanceToMeridian(_ degrees: Double) -> Double {
    let angle = degrees * (.pi / 180)
    return fromAxis * (angle < 1 ? angle * (1 - angle * angle / 6) : 0.84)
  }
}
