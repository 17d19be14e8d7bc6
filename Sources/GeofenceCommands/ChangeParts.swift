import ControlInterface
import GeofenceDaemon
import Geofencing
import GeographicFiles
import Varlink

/// Conditions cut into parts that each make a message of handy size.
struct ChangeParts: Sendable {
  /// About how many bytes of JSON a part has before it ends.
  private static let partBytes = 500_000

  private let all: [NamedCondition]
  private let parameters: Change.Parameters

  /// Which conditions each part has; there is always a last one, if only an empty one.
  let ranges: [Range<Int>]

  /// - Parameter parameters: whose conditions they become, and what to do with the last part.
  init(of conditions: [NamedCondition], _ parameters: Change.Parameters) {
    all = conditions
    self.parameters = parameters
    var ranges: [Range<Int>] = []
    var (start, bytes) = (0, 0)
    for (index, condition) in conditions.enumerated() {
      // A position takes up to 50 bytes, and everything else about 300.
      bytes += 300 + 50 * condition.condition.vertexCount
      if bytes >= Self.partBytes {
        ranges.append(start..<index + 1)
        (start, bytes) = (index + 1, 0)
      }
    }
    if start < conditions.count || ranges.isEmpty { ranges.append(start..<conditions.count) }
    self.ranges = ranges
  }

  /// The call that hands over a part before the last one; nil when there is none of that number.
  func call(_ number: Int, of change: String?) throws -> VarlinkConnection.EncodedCall? {
    guard number < ranges.count - 1 else { return nil }
    var part = Change.Parameters(
      user: parameters.user, monitor: parameters.monitor, conditions: conditions(in: number))
    part.change = change
    part.unfinished = true
    return try VarlinkConnection.EncodedCall(Change.qualifiedName, part)
  }

  /// The parameters with the last part.
  func last(of change: String?) -> Change.Parameters {
    var last = parameters
    last.change = change
    last.conditions = conditions(in: ranges.count - 1)
    return last
  }

  private func conditions(in number: Int) -> [NewCondition] {
    all[ranges[number]].map { NewCondition(identifier: $0.identifier, condition: $0.condition) }
  }
}
