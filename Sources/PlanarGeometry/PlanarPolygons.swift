import CGEOS

/// What GEOS computes of polygons, each given as an outer ring and its holes, all closed.
package enum PlanarPolygons {
  /// For how much processor time is looked for a flaw.
  ///
  /// Where edges lie beside each other it takes the square of their number: a ring of 20,000 positions that
  /// zigzags a second, one of 50,000 six, and leaning teeth of 100,000 six minutes. Coasts and borders take far
  /// less.
  package static let patience = Duration.seconds(30)

  /// Has GEOS ask now and then whether it is to go on, with one answer for all threads.
  private static let interruption: Void = {
    _ = GEOS_interruptRegisterCallback {
      if geos_is_over() || geos_is_limited() && Task.isCancelled { GEOS_interruptRequest() }
    }
  }()

  /// The first thing that makes the polygons invalid as one multi-polygon; nil when they are valid.
  ///
  /// - Throws: also where that isn't found out in ``patience``, or before the task is cancelled.
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
      // The end of another thread's time may reach this one, which begins again.
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

  /// What of a polygon lies between two values of x, as none, one or several polygons.
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

  /// Polygons that touch, or overlap, as none that do.
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
  /// Of several polygons that share edges and have more than 10,000 corners, it is that of one of them.
  ///
  /// - Parameter tolerance: how much nearer it may be.
  package static func innermostPoint(
    of polygons: [[[PlanarPoint]]], tolerance: Double
  ) throws(PlanarGeometryError) -> PlanarPoint {
    let context = try GEOSContext()
    // It begins with squares as wide as the shorter side of the bounds, which for a needle along an axis
    // are millions (https://github.com/libgeos/geos/issues/875): that one is laid across.
    let turn = PlanarTurn(of: polygons.joined().joined())
    let turned = turn.map { turn in
      polygons.map { rings in rings.map { ring in ring.map { turn.applied(to: $0) } } }
    }
    let parts = try GEOSGeometry(polygons: turned ?? polygons, in: context)
    // Polygons that were cut share an edge: together they are one again.
    let united = polygons.count > 1 ? unsafe union(of: parts, in: context) : nil
    let whole = try unsafe GEOSGeometry(
      united ?? GEOSGeom_clone_r(context.handle, parts.handle), in: context)
    // A line from the centre to the edge.
    let radius = try unsafe GEOSGeometry(
      context.completing {
        unsafe GEOSMaximumInscribedCircle_r(context.handle, whole.handle, tolerance)
      }, in: context)
    guard let centre = try unsafe context.points(of: radius.handle).first else {
      throw PlanarGeometryError("the shape has no inside")
    }
    return turn?.reverted(from: centre) ?? centre
  }

  /// Polygons that share edges as one; nil where that takes too long: it may take the square of the number of
  /// corners, and less where only edges are looked for that are equal.
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
