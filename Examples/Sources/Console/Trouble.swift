import GeofenceClient
import Synchronization

private let told = Mutex<Set<String>>([])

extension LocationUpdate {
  /// Says on standard error why no location comes, where something can be done about it: once.
  package func tellTrouble() {
    guard let trouble, told.withLock({ $0.insert(trouble).inserted }) else { return }
    complain(trouble)
  }

  private var trouble: String? {
    if authorizationDenied {
      "geofenced denies its use: root may, and members of the group 'geofenced'"
    } else {
      disconnection.map { "waiting: \($0)" }
    }
  }
}
