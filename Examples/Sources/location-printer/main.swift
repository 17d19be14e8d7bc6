// Prints where the device is, for as long as it moves. When it stands still the updates pause by
// themselves, and go on when it moves again.

import Console
import GeofenceClient

await run {
  for try await update in LocationUpdates.liveUpdates() {
    update.tellTrouble()
    if let coordinate = update.location?.coordinate {
      say("\(coordinate.latitude) \(coordinate.longitude)")
    }
  }
}
