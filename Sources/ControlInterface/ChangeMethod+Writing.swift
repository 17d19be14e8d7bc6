import Geofencing
package import JSONCoding

extension Change.Parameters {
  /// Writes the members of a part of a change that is to be followed by others.
  package func write(to writer: inout JSONWriter, conditions: [NewCondition]) throws {
    writer.member("change", change)
    writer.name("conditions")
    try writer.array { writer in
      for condition in conditions { try condition.write(to: &writer) }
    }
    writer.member("monitor", monitor)
    if let unfinished { writer.member("unfinished", unfinished) }
    writer.member("user", user.map { Int($0) })
  }
}

extension NewCondition {
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
