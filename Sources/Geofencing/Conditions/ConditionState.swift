/// Whether a condition holds, as far as is known, in Core Location's words.
package enum ConditionState: String, BitwiseCopyable, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing has been determined yet, or no usable fix came for too long.
  case unknown

  /// The position fulfils the condition: it is inside.
  case satisfied

  /// The position doesn't fulfil the condition: it is outside.
  case unsatisfied

  /// The condition is no longer watched.
  case unmonitored

  /// Whether it is inside or outside.
  var isKnown: Bool { self == .satisfied || self == .unsatisfied }
}

extension ConditionState {
  package init(from decoder: any Decoder) throws {
    // `unmonitored` occurs in events only: nobody may ask for it, so the error doesn't list it.
    try self.init(
      nameOf: "state", from: decoder, outOf: [.unknown, .satisfied, .unsatisfied])
  }
}
