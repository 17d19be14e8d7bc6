/// Finds the differences between two conditions of the same identifier.
extension Condition {
  /// Whether it asks for the same as another condition, however its shape is drawn.
  ///
  /// A ring may begin with any corner, a line with either end, and holes, polygons and lines may come in any order:
  /// programs that write shapes to files order them as they like.
  package func isSame(as other: Condition) -> Bool {
    guard self != other else { return true }
    var redrawn = other
    redrawn.shape = shape
    return self == redrawn && shape.isSame(as: other.shape)
  }

  /// Whether it is satisfied in other places than another condition.
  ///
  /// It isn't if only times, the confidence, the end, or the order in which the shape is drawn differ.
  package func isElsewhere(than other: Condition) -> Bool {
    altitude != other.altitude || !shape.isSame(as: other.shape)
  }

  /// The members of its JSON that differ from another condition's.
  ///
  /// If both have the same kind of shape, these are the shape's own members; otherwise it is the kind.
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
  /// Whether it is the same on the ground, however it is drawn.
  fileprivate func isSame(as other: Condition.Shape) -> Bool {
    switch (self, other) {
    case (.polygon(let new), .polygon(let old)): new.hasSameRings(as: old)
    case (.corridor(let new), .corridor(let old)):
      new.width == old.width && new.hasSameLines(as: old)
    default: self == other
    }
  }

  fileprivate func members(differingFrom other: Condition.Shape) -> [String] {
    let members =
      switch (self, other) {
      case (.circle(let new), .circle(let old)):
        [("center", new.center != old.center), ("radius", new.radius != old.radius)]
      case (.polygon(let new), .polygon(let old)): [("coordinates", !new.hasSameRings(as: old))]
      case (.corridor(let new), .corridor(let old)):
        [("coordinates", !new.hasSameLines(as: old)), ("width", new.width != old.width)]
      case (.circle, _): [("circle", true)]
      case (.polygon, _): [("polygon", true)]
      case (.corridor, _): [("corridor", true)]
      }
    return members.filter(\.1).map(\.0)
  }
}

extension PolygonalGeographicCondition {
  fileprivate func hasSameRings(as other: PolygonalGeographicCondition) -> Bool {
    polygons == other.polygons
      || vertexCount == other.vertexCount && orderedPolygons == other.orderedPolygons
  }

  /// The same for all orders in which the polygons may be drawn; rings always run the same way round.
  private var orderedPolygons: [[[Coordinate]]] {
    polygons.map { rings -> [[Coordinate]] in
      let rings = rings.map(\.fromLeastCorner)
      return [rings[0]] + rings.dropFirst().sorted { $0.precedes($1) }
    }.sorted { $0[0].precedes($1[0]) }
  }
}

extension CorridorGeographicCondition {
  fileprivate func hasSameLines(as other: CorridorGeographicCondition) -> Bool {
    lines == other.lines || vertexCount == other.vertexCount && orderedLines == other.orderedLines
  }

  /// The same for all orders in which the lines may be drawn; a corridor has no direction.
  private var orderedLines: [[Coordinate]] {
    lines.map { line -> [Coordinate] in
      let backwards: [Coordinate] = line.reversed()
      return backwards.precedes(line) ? backwards : line
    }.sorted { $0.precedes($1) }
  }
}

extension [Coordinate] {
  /// A closed ring, beginning with its least corner and without the end that closes it; no corner occurs twice.
  fileprivate var fromLeastCorner: [Coordinate] {
    let corners = dropLast()
    let least = corners.indices.min { corners[$0].precedes(corners[$1]) } ?? corners.startIndex
    return Array(corners[least...]) + corners[..<least]
  }

  fileprivate func precedes(_ other: [Coordinate]) -> Bool {
    lexicographicallyPrecedes(other) { $0.precedes($1) }
  }
}

extension Coordinate {
  fileprivate func precedes(_ other: Coordinate) -> Bool {
    (latitude, longitude) < (other.latitude, other.longitude)
  }
}
