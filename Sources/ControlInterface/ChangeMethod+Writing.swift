import Geofencing
package import JSONCoding

extension Change.Parameters {
  /// Writes the members of parameters whose conditions were written before.
  ///
  /// - Parameter conditions: what ``NewCondition/written(_:)`` made.
  package func write(to writer: inout JSONWriter, conditions: [UInt8]) {
    writer.member("change", change)
    writer.name("conditions")
    writer.write(written: conditions)
    if let dryRun { writer.member("dryRun", dryRun) }
    writer.member("monitor", monitor)
    if let remove {
      writer.name("remove")
      writer.array { writer in for identifier in remove { writer.write(identifier) } }
    }
    if let sync { writer.member("sync", sync) }
    if let unfinished { writer.member("unfinished", unfinished) }
    writer.member("user", user.map { Int($0) })
  }
}

extension NewCondition {
  /// A JSON array of conditions.
  package static func written(_ conditions: [NewCondition]) throws -> [UInt8] {
    var writer = JSONWriter(capacity: 200 * conditions.count)
    try writer.array { writer in
      for condition in conditions { try condition.write(to: &writer) }
    }
    return try writer.written()
  }

  /// Writes what it encodes; circles, of which there may be a million, in a fraction of the time.
  func write(to writer: inout JSONWriter) throws {
    let condition = try condition.get()
    try writer.object { writer in
      writer.member("assuming", assuming?.rawValue)
      writer.name("condition")
      if let circle = condition.plainCircle {
        writer.object { writer in
          writer.name("circle")
          writer.object { writer in
            writer.name("center")
            writer.object { writer in
              writer.member("latitude", circle.center.latitude)
              writer.member("longitude", circle.center.longitude)
            }
            writer.member("radius", circle.radius)
          }
        }
      } else {
        try writer.write(encoding: condition)
      }
      writer.member("identifier", identifier)
    }
  }
}

extension Condition {
  /// The circle of a condition without options; nil for any other.
  fileprivate var plainCircle: CircularGeographicCondition? {
    guard case .circle(let circle) = shape, self == Condition(circle: circle) else { return nil }
    return circle
  }
}
