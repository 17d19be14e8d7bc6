import Glibc

/// A rectangle on the map.
struct MapBounds: Sendable, Hashable {
  private(set) var least = MapPoint(x: .infinity, y: .infinity)
  private(set) var greatest = MapPoint(x: -.infinity, y: -.infinity)

  init(_ points: some Sequence<MapPoint> = []) {
    for point in points { include(point) }
  }

  var isEmpty: Bool { least.x > greatest.x }

  /// The length in metres of the longer side; 0 if it is empty.
  var extent: Double { isEmpty ? 0 : max(greatest.x - least.x, greatest.y - least.y) }

  mutating func include(_ point: MapPoint) {
    least = MapPoint(x: min(least.x, point.x), y: min(least.y, point.y))
    greatest = MapPoint(x: max(greatest.x, point.x), y: max(greatest.y, point.y))
  }

  /// This rectangle with so many metres more on each side.
  func widened(by metres: Double) -> MapBounds {
    guard !isEmpty else { return self }
    return MapBounds([
      MapPoint(x: least.x - metres, y: least.y - metres),
      MapPoint(x: greatest.x + metres, y: greatest.y + metres),
    ])
  }

  /// The distance in metres to another rectangle; 0 if they touch.
  func distance(to other: MapBounds) -> Double {
    guard !isEmpty, !other.isEmpty else { return .infinity }
    return hypot(
      max(0, least.x - other.greatest.x, other.least.x - greatest.x),
      max(0, least.y - other.greatest.y, other.least.y - greatest.y))
  }
}
