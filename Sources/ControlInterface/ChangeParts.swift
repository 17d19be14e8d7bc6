package import Geofencing

/// Groups conditions into parts of a change that each fit well into a message.
package struct ChangeParts {
  /// The estimated size in bytes of JSON from which on a part is full.
  private static let partBytes = 250_000

  private var open: [NewCondition] = []
  private var bytes = 0

  package init() {}

  /// Adds the next condition; returns a part if it is full, else nil.
  package mutating func add(
    _ condition: Condition, as identifier: String, assuming state: ConditionState? = nil
  ) -> [NewCondition]? {
    open.append(NewCondition(identifier: identifier, condition: condition, assuming: state))
    // A position takes up to 50 bytes, and everything else about 200.
    bytes += 200 + 50 * condition.vertexCount
    return bytes >= Self.partBytes ? rest() : nil
  }

  /// The part that isn't full yet, which may be empty; the next one begins empty.
  package mutating func rest() -> [NewCondition] {
    defer {
      open = []
      bytes = 0
    }
    return open
  }
}
