import Geofencing

extension Condition {
  /// What it is in a few words, for example `circle, radius 200 m`.
  var summary: String {
    let size =
      switch shape {
      case .circle(let circle): "circle, radius \(circle.radius.inMetres)"
      case .polygon(let polygon):
        (polygon.polygons.count > 1 ? "\(polygon.polygons.count) polygons" : "polygon")
          + ", \(polygon.vertexCount) corners"
      case .corridor(let corridor): "corridor, \(corridor.width.inMetres) wide"
      }
    return altitude.map { "\(size), \($0.summary)" } ?? size
  }

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
    LocalMap(around: ring).center
  }
}

extension AltitudeBand {
  /// The band in words, for example `120 m to 300 m above sea level`.
  fileprivate var summary: String {
    let above = reference == .meanSeaLevel ? "above sea level" : "above the ellipsoid"
    return switch (minimum, maximum) {
    case (let minimum?, let maximum?): "\(minimum.inMetres) to \(maximum.inMetres) \(above)"
    case (let minimum?, nil): "from \(minimum.inMetres) \(above)"
    case (nil, let maximum?): "up to \(maximum.inMetres) \(above)"
    case (nil, nil): above
    }
  }
}

extension Double {
  /// This length for a person: whole metres, or kilometres with at most one digit after the point.
  var inMetres: String {
    func short(_ value: Double) -> String { value.rounded(toPlaces: 1).shortest }
    guard isFinite, abs(self) < 1e12 else { return "\(self) m" }
    return abs(self) < 9999.5 ? "\(short(self)) m" : "\(short(self / 1000)) km"
  }
}
