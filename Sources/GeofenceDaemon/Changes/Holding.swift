import Geofencing

/// How many conditions and positions a monitor or a user has: both are limited.
struct Holding: Sendable, Hashable {
  var conditions = 0

  /// How many positions their polygons and corridors have.
  var vertices = 0

  mutating func add(_ condition: Condition) {
    conditions += 1
    vertices += condition.vertexCount
  }

  mutating func remove(_ condition: Condition) {
    conditions -= 1
    vertices -= condition.vertexCount
  }

  static func + (a: Holding, b: Holding) -> Holding {
    Holding(conditions: a.conditions + b.conditions, vertices: a.vertices + b.vertices)
  }
}
