import ControlInterface
import Geofencing
import GeographicFiles

/// Puts conditions together to parts that each make a message of handy size.
struct ChangeParts {
  /// About how many bytes of JSON a part has before it ends.
  private static let partBytes = 250_000

  private var open: [NewCondition] = []
  private var bytes = 0

  /// Takes the next condition; returns a part when that is full.
  mutating func add(_ named: NamedCondition) -> [NewCondition]? {
    open.append(NewCondition(identifier: named.identifier, condition: named.condition))
    // A position takes up to 50 bytes, and everything else about 200.
    bytes += 200 + 50 * named.condition.vertexCount
    return bytes >= Self.partBytes ? rest() : nil
  }

  /// The part that isn't full yet, which may be empty.
  mutating func rest() -> [NewCondition] {
    defer {
      open = []
      bytes = 0
    }
    return open
  }
}
