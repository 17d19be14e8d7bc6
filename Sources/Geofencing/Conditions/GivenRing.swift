internal import PlanarGeometry

/// A ring as somebody gave it, laid out in the plane without jumps at the antimeridian.
///
/// So its longitudes may be beyond ±180. It is closed, and no two neighbours are equal.
struct GivenRing {
  /// A point of the ring.
  struct Corner {
    fileprivate(set) var point: PlanarPoint

    /// The number of the position that was given, from 1.
    let number: Int

    /// The longitude that was given; it is kept if possible.
    let longitude: Double
  }

  /// The name of the ring in errors: `polygon 2, ring 1`.
  private(set) var name: String

  private(set) var corners: [Corner] = []

  var points: [PlanarPoint] { corners.map(\.point) }

  /// The latitude of the pole that the ring goes around; nil if it doesn't.
  private var pole: Double?

  /// Whether a point isn't where it was given, or was given beyond ±180: the ring crosses the antimeridian, or lies
  /// beyond it.
  var isMoved: Bool {
    corners.contains { abs($0.longitude) > 180 || $0.point.x != $0.longitude }
  }

  /// The range of longitudes.
  var extent: ClosedRange<Double> {
    let x = corners.map(\.point.x)
    return (x.min() ?? 0)...(x.max() ?? 0)
  }

  /// Reads a ring; the error says which position is wrong.
  init(_ positions: [Position], named name: String) throws(ConditionError) {
    self.name = name
    let positions = try Position.checked(positions, of: name)
    guard positions.count >= 4 else {
      throw .shapeInvalid(
        "\(name) has \(positions.count) positions: give at least 4, the last like the first")
    }
    let numbers = positions.indices.filter {
      $0 == 0 || positions[$0] != positions[$0 - 1]
    }.map { $0 + 1 }
    let distinct = numbers.map { positions[$0 - 1] }
    guard let first = distinct.first, let last = distinct.last, first.latitude == last.latitude,
      (last.longitude - first.longitude).truncatingRemainder(dividingBy: 360) == 0
    else {
      throw .shapeInvalid("\(name) isn't closed: the last position must be the first again")
    }
    guard distinct.count >= 4 else {
      throw .shapeInvalid(
        "\(name) has only \(distinct.count - 1) positions that differ from the one before: "
          + "give at least 3")
    }
    let given = distinct.map { PlanarPoint(x: $0.longitude, y: $0.latitude) }
    var unwrapped = Self.unwrapped(given)
    // If it is flat without the jumps, it is a band around the globe that was cut before.
    if unwrapped.signedArea == 0, given.signedArea != 0 { unwrapped = given }
    for (index, point) in unwrapped.enumerated() where point != corners.last?.point {
      // Two positions on the antimeridian that are the same place are one point now.
      corners.append(Corner(point: point, number: numbers[index], longitude: given[index].x))
    }
    if corners.first?.point.x != corners.last?.point.x { try closeAlongPole() }
    // If edges cross the areas may cancel out: that is another mistake, which is found later.
    guard points.signedArea != 0 || !points.isStraight else {
      throw .shapeInvalid("\(name) encloses no area")
    }
  }

  /// The ring without jumps: between neighbours that are more than 180° apart it goes the short way.
  private static func unwrapped(_ given: [PlanarPoint]) -> [PlanarPoint] {
    // With longitudes beyond ±180 it is without jumps already.
    guard given.allSatisfy({ (-180...180).contains($0.x) }) else { return given }
    let edges = Array(zip(given, given.dropFirst()))
    func isAlongPole(_ edge: (PlanarPoint, PlanarPoint)) -> Bool {
      abs(edge.0.y) == 90 && edge.0.y == edge.1.y
    }
    // A ring with an edge all around along a pole was cut at the antimeridian before.
    guard !edges.contains(where: { isAlongPole($0) && abs($0.0.x - $0.1.x) == 360 }) else {
      return given
    }
    var turns = edges.map { edge in
      let step = edge.1.x - edge.0.x
      return isAlongPole(edge) || abs(step) <= 180 ? 0 : step < 0 ? 360.0 : -360
    }
    // An edge along a pole has no length on the ground: it may lead to wherever the ring closes.
    if let last = edges.lastIndex(where: isAlongPole), let begin = given.first, let end = given.last
    {
      turns[last] -= turns.reduce(0, +) + (end.x - begin.x)
    }
    var shift = 0.0
    return zip(given, [0] + turns).map { point, turn in
      shift += turn
      return PlanarPoint(x: point.x + shift, y: point.y)
    }
  }

  /// Moves the ring by whole turns around the globe.
  mutating func move(byTurns turns: Double) {
    guard turns != 0 else { return }
    for index in corners.indices { corners[index].point.x += 360 * turns }
  }

  /// Joins a hole around the same pole to the outline, which leads to it along the antimeridian and back.
  ///
  /// - Returns: false if it is another hole.
  mutating func takeIn(_ hole: GivenRing) -> Bool {
    guard let pole, hole.pole == pole, abs(hole.points.signedArea) < abs(points.signedArea) else {
      return false
    }
    self.pole = nil
    name += " with the hole around the pole"
    // Both end with the same three corners, which follow the one on the antimeridian.
    corners = corners.dropLast(3) + hole.corners.dropLast(3).reversed() + corners.suffix(1)
    return true
  }

  /// Closes a ring around a pole, so that in the plane it is the outline of the area between the ring and the pole.
  private mutating func closeAlongPole() throws(ConditionError) {
    let pole = corners.first.map { $0.point.y > 0 ? 90.0 : -90 } ?? 90
    guard corners.allSatisfy({ $0.point.y * pole > 0 }) else {
      throw unclear("goes around the globe along the equator, or on both sides of it")
    }
    // Eastwards, and beginning east of the antimeridian.
    if let first = corners.first?.point, let last = corners.last?.point, first.x > last.x {
      corners.reverse()
    }
    let start = corners.first?.point.x ?? 0
    move(byTurns: -((start + 180) / 360).rounded(.down))
    guard let next = corners.firstIndex(where: { $0.point.x >= 180 }), next > 0,
      corners[..<next].allSatisfy({ $0.point.x >= -180 }),
      corners[next...].allSatisfy({ (180..<540).contains($0.point.x) })
    else {
      throw unclear("goes around a pole and crosses the antimeridian more than once")
    }
    let (a, b) = (corners[next - 1].point, corners[next].point)
    let y = b.x == 180 ? b.y : a.y + (b.y - a.y) * (180 - a.x) / (b.x - a.x)
    // The points beyond the antimeridian come first, and the point that closed the ring is left out. If that is the
    // one on the antimeridian, the first point is left out, too.
    let end = corners.count - 1
    let order =
      b.x == 180 && next == end
      ? Array(1..<next) : Array((b.x == 180 ? next + 1 : next)..<end) + Array(0..<next)
    let number = corners[next].number
    func added(_ x: Double, _ y: Double) -> Corner {
      Corner(point: PlanarPoint(x: x, y: y), number: number, longitude: x)
    }
    for index in next..<corners.count { corners[index].point.x -= 360 }
    corners =
      [added(-180, y)] + order.map { corners[$0] }
      + [added(180, y), added(180, pole), added(-180, pole), added(-180, y)]
    self.pole = pole
  }

  private func unclear(_ problem: String) -> ConditionError {
    .shapeInvalid(
      "\(name) \(problem): cut it at longitude 180, and close it along the pole's latitude")
  }
}
