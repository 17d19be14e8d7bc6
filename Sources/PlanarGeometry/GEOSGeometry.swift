import CGEOS

/// A geometry of GEOS that this value owns and frees at its end.
@safe
struct GEOSGeometry: ~Copyable {
  let context: GEOSContext

  /// Nil once it was released to another owner.
  private var owned: OpaquePointer?

  /// Takes over what a function of GEOS returned; throws the error of GEOS if that is nil.
  init(_ handle: OpaquePointer?, in context: GEOSContext) throws(PlanarGeometryError) {
    guard let handle = unsafe handle else { throw context.error }
    self.context = context
    unsafe owned = handle
  }

  deinit {
    if let handle = unsafe owned { unsafe GEOSGeom_destroy_r(context.handle, handle) }
  }

  /// The geometry, for calls that only look at it.
  var handle: OpaquePointer? { unsafe owned }

  /// The geometry, for a call that takes it over.
  consuming func released() -> OpaquePointer? {
    let handle = unsafe owned
    unsafe owned = nil
    return unsafe handle
  }
}

extension GEOSGeometry {
  /// A ring; throws if it isn't closed.
  init(ring: [PlanarPoint], in context: GEOSContext) throws(PlanarGeometryError) {
    let points = unsafe context.sequence(ring)
    try unsafe self.init(
      GEOSGeom_createLinearRing_r(context.handle, points), in: context)
  }

  /// A polygon from an outer ring and its holes.
  init(rings: [[PlanarPoint]], in context: GEOSContext) throws(PlanarGeometryError) {
    var parts: [OpaquePointer?] = unsafe []
    defer {
      for index in unsafe parts.indices { unsafe GEOSGeom_destroy_r(context.handle, parts[index]) }
    }
    for ring in rings {
      unsafe parts.append(try GEOSGeometry(ring: ring, in: context).released())
    }
    guard let shell = unsafe parts.first else {
      throw PlanarGeometryError("a polygon needs a ring")
    }
    var holes = unsafe Array(parts.dropFirst())
    // From here on GEOS owns the rings, even if it fails.
    unsafe parts = []
    let polygon = unsafe GEOSGeom_createPolygon_r(
      context.handle, shell, &holes, UInt32(holes.count))
    try unsafe self.init(polygon, in: context)
  }

  /// Several polygons as one multi-polygon.
  init(polygons: [[[PlanarPoint]]], in context: GEOSContext) throws(PlanarGeometryError) {
    var made: [OpaquePointer?] = unsafe []
    defer {
      for index in unsafe made.indices { unsafe GEOSGeom_destroy_r(context.handle, made[index]) }
    }
    for rings in polygons {
      unsafe made.append(try GEOSGeometry(rings: rings, in: context).released())
    }
    var members = unsafe made
    // From here on GEOS owns the polygons, even if it fails.
    unsafe made = []
    let collection = unsafe GEOSGeom_createCollection_r(
      context.handle, Int32(bitPattern: GEOS_MULTIPOLYGON.rawValue), &members, UInt32(members.count)
    )
    try unsafe self.init(collection, in: context)
  }
}

extension GEOSContext {
  /// The points as a coordinate sequence of GEOS; nil without memory.
  fileprivate func sequence(_ points: [PlanarPoint]) -> OpaquePointer? {
    unsafe points.withUnsafeBytes { bytes in
      unsafe GEOSCoordSeq_copyFromBuffer_r(
        handle, bytes.assumingMemoryBound(to: Double.self).baseAddress,
        UInt32(points.count), 0, 0)
    }
  }
}
