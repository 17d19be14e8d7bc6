import Geofencing

/// Shapes and altitudes as people read them.
extension Condition {
  /// What it is and how large: `circle of 100 m`, `polygon, 5 vertices`.
  var shapeText: String {
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

  /// Where its middle is: latitude and longitude.
  var centerText: String {
    let center = self.center
    return "\(center.latitude.shortened) \(center.longitude.shortened)"
  }

  /// Between which altitudes, if that matters: `100 to 300 m above mean sea level`.
  var altitudeText: String? {
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

  /// What would make it large enough for a poor accuracy.
  var remedyText: String {
    let larger =
      switch shape {
      case .circle: "a larger radius"
      case .polygon: "a larger polygon"
      case .corridor: "a wider corridor"
      }
    // Which of them is too small depends on the accuracy.
    return altitude?.width == nil
      ? "\(larger) would help"
      : "\(larger) or a wider altitude band would help: 'geofenced ctl explain' tells which"
  }

  /// The centre of a circle, and of other shapes the middle of the box around them.
  private var center: (latitude: Double, longitude: Double) {
    switch shape {
    case .circle(let circle): (circle.center.latitude, circle.center.longitude)
    case .polygon(let polygon): Self.middle(of: polygon.polygons.joined().joined())
    case .corridor(let corridor): Self.middle(of: corridor.lines.joined())
    }
  }

  private static func middle(
    of positions: some Sequence<Coordinate>
  ) -> (latitude: Double, longitude: Double) {
    var latitudes = (least: Double.infinity, greatest: -Double.infinity)
    var longitudes = latitudes
    var eastern = latitudes
    for position in positions {
      latitudes = (
        min(latitudes.least, position.latitude), max(latitudes.greatest, position.latitude)
      )
      let longitude = position.longitude
      longitudes = (min(longitudes.least, longitude), max(longitudes.greatest, longitude))
      let east = longitude < 0 ? longitude + 360 : longitude
      eastern = (min(eastern.least, east), max(eastern.greatest, east))
    }
    // What is cut at the antimeridian is narrower when it is counted eastwards from Greenwich.
    let isAcross = eastern.greatest - eastern.least < longitudes.greatest - longitudes.least
    let range = isAcross ? eastern : longitudes
    let longitude = (range.least + range.greatest) / 2
    return (
      (latitudes.least + latitudes.greatest) / 2, longitude > 180 ? longitude - 360 : longitude
    )
  }
}

extension AltitudeBand {
  /// How many metres it is from its lower end to its upper one; nil where one of them is open.
  var width: Double? {
    guard let minimum, let maximum else { return nil }
    return maximum - minimum
  }
}

extension Double {
  /// The number without a fraction that says nothing, and with at most seven digits of one.
  fileprivate var shortened: String { rounded(toPlaces: 7).shortest }
}
