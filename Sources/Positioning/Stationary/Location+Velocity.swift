import Geofencing

extension Location {
  /// The Doppler velocity in metres per second; nil where speed or course isn't known.
  var velocity: Vector? {
    guard let speed else { return nil }
    if let course { return Vector(length: speed, bearing: course) }
    // Many receivers give no course at rest.
    return speed < 0.5 ? Vector() : nil
  }
}

/// The vector of the medians: a few that are far off don't move it.
func median(of vectors: some Collection<Vector>) -> Vector {
  Vector(
    east: quantile(0.5, of: vectors.map(\.east)), north: quantile(0.5, of: vectors.map(\.north)))
}
