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

/// Core Location's name for degrees from north.
public typealias CLLocationDirection = Double

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
  ///   - verticalAccuracy: Half the height in metres of the band that holds the true altitude; below 0 the
  ///     altitude isn't known either.
  ///   - timestamp: The time of the fix.
  public init(
    coordinate: Coordinate, altitude: Double, horizontalAccuracy: Double, verticalAccuracy: Double,
    timestamp: Date
  ) {
    let hasAltitude = verticalAccuracy >= 0
    self.init(
      coordinate: coordinate, timestamp: timestamp,
      horizontalAccuracy: horizontalAccuracy < 0 ? nil : horizontalAccuracy,
      altitude: hasAltitude ? altitude : nil, mode: hasAltitude ? 3 : 2)
    self.verticalAccuracy = hasAltitude ? verticalAccuracy : nil
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
