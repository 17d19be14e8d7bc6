import Geofencing

extension Coordinate {
  /// A circle gets so many corners: they are 0.03 % of its radius off.
  private static let corners = 120

  /// The corners of a circle around this place, which ends where it begins.
  func ring(ofRadius radius: Double, isClockwise: Bool = true) -> [Coordinate] {
    let turn = isClockwise ? 360.0 : -360
    return (0...Self.corners).map { corner in
      moved(by: radius, bearing: turn * Double(corner % Self.corners) / Double(Self.corners))
    }
  }
}
