/// One stay inside a condition, from the event that begins it to the one that ends it.
package struct Visit: Sendable {
  /// The identifier of its condition; the whole ID if that was read back.
  private let name: String
  private let isNamedByBeginning: Bool

  /// The time of the first fix inside.
  package let began: Timestamp

  /// An ID that both events have, unique within the condition.
  package var id: String { isNamedByBeginning ? "\(name)@\(began.rfc3339)" : name }

  /// A visit whose ID follows from its condition and beginning, so that a replay gives the same.
  package init(of identifier: String, began: Timestamp) {
    name = identifier
    isNamedByBeginning = true
    self.began = began
  }

  /// A visit that was read back from storage.
  package init(id: String, began: Timestamp) {
    name = id
    isNamedByBeginning = false
    self.began = began
  }
}

extension Visit: Hashable {
  package static func == (a: Visit, b: Visit) -> Bool {
    guard a.began == b.began else { return false }
    return a.isNamedByBeginning == b.isNamedByBeginning ? a.name == b.name : a.id == b.id
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(began) }
}
