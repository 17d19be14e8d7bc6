import Geofencing

extension Location {
  /// The Doppler velocity in metres per second; nil where speed or course isn't known.
  var velocity: Vector? {
    guard let speed else { return nil }
    if let course { return Vector(length: speed, bearing: course) }
    // Many receivers give no course at rest.
    return speed < 0.5 ? Vector() : nil
  }

  /// Its altitude in metres above whatever the receiver gives it: for what changes, not for what it is.
  var height: Double? { altitude ?? ellipsoidalAltitude }
}
