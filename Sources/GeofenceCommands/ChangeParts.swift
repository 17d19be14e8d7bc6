import ControlInterface
import GeofenceDaemon
import Geofencing
import GeographicFiles
import JSONCoding

/// Puts conditions together to parts that each make a message of handy size.
struct ChangeParts {
  /// Some of the conditions of a change.
  struct Part: Sendable {
    let conditions: [NewCondition]

    /// A JSON array of them.
    let written: [UInt8]
  }

  /// About how many bytes of JSON a part has before it ends.
  private static let partBytes = 250_000

  private var open: [NewCondition] = []
  private var bytes = 0

  /// Takes the next condition; returns a part when that is full.
  mutating func add(_ named: NamedCondition) throws -> Part? {
    open.append(NewCondition(identifier: named.identifier, condition: named.condition))
    // A position takes up to 50 bytes, and everything else about 200.
    bytes += 200 + 50 * named.condition.vertexCount
    return bytes >= Self.partBytes ? try rest() : nil
  }

  /// The part that isn't full yet, which may be empty.
  mutating func rest() throws -> Part {
    var writer = JSONWriter(capacity: bytes)
    try writer.array { writer in
      for condition in open { try condition.write(to: &writer) }
    }
    defer {
      open = []
      bytes = 0
    }
    return Part(conditions: open, written: try writer.written())
  }
}
