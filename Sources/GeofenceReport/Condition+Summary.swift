import Geofencing

extension Condition {
  /// What it is in a few words, for example `circle of 200 m, up to 120 m above mean sea level`.
  var summary: String { altitudeText.map { "\(shapeText), \($0)" } ?? shapeText }

  /// A position in its middle, or where its line is half-way; where its name stands.
  var anchor: Coordinate {
    switch shape {
    case .circle(let circle): circle.center
    case .polygon(let polygon): Self.middle(of: polygon.polygons.first?.first ?? [])
    case .corridor(let corridor):
      corridor.lines.first.flatMap { $0.isEmpty ? nil : $0[$0.count / 2] } ?? Self.middle(of: [])
    }
  }

  /// Metres from the anchor within which all of it lies.
  var reach: Double {
    let anchor = self.anchor
    switch shape {
    case .circle(let circle): return circle.radius
    case .polygon(let polygon):
      return polygon.polygons.joined().joined().reduce(0) { max($0, anchor.distance(to: $1)) }
    case .corridor(let corridor):
      return corridor.lines.joined().reduce(0) { max($0, anchor.distance(to: $1)) }
        + corridor.width / 2
    }
  }

  private static func middle(of ring: [Coordinate]) -> Coordinate {
    // A ring ends where it begins: that position counts once.
    LocalMap(around: ring.first == ring.last ? ring.dropFirst() : ring[...]).center
  }
}
