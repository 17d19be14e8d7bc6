/// What is different about two conditions of the same identifier.
extension Condition {
  /// Whether it is satisfied in other places than another one: not where only times, the confidence or the end
  /// differ.
  package func isElsewhere(than other: Condition) -> Bool {
    shape != other.shape || altitude != other.altitude
  }

  /// The members of its JSON form that differ from another one's; of a shape of the same kind its own members,
  /// otherwise the kind.
  package func members(differingFrom other: Condition) -> [String] {
    func reference(_ condition: Condition) -> AltitudeBand.Reference {
      condition.altitude?.reference ?? .meanSeaLevel
    }
    let options = [
      ("minimumAltitude", altitude?.minimum != other.altitude?.minimum),
      ("maximumAltitude", altitude?.maximum != other.altitude?.maximum),
      ("altitudeReference", reference(self) != reference(other)),
      ("enterAfter", enterAfter != other.enterAfter), ("exitAfter", exitAfter != other.exitAfter),
      ("confidence", confidence != other.confidence), ("expires", expires != other.expires),
    ]
    return shape.members(differingFrom: other.shape) + options.filter(\.1).map(\.0)
  }
}

extension Condition.Shape {
  fileprivate func members(differingFrom other: Condition.Shape) -> [String] {
    let members =
      switch (self, other) {
      case (.circle(let new), .circle(let old)):
        [("center", new.center != old.center), ("radius", new.radius != old.radius)]
      case (.polygon(let new), .polygon(let old)): [("coordinates", new != old)]
      case (.corridor(let new), .corridor(let old)):
        [("coordinates", new.lines != old.lines), ("width", new.width != old.width)]
      case (.circle, _): [("circle", true)]
      case (.polygon, _): [("polygon", true)]
      case (.corridor, _): [("corridor", true)]
      }
    return members.filter(\.1).map(\.0)
  }
}
