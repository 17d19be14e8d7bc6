/// What GEOS refused, or couldn't compute.
package struct PlanarGeometryError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, for a person, without an end of sentence.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
