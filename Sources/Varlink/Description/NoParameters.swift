/// A parameters object without members: of a method that has none, or of a reply that says nothing.
package struct NoParameters: Codable, Hashable, Sendable {
  package init() {}
}
