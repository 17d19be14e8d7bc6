import Geofencing

extension Condition {
  /// The condition in a few words, for example `circle of 200 m, up to 120 m above mean sea level`.
  var summary: String { altitudeText.map { "\(shapeText), \($0)" } ?? shapeText }

  /// The position of its name: in its middle, or half-way along its line.
  var anchor: Coordinate {
    switch shape {
    case .circle(let circle): circle.center
    case .polygon(let polygon): Self.middle(of: polygon.polygons.first?.first ?? [])
    case .corridor(let corridor):
      corridor.lines.first.flatMap { $0.isEmpty ? nil : $0[$0.count / 2] } ?? Self.middle(of: [])
    }
  }

  /// The radius in metres around the anchor of a circle that contains it.
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
    // A ring ends where it begins: that position is counted once.
    LocalMap(around: ring.first == ring.last ? ring.dropFirst() : ring[...]).center
  }
}
