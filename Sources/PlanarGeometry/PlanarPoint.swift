/// A point of a plane: in the plane of RFC 7946, x is a longitude and y a latitude.
///
/// It is two numbers without padding, so that many points are handed to GEOS and back as one piece of memory.
package struct PlanarPoint: Sendable, Hashable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
