import GeofenceClient

/// A place to travel to, and what there is to see.
package struct Trip: Sendable, Hashable, Codable {
  package var name: String

  /// The middle of the frame, which is 3 km around it.
  package var center: Coordinate

  package var landmarks: [Landmark]

  /// The radius of the frame in metres.
  package static let frameRadius = 3_000.0

  package init(name: String, center: Coordinate, landmarks: [Landmark]) {
    self.name = name
    self.center = center
    self.landmarks = landmarks
  }
}

/// Something to see; being within a kilometre of it earns its badge.
package struct Landmark: Sendable, Hashable, Codable, Identifiable {
  /// A name for programs: it becomes the identifier of the landmark's condition.
  package var id: String

  package var coordinate: Coordinate

  /// The radius of the region in metres.
  package static let radius = 1_000.0

  package init(id: String, coordinate: Coordinate) {
    self.id = id
    self.coordinate = coordinate
  }
}
