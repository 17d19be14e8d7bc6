import CGEOS

extension GEOSContext {
  /// The polygons of a geometry; nil if it has anything else.
  ///
  /// - Parameter leavesOutOthers: whether points and lines in it are left out.
  func polygons(
    of geometry: OpaquePointer?, leavingOutOthers leavesOutOthers: Bool = false
  ) throws(PlanarGeometryError) -> [[[PlanarPoint]]]? {
    var polygons: [[[PlanarPoint]]] = []
    for index in 0..<(unsafe GEOSGetNumGeometries_r(handle, geometry)) {
      let part = unsafe GEOSGetGeometryN_r(handle, geometry, index)
      guard unsafe kind(of: part) == GEOS_POLYGON else {
        if leavesOutOthers { continue }
        return nil
      }
      // An empty polygon has no rings.
      guard unsafe GEOSisEmpty_r(handle, part) == 0 else { continue }
      var rings = [try unsafe points(of: GEOSGetExteriorRing_r(handle, part))]
      for hole in 0..<(unsafe GEOSGetNumInteriorRings_r(handle, part)) {
        rings.append(try unsafe points(of: GEOSGetInteriorRingN_r(handle, part, hole)))
      }
      polygons.append(rings)
    }
    return polygons
  }

  /// The lines of a geometry; nil if it has anything else.
  func lines(of geometry: OpaquePointer?) throws(PlanarGeometryError) -> [[PlanarPoint]]? {
    var lines: [[PlanarPoint]] = []
    for index in 0..<(unsafe GEOSGetNumGeometries_r(handle, geometry)) {
      let part = unsafe GEOSGetGeometryN_r(handle, geometry, index)
      guard unsafe kind(of: part) == GEOS_LINESTRING else { return nil }
      guard unsafe GEOSisEmpty_r(handle, part) == 0 else { continue }
      lines.append(try unsafe points(of: part))
    }
    return lines
  }

  private func kind(of geometry: OpaquePointer?) -> GEOSGeomTypes {
    unsafe GEOSGeomTypes(rawValue: UInt32(bitPattern: GEOSGeomTypeId_r(handle, geometry)))
  }

  /// The points of a ring or line, without a third coordinate.
  func points(of line: OpaquePointer?) throws(PlanarGeometryError) -> [PlanarPoint] {
    guard let sequence = unsafe GEOSGeom_getCoordSeq_r(handle, line) else { throw error }
    var count: UInt32 = 0
    guard unsafe GEOSCoordSeq_getSize_r(handle, sequence, &count) == 1 else { throw error }
    var points = Array(repeating: PlanarPoint(x: 0, y: 0), count: Int(count))
    let copied = unsafe points.withUnsafeMutableBytes { bytes in
      unsafe GEOSCoordSeq_copyToBuffer_r(
        handle, sequence, bytes.assumingMemoryBound(to: Double.self).baseAddress, 0, 0)
    }
    guard copied == 1 else { throw error }
    return points
  }
}
