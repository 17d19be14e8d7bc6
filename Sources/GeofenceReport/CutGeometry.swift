import Geofencing

/// Geometries cut at the antimeridian, as section 3.1.9 of RFC 7946 asks for.
enum CutGeometry {
  /// A circle gets so many corners.
  private static let corners = 120

  /// The line through some positions, in as many parts as it takes; of each at least two positions.
  static func line(through coordinates: [Coordinate]) -> [[Position]] {
    var parts: [[Position]] = []
    var part: [Position] = []
    for coordinate in coordinates {
      let next = Position(coordinate)
      if let last = part.last, abs(next.longitude - last.longitude) > 180 {
        let side = last.longitude < 0 ? -180.0 : 180.0
        // Where both sides meet: the longitudes are taken as if they went on beyond ±180.
        let way = next.longitude + 2 * side - last.longitude
        let latitude =
          way == 0
          ? last.latitude
          : last.latitude + (next.latitude - last.latitude) * (side - last.longitude) / way
        part.append(Position(longitude: side, latitude: latitude))
        parts.append(part)
        part = [Position(longitude: -side, latitude: latitude)]
      }
      part.append(next)
    }
    parts.append(part)
    return parts
  }

  /// What lies within some metres of a centre, as polygons whose outer rings run counterclockwise.
  static func disc(around center: Coordinate, radius: Double) -> [[[Position]]] {
    // Counterclockwise, and with longitudes that go on beyond ±180 rather than jump.
    var ring: [Position] = []
    for corner in 0..<corners {
      let coordinate = center.moved(
        by: radius, bearing: -360 * Double(corner) / Double(corners))
      var position = Position(coordinate)
      if let last = ring.last {
        position.longitude =
          last.longitude
          + (position.longitude - last.longitude).remainder(dividingBy: 360)
      }
      ring.append(position)
    }
    guard let first = ring.first, let last = ring.last else { return [] }
    let closing =
      last.longitude + (first.longitude - last.longitude).remainder(dividingBy: 360)
    let turn = ((closing - first.longitude) / 360).rounded()
    if turn != 0 { return [[cap(of: ring, over: turn > 0 ? 90 : -90)]] }
    let longitudes = ring.map(\.longitude)
    guard let least = longitudes.min(), let greatest = longitudes.max() else { return [] }
    var polygons: [[[Position]]] = []
    var world = ((least + 180) / 360).rounded(.down)
    while world * 360 - 180 < greatest {
      let west = world * 360 - 180
      let part = clipped(
        clipped(ring, at: west, keepingEast: true), at: west + 360, keepingEast: false)
      world += 1
      guard part.count > 2, let first = part.first else { continue }
      polygons.append([
        (part + [first]).map {
          Position(longitude: $0.longitude - west - 180, latitude: $0.latitude)
        }
      ])
    }
    return polygons
  }

  /// The ring around what lies between a pole and a line that goes once round the globe.
  private static func cap(of line: [Position], over pole: Double) -> [Position] {
    var eastward = line.map { position in
      Position(
        longitude: position.longitude.remainder(dividingBy: 360), latitude: position.latitude)
    }
    eastward.sort { $0.longitude < $1.longitude }
    guard let first = eastward.first, let last = eastward.last else { return [] }
    let gap = first.longitude + 360 - last.longitude
    let share = gap > 0 ? (180 - last.longitude) / gap : 0
    let seam = last.latitude + (first.latitude - last.latitude) * share
    let west = Position(longitude: -180, latitude: seam)
    let east = Position(longitude: 180, latitude: seam)
    let ring =
      [west] + eastward + [
        east, Position(longitude: 180, latitude: pole), Position(longitude: -180, latitude: pole),
        west,
      ]
    // Below the line it runs clockwise.
    return pole > 0 ? ring : ring.reversed()
  }

  /// What of a ring lies on one side of a meridian.
  ///
  /// After I. E. Sutherland, G. W. Hodgman, "Reentrant Polygon Clipping" (1974).
  private static func clipped(
    _ ring: [Position], at meridian: Double, keepingEast: Bool
  ) -> [Position] {
    func isKept(_ position: Position) -> Bool {
      keepingEast ? position.longitude >= meridian : position.longitude <= meridian
    }
    guard var before = ring.last else { return [] }
    var part: [Position] = []
    for position in ring {
      if isKept(position) != isKept(before) {
        let share = (meridian - before.longitude) / (position.longitude - before.longitude)
        part.append(
          Position(
            longitude: meridian,
            latitude: before.latitude + (position.latitude - before.latitude) * share))
      }
      if isKept(position) { part.append(position) }
      before = position
    }
    return part
  }
}
