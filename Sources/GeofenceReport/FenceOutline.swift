import Geofencing

/// The shape of a condition on a map, as the data of SVG paths.
struct FenceOutline: Sendable {
  /// The inside; for a corridor its lines, which are drawn as wide as ``width``.
  private(set) var area = ""

  /// The edge, without cuts at the antimeridian; empty for a corridor.
  private(set) var edge = ""

  /// The width of a corridor in metres; nil for other shapes.
  private(set) var width: Double?

  private(set) var bounds = MapBounds()

  /// How many points of one condition are drawn at most.
  private static let pointLimit = 4000

  /// - Parameter tolerance: details that are smaller than so many metres are left out.
  init(_ shape: Condition.Shape, on map: LocalMap, tolerance: Double) {
    switch shape {
    case .circle(let circle):
      add(circle.center.ring(ofRadius: circle.radius).map(map.point(of:)), isClosed: true)
    case .polygon(let polygon):
      let total = max(1, polygon.vertexCount)
      let cuts = Cuts(polygon.coordinates.joined())
      for ring in polygon.coordinates.joined() {
        let limit = max(16, Self.pointLimit * ring.count / total)
        add(ring, cuts, on: map, tolerance: tolerance, limit: limit)
      }
    case .corridor(let corridor):
      width = corridor.width
      let total = max(1, corridor.vertexCount)
      for line in corridor.coordinates {
        let limit = max(16, Self.pointLimit * line.count / total)
        add(line, nil, on: map, tolerance: tolerance, limit: limit)
      }
      bounds = bounds.widened(by: corridor.width / 2)
    }
  }

  /// - Parameter cuts: the cuts of the ring's polygon; nil for a line.
  private mutating func add(
    _ positions: [Position], _ cuts: Cuts?, on map: LocalMap, tolerance: Double, limit: Int
  ) {
    let coordinates = positions.compactMap {
      Coordinate(
        latitude: $0.latitude, longitude: $0.longitude.isFinite ? $0.longitude.onGlobe : .nan)
    }
    guard let first = coordinates.first else { return }
    var points = [map.point(of: first)]
    var seams: Set<MapPoint> = []
    for (start, end) in zip(coordinates, coordinates.dropFirst()) {
      let way = map.points(from: start, to: end, isCut: cuts != nil)
      if let cuts, cuts.contain(start, end) { seams.formUnion(way) }
      points += way
    }
    let kept = LineThinning.indices(
      of: 0..<points.count, limit: limit,
      keeping: Set(points.indices.filter { seams.contains(points[$0]) })
    ) { points[$0].distance(toWayFrom: points[$1], to: points[$2]) / tolerance }
    add(kept.map { points[$0] }, isClosed: cuts != nil, seams: seams)
  }

  private mutating func add(
    _ points: [MapPoint], isClosed: Bool, seams: Set<MapPoint> = []
  ) {
    for point in points { bounds.include(point) }
    area += points.pathData + (isClosed ? "Z" : "")
    guard isClosed else { return }
    guard !seams.isEmpty else {
      edge += points.pathData + "Z"
      return
    }
    var piece: [MapPoint] = []
    for point in points {
      if seams.contains(point) {
        if piece.count > 1 { edge += piece.pathData }
        piece = []
      }
      piece.append(point)
    }
    if piece.count > 1 { edge += piece.pathData }
  }
}

extension [MapPoint] {
  /// The points as the data of an SVG path, to the centimetre.
  fileprivate var pathData: String {
    var text = ""
    for (index, point) in enumerated() {
      text += index == 0 ? "M" : "L"
      text += "\(point.x.toCentimetres) \(point.y.toCentimetres)"
    }
    return text
  }
}

/// Where a polygon is cut at the antimeridian, or goes over a pole: it is inside on both sides, so there is no edge.
private struct Cuts {
  /// The edges along the antimeridian: the longitude, and the two latitudes, the lower one first.
  private var alongAntimeridian: Set<[Double]> = []

  init(_ rings: some Sequence<[Position]>) {
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst())
      where start.longitude == end.longitude && abs(start.longitude) == 180 {
        alongAntimeridian.insert(
          [start.longitude] + [start.latitude, end.latitude].sorted())
      }
    }
  }

  func contain(_ start: Coordinate, _ end: Coordinate) -> Bool {
    if abs(start.latitude) == 90, start.latitude == end.latitude { return true }
    return start.longitude == end.longitude
      && alongAntimeridian.contains(
        [-start.longitude] + [start.latitude, end.latitude].sorted())
  }
}

extension Double {
  /// This longitude, brought between −180 and 180.
  fileprivate var onGlobe: Double {
    abs(self) <= 180 ? self : remainder(dividingBy: 360)
  }

  /// This number of metres, rounded to centimetres.
  var toCentimetres: Double { rounded(toPlaces: 2) }
}
