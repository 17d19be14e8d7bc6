/// What a text has to be, where not every text will do.
package struct TextRule: Sendable {
  /// What it has to be, as the object of "wants".
  let expectation: String
  /// Whether a text, which may be empty, is that.
  let accepts: @Sendable (String) -> Bool

  package init(_ expectation: String, accepts: @escaping @Sendable (String) -> Bool) {
    self.expectation = expectation
    self.accepts = accepts
  }
}
