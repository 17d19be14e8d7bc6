/// An error of GEOS: it refused something, or couldn't compute it.
package struct PlanarGeometryError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, for people, without a full stop.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
