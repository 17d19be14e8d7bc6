import Glibc

/// A piece of the globe between two latitudes and two longitudes, in degrees.
struct Cell: Sendable, BitwiseCopyable {
  var south = -90.0
  var north = 90.0
  var west = -180.0
  var east = 180.0

  /// Metres from south to north, and from west to east where that is longest; both roughly.
  var size: (height: Double, width: Double) {
    let nearest = south > 0 ? south : north < 0 ? north : 0
    return (
      (north - south) * 111_320, (east - west) * 111_320 * max(cos(nearest * .pi / 180), 0)
    )
  }

  /// The two halves, cut from north to south or from west to east.
  func halves(byMeridian: Bool) -> (lower: Cell, upper: Cell) {
    var (lower, upper) = (self, self)
    if byMeridian {
      let middle = (west + east) / 2
      lower.east = middle
      upper.west = middle
    } else {
      let middle = (south + north) / 2
      lower.north = middle
      upper.south = middle
    }
    return (lower, upper)
  }
}
