/// One stay inside a condition, from the event that began it to the one that ends it.
package struct Visit: Sendable, Hashable, Codable {
  /// A name that both events carry; unique within the condition.
  package let id: String

  /// The time of the first fix inside.
  package let began: Timestamp

  /// A visit named after its condition and its beginning, so that a replay gives the same name.
  package init(of identifier: String, began: Timestamp) {
    id = "\(identifier)@\(began.rfc3339)"
    self.began = began
  }

  /// A visit that was read back from where it was stored.
  package init(id: String, began: Timestamp) {
    self.id = id
    self.began = began
  }
}
