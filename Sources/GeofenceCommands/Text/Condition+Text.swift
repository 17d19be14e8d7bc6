import Geofencing

/// Texts about the place of a condition, and how to make it large enough.
extension Condition {
  /// The latitude and longitude of its centre.
  var centerText: String {
    let center = self.center
    return "\(center.latitude.rounded(toPlaces: 7).plain) "
      + center.longitude.rounded(toPlaces: 7).plain
  }

  /// What would make it large enough if the accuracy is poor.
  var remedyText: String {
    let larger =
      switch shape {
      case .circle: "a larger radius"
      case .polygon: "a larger polygon"
      case .corridor: "a wider corridor"
      }
    // With an altitude band, either the shape or the band may be too small.
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
    // A shape that is cut at the antimeridian is narrower if longitudes are counted eastwards from Greenwich.
    let isAcross = eastern.greatest - eastern.least < longitudes.greatest - longitudes.least
    let range = isAcross ? eastern : longitudes
    let longitude = (range.least + range.greatest) / 2
    return (
      (latitudes.least + latitudes.greatest) / 2, longitude > 180 ? longitude - 360 : longitude
    )
  }
}

extension AltitudeBand {
  /// The metres from its lower end to its upper one; nil if one of them is open.
  var width: Double? {
    guard let minimum, let maximum else { return nil }
    return maximum - minimum
  }
}
