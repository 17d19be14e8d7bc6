import CGEOS

/// Computations of GEOS with polygons, each given as an outer ring and its holes, all closed.
package enum PlanarPolygons {
  /// The limit of processor time for finding a flaw.
  ///
  /// If edges lie beside each other, the time grows with the square of their number: a zigzag ring of 20,000 positions
  /// takes a second, one of 50,000 six seconds, and 100,000 leaning teeth take six minutes. Coasts and borders take
  /// far less.
  package static let patience = Duration.seconds(30)

  /// Makes GEOS ask now and then whether to go on; it has one callback for all threads.
  private static let interruption: Void = {
    _ = GEOS_interruptRegisterCallback {
      if geos_is_over() || geos_is_limited() && Task.isCancelled { GEOS_interruptRequest() }
    }
  }()

  /// The first flaw that makes the polygons invalid as one multi-polygon; nil if they are valid.
  ///
  /// - Throws: also if ``patience`` is over, or the task is cancelled, before that is known.
  package static func flaw(
    in polygons: [[[PlanarPoint]]], patience: Duration = patience
  ) throws(PlanarGeometryError) -> PlanarFlaw? {
    let context = try GEOSContext()
    let geometry = try GEOSGeometry(polygons: polygons, in: context)
    var text: UnsafeMutablePointer<CChar>?
    var place: OpaquePointer?
    _ = interruption
    geos_limit(Int64(patience / .nanoseconds(1)))
    defer { geos_limit(0) }
    var isValid: CChar
    repeat {
      isValid = unsafe GEOSisValidDetail_r(context.handle, geometry.handle, 0, &text, &place)
      // The interrupt of another thread whose time is over may reach this one, which begins again then.
    } while isValid == 2 && context.wasInterrupted && !geos_is_over() && !Task.isCancelled
    if isValid == 2, geos_is_over() {
      throw PlanarGeometryError("they are too intricate: simplify them")
    }
    if isValid == 2, Task.isCancelled { throw PlanarGeometryError("nobody waits for it any more") }
    defer {
      unsafe GEOSFree_r(context.handle, text)
      if let place = unsafe place { unsafe GEOSGeom_destroy_r(context.handle, place) }
    }
    guard isValid == 0 else {
      if isValid == 1 { return nil }
      throw context.error
    }
    var point = PlanarPoint(x: .nan, y: .nan)
    _ = unsafe GEOSGeomGetX_r(context.handle, place, &point.x)
    _ = unsafe GEOSGeomGetY_r(context.handle, place, &point.y)
    let reason = if let text = unsafe text { unsafe String(cString: text) } else { "" }
    return PlanarFlaw(reason: PlanarFlaw.Reason(reason), point: point)
  }

  /// The part of a polygon between two values of x, as zero or more polygons.
  package static func part(
    of rings: [[PlanarPoint]], between x: ClosedRange<Double>
  ) throws(PlanarGeometryError) -> [[[PlanarPoint]]] {
    let context = try GEOSContext()
    let polygon = try GEOSGeometry(rings: rings, in: context)
    let heights = rings.joined().map(\.y)
    let strip = try unsafe GEOSGeometry(
      GEOSGeom_createRectangle_r(
        context.handle, x.lowerBound, (heights.min() ?? 0) - 1, x.upperBound,
        (heights.max() ?? 0) + 1), in: context)
    let part = try unsafe GEOSGeometry(
      context.completing {
        unsafe GEOSIntersection_r(context.handle, polygon.handle, strip.handle)
      }, in: context)
    return try unsafe context.polygons(of: part.handle, leavingOutOthers: true) ?? []
  }

  /// The union of polygons that may touch or overlap.
  package static func united(
    _ polygons: [[[PlanarPoint]]]
  ) throws(PlanarGeometryError) -> [[[PlanarPoint]]] {
    let context = try GEOSContext()
    let parts = try GEOSGeometry(polygons: polygons, in: context)
    let whole = try unsafe GEOSGeometry(
      context.completing { unsafe GEOSUnaryUnion_r(context.handle, parts.handle) }, in: context)
    return try unsafe context.polygons(of: whole.handle, leavingOutOthers: true) ?? []
  }

  /// The point that is farthest from all edges: the centre of the largest circle inside.
  ///
  /// If several polygons share edges, and have more than 10,000 corners, it is the one of a single polygon.
  ///
  /// - Parameter tolerance: by how much the distance from the edges may be less than the largest.
  package static func innermostPoint(
    of polygons: [[[PlanarPoint]]], tolerance: Double
  ) throws(PlanarGeometryError) -> PlanarPoint {
    let context = try GEOSContext()
    // GEOS begins with squares as wide as the shorter side of the bounds. For a needle along an axis these are
    // millions (https://github.com/libgeos/geos/issues/875), so it is turned to lie diagonally.
    let turn = PlanarTurn(of: polygons.joined().joined())
    let turned = turn.map { turn in
      polygons.map { rings in rings.map { ring in ring.map { turn.applied(to: $0) } } }
    }
    let parts = try GEOSGeometry(polygons: turned ?? polygons, in: context)
    // Polygons that were cut share an edge: they are united first.
    let united = polygons.count > 1 ? unsafe union(of: parts, in: context) : nil
    let whole = try unsafe GEOSGeometry(
      united ?? GEOSGeom_clone_r(context.handle, parts.handle), in: context)
    // The result is a line from the centre to the edge.
    let radius = try unsafe GEOSGeometry(
      context.completing {
        unsafe GEOSMaximumInscribedCircle_r(context.handle, whole.handle, tolerance)
      }, in: context)
    guard let centre = try unsafe context.points(of: radius.handle).first else {
      throw PlanarGeometryError("the shape has no inside")
    }
    return turn?.reverted(from: centre) ?? centre
  }

  /// The union of polygons that share edges; nil if it would take too long.
  ///
  /// The time may grow with the square of the number of corners. It is less if only equal edges are looked for.
  private static func union(
    of polygons: borrowing GEOSGeometry, in context: borrowing GEOSContext
  ) -> OpaquePointer? {
    switch unsafe GEOSGetNumCoordinates_r(context.handle, polygons.handle) {
    case ...1_000:
      unsafe context.completing { unsafe GEOSUnaryUnion_r(context.handle, polygons.handle) }
    case ...10_000:
      unsafe context.completing { unsafe GEOSCoverageUnion_r(context.handle, polygons.handle) }
    default: nil
    }
  }
}
