import Geofencing
import PlanarGeometry
import Testing

/// What is said of shapes that are none.
@Suite struct `A shape that is none` {
  private static func refusal(_ polygons: [[[(Double, Double)]]]) -> String {
    do {
      _ = try PolygonalGeographicCondition(
        coordinates: polygons.map { $0.map { $0.map { position($0.0, $0.1) } } })
      return "none"
    } catch {
      return "\(error)"
    }
  }

  /// Teeth side by side that lean so far that each is beside many others.
  private let teeth: [PlanarPoint] = {
    let count = 1_000
    let teeth = (0..<count).flatMap { number in
      let x = 5 * Double(number) / Double(count)
      return [PlanarPoint(x: x, y: 0), PlanarPoint(x: 5 + x + 2.5 / Double(count), y: 5)]
    }
    return teeth + [(5.0, 0.0), (5, -1), (0, -1), (0, 0)].map { PlanarPoint(x: $0.0, y: $0.1) }
  }()

  @Test func `nobody waits long for what is too intricate to be checked`() throws {
    #expect(try PlanarPolygons.flaw(in: [[teeth]]) == nil)
    let error = try #require(throws: PlanarGeometryError.self) {
      try PlanarPolygons.flaw(in: [[teeth]], patience: .nanoseconds(1))
    }
    #expect(error.description == "they are too intricate: simplify them")
    // The next one has time again.
    #expect(try PlanarPolygons.flaw(in: [[teeth]]) == nil)
  }

  @Test func `isn't looked for when nobody waits for it any more`() async {
    let error = await #expect(throws: PlanarGeometryError.self) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.cancelAll()
        group.addTask { [teeth] in _ = try PlanarPolygons.flaw(in: [[teeth]]) }
        try await group.waitForAll()
      }
    }
    #expect(error?.description == "nobody waits for it any more")
  }

  private static let square = [(0.0, 0.0), (10, 0), (10, 10), (0, 10), (0, 0)]

  private static let cases: [(polygons: [[[(Double, Double)]]], refusal: String)] = [
    ([], "a polygon needs a ring"),
    ([[]], "polygon 1 has no ring"),
    (
      [[square], [[(0, 0), (1, 0), (0, 0)]]],
      "polygon 2, ring 1 has 3 positions: give at least 4, the last like the first"
    ),
    (
      [[[(0, 0), (1, 0), (1, 1), (0, 1)]]],
      "polygon 1, ring 1 isn't closed: the last position must be the first again"
    ),
    (
      [[[(0, 0), (1, 0), (1, 0), (0, 0), (0, 0)]]],
      "polygon 1, ring 1 has only 2 positions that differ from the one before: give at least 3"
    ),
    (
      [[[(0, 0), (1, 91), (1, 1), (0, 0)]]],
      "polygon 1, ring 1, position 2: latitude 91.0 is out of range: give degrees from -90 to 90"
    ),
    (
      [[[(0, 0), (1, 0), (1, .nan), (0, 0)]]],
      "polygon 1, ring 1, position 3: latitude nan is out of range: give degrees from -90 to 90"
    ),
    (
      [[[(0, 0), (1e300, 0), (1, 1), (0, 0)]]],
      "polygon 1, ring 1, position 2: longitude 1e+300 is out of range: give degrees from -180 to "
        + "180, or up to 360 across the antimeridian"
    ),
    (
      [[[(0, 0), (1, 1), (2, 2), (0, 0)]]], "polygon 1, ring 1 encloses no area"
    ),
    (
      [[[(0, 0), (10, 10), (10, 0), (0, 10), (0, 0)]]],
      "polygon 1, ring 1 crosses itself at longitude 5.0, latitude 5.0: the edge from position 1 and "
        + "the edge from position 3"
    ),
    (
      [[[(0, 0), (10, 8), (10, 0), (0, 10), (0, 0)]]],
      "polygon 1, ring 1 crosses itself at longitude 5.555555555555555, latitude "
        + "4.444444444444445: the edge from position 1 and the edge from position 3"
    ),
    (
      [[[(0, 0), (10, 0), (5, 5), (10, 10), (0, 10), (5, 5), (0, 0)]]],
      "polygon 1, ring 1 touches itself at longitude 5.0, latitude 5.0, position 3: write the parts "
        + "as rings of their own"
    ),
    (
      [[square, [(20, 20), (21, 20), (21, 21), (20, 20)]]],
      "polygon 1, ring 2 is a hole that lies outside of ring 1, at longitude 20.0, latitude 20.0"
    ),
    (
      [[square, [(5, 5), (15, 5), (15, 6), (5, 5)]]],
      "polygon 1, ring 1 crosses polygon 1, ring 2 at longitude 10.0, latitude 5.0: the edge from "
        + "position 2 and the edge from position 1"
    ),
    (
      [[square, [(2, 2), (8, 2), (8, 8), (2, 8), (2, 2)], [(3, 3), (4, 3), (4, 4), (3, 3)]]],
      "polygon 1, ring 3 is a hole that lies inside another one or around it, at longitude 3.0, "
        + "latitude 3.0"
    ),
    (
      [[square], [[(5, 5), (15, 5), (15, 6), (5, 5)]]],
      "polygon 1, ring 1 crosses polygon 2, ring 1 at longitude 10.0, latitude 5.0: the edge from "
        + "position 2 and the edge from position 1"
    ),
    (
      [[square], [[(10, 2), (15, 2), (15, 6), (10, 6), (10, 2)]]],
      "polygon 1, ring 1 and polygon 2, ring 1 share an edge at longitude 10.0, latitude 6.0: the "
        + "edge from position 2 and the edge from position 4; draw what they make together as one"
    ),
    (
      [[square], [[(10, 0), (20, 0), (20, 10), (10, 10), (10, 0)]]],
      "polygon 1, ring 1 and polygon 2, ring 1 share an edge at longitude 10.0, latitude 10.0: the "
        + "edge from position 2 and the edge from position 4; draw what they make together as one"
    ),
    (
      [[square], [[(5, 5), (6, 5), (6, 6), (5, 5)]]],
      "polygon 2, ring 1 lies inside another polygon or around it, at longitude 5.0, latitude 5.0"
    ),
    (
      [[[(0, 30), (90, -30), (180, 30), (-90, -30), (0, 30)]]],
      "polygon 1, ring 1 goes around the globe along the equator, or on both sides of it: cut it at "
        + "longitude 180, and close it along the pole's latitude"
    ),
    (
      [[[(0, 60), (90, 60), (170, 60), (-170, 62), (170, 64), (-170, 66), (-90, 60), (0, 60)]]],
      "polygon 1, ring 1 goes around a pole and crosses the antimeridian more than once: cut it at "
        + "longitude 180, and close it along the pole's latitude"
    ),
    (
      [
        [[(170, 0), (190, 0), (190, 10), (170, 0)]],
        [[(-175, 0), (-172, 0), (-172, 1), (-175, 1), (-175, 0)]],
      ],
      "polygons 1 and 2 overlap at longitude -175.0, latitude 0.0, beyond the antimeridian"
    ),
    ([[spiral]], "polygon 1 goes around the globe 71 times, 64 are possible"),
  ]

  /// A ring that goes around the globe many times, from one hemisphere to the other, and back beside that.
  private static let spiral: [(Double, Double)] = {
    let steps = (0..<150).map { number in
      let longitude = 170 * Double(number)
      return (longitude.remainder(dividingBy: 360), 0.8 * Double(number) - 60)
    }
    return steps + steps.reversed().map { ($0.0, $0.1 + 0.3) } + steps.prefix(1)
  }()

  @Test(arguments: cases.indices)
  func `is refused with its ring, its position and the reason`(index: Int) {
    #expect(Self.refusal(Self.cases[index].polygons) == Self.cases[index].refusal)
  }

  @Test func `is refused with one of two places that are as wrong as each other`() {
    let refusal = Self.refusal([[Self.square, [(0, 5), (5, 0), (5, 5), (0, 5)]]])
    let places = ["longitude 0.0, latitude 5.0", "longitude 5.0, latitude 0.0"]
    #expect(
      places.map {
        "polygon 1, ring 1 and polygon 1, ring 2 touch at \($0), so that the inside falls apart: "
          + "write the parts as polygons of their own"
      }.contains(refusal))
  }

  @Test(
    arguments: [
      ([[]], "line 1 needs at least two different positions"),
      ([[(1.0, 1.0), (1, 1), (1, 1)]], "line 1 needs at least two different positions"),
      ([[(180.0, 1.0), (-180, 1)]], "line 1 needs at least two different positions"),
      ([[(10.0, 90.0), (20, 90)]], "line 1 needs at least two different positions"),
      (
        [[(1, 1), (2, 2)], [(1, 1), (1, -90.5)]],
        "line 2, position 2: latitude -90.5 is out of range: give degrees from -90 to 90"
      ),
      ([], "a corridor needs a line"),
    ] as [([[(Double, Double)]], String)])
  func `is refused as a corridor too`(lines: [[(Double, Double)]], refusal: String) {
    #expect {
      _ = try CorridorGeographicCondition(
        coordinates: lines.map { $0.map { position($0.0, $0.1) } }, width: 20)
    } throws: {
      "\($0)" == refusal
    }
  }

  @Test func `of too many positions is refused before it is looked at`() {
    let many = [Array(repeating: position(1, 1), count: 100_002)]
    #expect {
      _ = try PolygonalGeographicCondition(coordinates: [many])
    } throws: {
      "\($0)" == "more than 100000 positions: simplify the shape"
    }
  }
}
