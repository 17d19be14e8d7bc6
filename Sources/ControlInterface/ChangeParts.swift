package import Geofencing

/// Puts conditions together to parts of a change that each make a message of handy size.
package struct ChangeParts {
  /// About how many bytes of JSON a part has before it ends.
  private static let partBytes = 250_000

  private var open: [NewCondition] = []
  private var bytes = 0

  package init() {}

  /// Takes the next condition; returns a part when that is full.
  package mutating func add(
    _ condition: Condition, as identifier: String, assuming state: ConditionState? = nil
  ) -> [NewCondition]? {
    open.append(NewCondition(identifier: identifier, condition: condition, assuming: state))
    // A position takes up to 50 bytes, and everything else about 200.
    bytes += 200 + 50 * condition.vertexCount
    return bytes >= Self.partBytes ? rest() : nil
  }

  /// The part that isn't full yet, which may be empty.
  package mutating func rest() -> [NewCondition] {
    defer {
      open = []
      bytes = 0
    }
    return open
  }
}
