public import FoundationEssentials

// Core Location's names, so that a program ports by changing the import and adding `try`.

/// Core Location's name for ``Monitor``.
public typealias CLMonitor = Monitor

/// Core Location's name for ``Condition``.
public typealias CLCondition = Condition

/// Core Location's name for ``Coordinate``.
public typealias CLLocationCoordinate2D = Coordinate

/// Core Location's name for ``Location``.
public typealias CLLocation = Location

/// Core Location's name for ``LocationUpdate``.
public typealias CLLocationUpdate = LocationUpdate

/// Core Location's name for ``BackgroundActivitySession``.
public typealias CLBackgroundActivitySession = BackgroundActivitySession

/// Core Location's name for degrees.
public typealias CLLocationDegrees = Double

/// Core Location's name for metres.
public typealias CLLocationDistance = Double

/// Core Location's name for metres of error.
public typealias CLLocationAccuracy = Double

/// Core Location's name for metres per second.
public typealias CLLocationSpeed = Double

/// Core Location's name for metres per second of error.
public typealias CLLocationSpeedAccuracy = Double

/// Core Location's name for degrees from north.
public typealias CLLocationDirection = Double

/// Core Location's name for degrees of error.
public typealias CLLocationDirectionAccuracy = Double

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Core Location's name for ``Coordinate/init(latitude:longitude:)``.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Core Location's name for ``Coordinate/isValid``.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  coordinate.isValid
}

/// Core Location's name for a coordinate that is no position.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

extension Monitor {
  /// The condition under the name that it has in Core Location, where it belongs to the monitor.
  public typealias CircularGeographicCondition = GeofenceClient.CircularGeographicCondition
}

extension Location {
  /// A location by Core Location's initializer, where an accuracy below 0 says that nothing is known.
  ///
  /// - Parameters:
  ///   - coordinate: The most probable position.
  ///   - altitude: Metres above mean sea level.
  ///   - horizontalAccuracy: The radius in metres of the circle that holds the true position.
  ///   - verticalAccuracy: Half the height in metres of the band that holds the true altitude; 0 or below the
  ///     altitude isn't known either.
  ///   - timestamp: The time of the fix.
  public init(
    coordinate: Coordinate, altitude: Double, horizontalAccuracy: Double, verticalAccuracy: Double,
    timestamp: Date
  ) {
    let hasAltitude = verticalAccuracy > 0
    self.init(
      coordinate: coordinate, timestamp: timestamp,
      horizontalAccuracy: horizontalAccuracy < 0 ? nil : horizontalAccuracy,
      altitude: hasAltitude ? altitude : nil, mode: hasAltitude ? 3 : 2)
    self.verticalAccuracy = hasAltitude ? verticalAccuracy : nil
  }

  /// A location by Core Location's initializer, where an accuracy, a course or a speed below 0 says that
  /// nothing is known.
  ///
  /// - Parameters:
  ///   - coordinate: The most probable position.
  ///   - altitude: Metres above mean sea level.
  ///   - horizontalAccuracy: The radius in metres of the circle that holds the true position.
  ///   - verticalAccuracy: Half the height in metres of the band that holds the true altitude; 0 or below the
  ///     altitude isn't known either.
  ///   - course: The direction of travel in degrees clockwise from true north.
  ///   - speed: Metres per second over ground.
  ///   - timestamp: The time of the fix.
  public init(
    coordinate: Coordinate, altitude: Double, horizontalAccuracy: Double, verticalAccuracy: Double,
    course: Double, speed: Double, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, timestamp: timestamp)
    self.course = course < 0 ? nil : course
    self.speed = speed < 0 ? nil : speed
  }

  /// A location by Core Location's initializer, where an accuracy, a course or a speed below 0 says that
  /// nothing is known.
  ///
  /// - Parameters:
  ///   - coordinate: The most probable position.
  ///   - altitude: Metres above mean sea level.
  ///   - horizontalAccuracy: The radius in metres of the circle that holds the true position.
  ///   - verticalAccuracy: Half the height in metres of the band that holds the true altitude; 0 or below the
  ///     altitude isn't known either.
  ///   - course: The direction of travel in degrees clockwise from true north.
  ///   - courseAccuracy: The error of the course in degrees; below 0 the course isn't known either.
  ///   - speed: Metres per second over ground.
  ///   - speedAccuracy: The error of the speed in metres per second; below 0 the speed isn't known either.
  ///   - timestamp: The time of the fix.
  public init(
    coordinate: Coordinate, altitude: Double, horizontalAccuracy: Double, verticalAccuracy: Double,
    course: Double, courseAccuracy: Double, speed: Double, speedAccuracy: Double, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: courseAccuracy < 0 ? -1 : course,
      speed: speedAccuracy < 0 ? -1 : speed, timestamp: timestamp)
    self.courseAccuracy = self.course == nil ? nil : courseAccuracy
    self.speedAccuracy = self.speed == nil ? nil : speedAccuracy
  }
}

extension LocationUpdate {
  /// The configuration under the name that it has in Core Location, where it belongs to the update.
  public typealias LiveConfiguration = GeofenceClient.LiveConfiguration

  /// The sequence under the name that it has in Core Location, where it belongs to the update.
  public typealias Updates = LocationUpdates

  /// Core Location's newer name for ``isStationary``.
  public var stationary: Bool { isStationary }
}
