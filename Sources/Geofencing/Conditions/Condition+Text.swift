/// Texts for people that describe shapes and altitudes.
extension Condition {
  /// The kind and the size of the shape: `circle of 100 m`, `polygon, 5 vertices`.
  package var shapeText: String {
    switch shape {
    case .circle(let circle): return "circle of \(circle.radius.shortened) m"
    case .polygon(let polygon):
      let count = polygon.polygons.count
      let rings = polygon.polygons.reduce(0) { $0 + $1.count }
      let holes = rings - count
      return (count == 1 ? "polygon" : "\(count) polygons")
        + (holes == 0 ? "" : " with \(holes) \(holes == 1 ? "hole" : "holes")")
        + ", \(polygon.vertexCount) vertices"
    case .corridor(let corridor):
      let count = corridor.lines.count
      return (count == 1 ? "corridor" : "\(count) corridors")
        + " \(corridor.width.shortened) m wide, \(corridor.vertexCount) positions"
    }
  }

  /// The altitude band, `100 to 300 m above mean sea level`; nil if there is none.
  package var altitudeText: String? {
    guard let altitude else { return nil }
    let reference =
      switch altitude.reference {
      case .meanSeaLevel: "above mean sea level"
      case .ellipsoid: "above the ellipsoid"
      }
    switch (altitude.minimum, altitude.maximum) {
    case (let minimum?, let maximum?):
      return "\(minimum.shortened) to \(maximum.shortened) m \(reference)"
    case (let minimum?, nil): return "from \(minimum.shortened) m \(reference)"
    case (nil, let maximum?): return "up to \(maximum.shortened) m \(reference)"
    case (nil, nil): return nil
    }
  }
}

extension Double {
  /// The number with at most seven digits of a fraction, and without zeros at its end.
  fileprivate var shortened: String { rounded(toPlaces: 7).plain }
}
