import Geofencing

extension Coordinate {
  /// How many corners a circle gets: its edges are at most 0.03 % of the radius off.
  private static let corners = 120

  /// The corners of a circle around this position, the first one again at the end.
  func ring(ofRadius radius: Double, isClockwise: Bool = true) -> [Coordinate] {
    let turn = isClockwise ? 360.0 : -360
    return (0...Self.corners).map { corner in
      moved(by: radius, bearing: turn * Double(corner % Self.corners) / Double(Self.corners))
    }
  }
}
