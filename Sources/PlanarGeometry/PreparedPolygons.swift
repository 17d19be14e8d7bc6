import CGEOS

/// Polygons that GEOS has indexed, to check our own results in tests and benchmarks with many points.
@safe
package struct PreparedPolygons: ~Copyable {
  private let context: GEOSContext
  private let geometry: GEOSGeometry
  private let prepared: OpaquePointer

  package init(_ polygons: [[[PlanarPoint]]]) throws(PlanarGeometryError) {
    let context = try GEOSContext()
    let geometry = try GEOSGeometry(polygons: polygons, in: context)
    guard let prepared = unsafe GEOSPrepare_r(context.handle, geometry.handle) else {
      throw context.error
    }
    self.context = context
    self.geometry = geometry
    unsafe self.prepared = prepared
  }

  deinit {
    unsafe GEOSPreparedGeom_destroy_r(context.handle, prepared)
  }

  /// Whether a point lies inside; a point on an edge doesn't.
  package func contains(_ point: PlanarPoint) -> Bool {
    let geometry = unsafe GEOSGeom_createPointFromXY_r(context.handle, point.x, point.y)
    defer { unsafe GEOSGeom_destroy_r(context.handle, geometry) }
    return unsafe GEOSPreparedContains_r(context.handle, prepared, geometry) == 1
  }

  /// The distance to the polygons in the plane; 0 inside.
  package func distance(to point: PlanarPoint) -> Double {
    let geometry = unsafe GEOSGeom_createPointFromXY_r(context.handle, point.x, point.y)
    defer { unsafe GEOSGeom_destroy_r(context.handle, geometry) }
    var distance = Double.nan
    _ = unsafe GEOSPreparedDistance_r(context.handle, prepared, geometry, &distance)
    return distance
  }
}
