internal import PlanarGeometry

/// A ring as somebody gave it, laid out in the plane so that nothing jumps at the antimeridian.
///
/// So its longitudes may leave ±180. It is closed, and no two neighbours are equal.
struct GivenRing {
  /// What it is called in errors: `polygon 2, ring 1`.
  private(set) var name: String

  private(set) var points: [PlanarPoint]

  /// Which of the positions that were given each point is, from 1.
  private(set) var numbers: [Int]

  /// The longitude that was given for each point, if it can stay.
  private(set) var longitudes: [Double]

  /// The latitude of the pole that it goes around, if any.
  private var pole: Double?

  /// Whether it stands elsewhere than it was given: it crosses the antimeridian, or lies beyond it.
  var isMoved: Bool {
    zip(points, longitudes).contains { abs($1) > 180 || $0.x != $1 }
  }

  /// The least and the greatest longitude.
  var extent: ClosedRange<Double> {
    let x = points.map(\.x)
    return (x.min() ?? 0)...(x.max() ?? 0)
  }

  /// Reads a ring, or says which position is wrong.
  init(_ positions: [Position], named name: String) throws(ConditionError) {
    self.name = name
    let positions = try Position.checked(positions, of: name)
    guard positions.count >= 4 else {
      throw .shapeInvalid(
        "\(name) has \(positions.count) positions: give at least 4, the last like the first")
    }
    numbers = positions.indices.filter {
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
    longitudes = distinct.map(\.longitude)
    let given = distinct.map { PlanarPoint(x: $0.longitude, y: $0.latitude) }
    points = Self.unwrapped(given)
    // What is flat without jumps is a band around the globe, which was cut before.
    if points.signedArea == 0, given.signedArea != 0 { points = given }
    // What has two names on the antimeridian is one point now.
    let kept = points.indices.filter { $0 == 0 || points[$0] != points[$0 - 1] }
    (points, numbers, longitudes) = (
      kept.map { points[$0] }, kept.map { numbers[$0] }, kept.map { longitudes[$0] }
    )
    if points.first?.x != points.last?.x { try closeAlongPole() }
    // Where edges cross, the areas may cancel out: that is another mistake.
    guard points.signedArea != 0 || !points.isStraight else {
      throw .shapeInvalid("\(name) encloses no area")
    }
  }

  /// The ring without jumps: neighbours that are more than 180° apart are so the short way.
  private static func unwrapped(_ given: [PlanarPoint]) -> [PlanarPoint] {
    // Who writes longitudes beyond ±180 has done so already.
    guard given.allSatisfy({ (-180...180).contains($0.x) }) else { return given }
    let edges = Array(zip(given, given.dropFirst()))
    func isAlongPole(_ edge: (PlanarPoint, PlanarPoint)) -> Bool {
      abs(edge.0.y) == 90 && edge.0.y == edge.1.y
    }
    // What goes all around along a pole was cut at the antimeridian.
    guard !edges.contains(where: { isAlongPole($0) && abs($0.0.x - $0.1.x) == 360 }) else {
      return given
    }
    var turns = edges.map { edge in
      let step = edge.1.x - edge.0.x
      return isAlongPole(edge) || abs(step) <= 180 ? 0 : step < 0 ? 360.0 : -360
    }
    // An edge along a pole has no length there: it leads to where the ring closes.
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
    for index in points.indices { points[index].x += 360 * turns }
  }

  /// Takes a hole around the same pole into the outline, which leads to it along the antimeridian and back; false
  /// where it is another hole.
  mutating func takeIn(_ hole: GivenRing) -> Bool {
    guard let pole, hole.pole == pole, abs(hole.points.signedArea) < abs(points.signedArea) else {
      return false
    }
    self.pole = nil
    name += " with the hole around the pole"
    // Both end with the same three corners, after the one on the antimeridian.
    points = points.dropLast(3) + hole.points.dropLast(3).reversed() + points.suffix(1)
    numbers = numbers.dropLast(3) + hole.numbers.dropLast(3).reversed() + numbers.suffix(1)
    longitudes =
      longitudes.dropLast(3) + hole.longitudes.dropLast(3).reversed() + longitudes.suffix(1)
    return true
  }

  /// Makes a ring around a pole the outline, in the plane, of what lies between it and the pole.
  private mutating func closeAlongPole() throws(ConditionError) {
    let pole = points.first.map { $0.y > 0 ? 90.0 : -90 } ?? 90
    guard points.allSatisfy({ $0.y * pole > 0 }) else {
      throw unclear("goes around the globe along the equator, or on both sides of it")
    }
    // Eastwards, and beginning east of the antimeridian.
    if let first = points.first, let last = points.last, first.x > last.x {
      points.reverse()
      numbers.reverse()
      longitudes.reverse()
    }
    let start = points.first?.x ?? 0
    move(byTurns: -((start + 180) / 360).rounded(.down))
    guard let next = points.firstIndex(where: { $0.x >= 180 }), next > 0,
      points[..<next].allSatisfy({ $0.x >= -180 }),
      points[next...].allSatisfy({ (180..<540).contains($0.x) })
    else {
      throw unclear("goes around a pole and crosses the antimeridian more than once")
    }
    let (a, b) = (points[next - 1], points[next])
    let y = b.x == 180 ? b.y : a.y + (b.y - a.y) * (180 - a.x) / (b.x - a.x)
    // What lies beyond the antimeridian comes first, and the point that closed the ring goes: where that
    // is the one on the antimeridian, the first point is, too.
    let end = points.count - 1
    let order =
      b.x == 180 && next == end
      ? Array(1..<next) : Array((b.x == 180 ? next + 1 : next)..<end) + Array(0..<next)
    let corner = numbers[next]
    let corners = [
      PlanarPoint(x: 180, y: y), PlanarPoint(x: 180, y: pole), PlanarPoint(x: -180, y: pole),
      PlanarPoint(x: -180, y: y),
    ]
    points =
      [PlanarPoint(x: -180, y: y)]
      + order.map { PlanarPoint(x: points[$0].x - ($0 < next ? 0 : 360), y: points[$0].y) }
      + corners
    longitudes = [-180] + order.map { longitudes[$0] } + [180, 180, -180, -180]
    numbers = [corner] + order.map { numbers[$0] } + Array(repeating: corner, count: 4)
    self.pole = pole
  }

  private func unclear(_ problem: String) -> ConditionError {
    .shapeInvalid(
      "\(name) \(problem): cut it at longitude 180, and close it along the pole's latitude")
  }
}
