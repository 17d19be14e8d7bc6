/// A rotation by an eighth of a full turn around a point.
struct PlanarTurn {
  private let origin: PlanarPoint

  /// From which ratio of length to width on bounds count as a needle.
  private static let longest = 100.0

  /// The rotation that makes the bounds of some points about square; nil if they aren't a needle.
  init?(of points: some Sequence<PlanarPoint>) {
    var iterator = points.makeIterator()
    guard let first = iterator.next() else { return nil }
    var (least, greatest) = (first, first)
    while let point = iterator.next() {
      least = PlanarPoint(x: min(least.x, point.x), y: min(least.y, point.y))
      greatest = PlanarPoint(x: max(greatest.x, point.x), y: max(greatest.y, point.y))
    }
    let (width, height) = (greatest.x - least.x, greatest.y - least.y)
    guard max(width, height) > Self.longest * min(width, height) else { return nil }
    // Numbers around zero have digits to spare.
    origin = least
  }

  func applied(to point: PlanarPoint) -> PlanarPoint {
    let (x, y) = (point.x - origin.x, point.y - origin.y)
    return PlanarPoint(x: (x - y) * 0.5.squareRoot(), y: (x + y) * 0.5.squareRoot())
  }

  func reverted(from point: PlanarPoint) -> PlanarPoint {
    PlanarPoint(
      x: origin.x + (point.x + point.y) * 0.5.squareRoot(),
      y: origin.y + (point.y - point.x) * 0.5.squareRoot())
  }
}
