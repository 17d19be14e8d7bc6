internal import FoundationEssentials
internal import GeofenceClient
internal import Geofencing

/// Why a simulation can't do something, with a sentence for people.
public enum SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A location that no receiver could give.
  case invalidLocation(String)

  /// A recording that can't be played.
  case recordingUnreadable(String)

  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .invalidLocation(let sentence), .recordingUnreadable(let sentence): sentence
    }
  }
}

extension Geofencing.Coordinate {
  /// A program's coordinate as the rules use it.
  init(_ coordinate: GeofenceClient.Coordinate) throws(SimulationError) {
    do {
      try self.init(validLatitude: coordinate.latitude, longitude: coordinate.longitude)
    } catch {
      throw .invalidLocation(error.description)
    }
  }
}

extension Geofencing.Location {
  /// A program's location as the rules use it.
  init(_ location: GeofenceClient.Location) throws(SimulationError) {
    guard let timestamp = Timestamp(location.timestamp) else {
      let isAbsent = location.timestamp == .distantPast
      throw .invalidLocation(
        (isAbsent ? "the location has no timestamp" : "the timestamp is out of range")
          + ": give a date between 1678 and 2262")
    }
    func positive(_ value: Double?, _ name: String) throws(SimulationError) -> Double? {
      guard let value else { return nil }
      guard value.isFinite, value > 0 else {
        throw .invalidLocation("\(name) \(value) is out of range: give nil where it isn't known")
      }
      return value
    }
    if let speed = location.speed, !(speed.isFinite && speed >= 0) {
      throw .invalidLocation("speed \(speed) is out of range: give nil where it isn't known")
    }
    for (value, name) in [
      (location.altitude, "altitude"), (location.ellipsoidalAltitude, "ellipsoidalAltitude"),
    ] {
      guard let value, !value.isFinite else { continue }
      throw .invalidLocation("\(name) \(value) is no number: give nil where it isn't known")
    }
    if let course = location.course, !(0...360).contains(course) {
      throw .invalidLocation("course \(course) is out of range: give nil where it isn't known")
    }
    self.init(
      timestamp: timestamp, coordinate: try Geofencing.Coordinate(location.coordinate),
      horizontalAccuracy: try positive(location.horizontalAccuracy, "horizontalAccuracy"),
      speed: location.speed, mode: location.mode, isSimulated: location.isSimulated)
    altitude = location.altitude
    ellipsoidalAltitude = location.ellipsoidalAltitude
    verticalAccuracy = try positive(location.verticalAccuracy, "verticalAccuracy")
    speedAccuracy = try positive(location.speedAccuracy, "speedAccuracy")
    course = location.course
    courseAccuracy = try positive(location.courseAccuracy, "courseAccuracy")
    satellitesUsed = location.satellitesUsed
    device = location.device
  }
}
