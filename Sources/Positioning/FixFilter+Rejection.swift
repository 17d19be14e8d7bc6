package import Geofencing

extension FixFilter {
  /// What is known of an epoch that was rejected, for whoever asks why it was left out.
  package func rejected(_ epoch: TPV, because reason: RejectionReason) -> RejectedFix {
    RejectedFix(
      timestamp: epoch.time, coordinate: epoch.coordinate,
      horizontalAccuracy: horizontalAccuracy(of: epoch),
      speed: epoch.speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }, reason: reason.rawValue)
  }
}
