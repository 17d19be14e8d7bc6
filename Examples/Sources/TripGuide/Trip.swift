import GeofenceClient

/// A place to travel to, and what there is to see.
public struct Trip: Sendable, Hashable, Codable {
  public var name: String

  /// The middle of the frame, which is 3 km around it.
  public var center: Coordinate

  public var landmarks: [Landmark]

  /// The radius of the frame in metres.
  public static let frameRadius = 3_000.0

  public init(name: String, center: Coordinate, landmarks: [Landmark]) {
    self.name = name
    self.center = center
    self.landmarks = landmarks
  }
}

/// Something to see; being within a kilometre of it earns its badge.
public struct Landmark: Sendable, Hashable, Codable, Identifiable {
  /// A name for programs: it becomes the identifier of the landmark's condition.
  public var id: String

  public var coordinate: Coordinate

  /// The radius of the region in metres.
  public static let radius = 1_000.0

  public init(id: String, coordinate: Coordinate) {
    self.id = id
    self.coordinate = coordinate
  }
}
