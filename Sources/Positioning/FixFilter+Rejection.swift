package import Geofencing

extension FixFilter {
  /// What is known of an epoch that was rejected, for whoever asks why it was left out.
  package func rejected(_ epoch: TPV, because reason: RejectionReason) -> RejectedFix {
    var coordinate: Coordinate?
    if let latitude = epoch.latitude, let longitude = epoch.longitude {
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }
    return RejectedFix(
      timestamp: epoch.time, coordinate: coordinate,
      horizontalAccuracy: horizontalAccuracy(of: epoch),
      speed: epoch.speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }, reason: reason.rawValue)
  }
}
