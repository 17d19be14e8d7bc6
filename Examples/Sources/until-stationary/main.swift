// Prints where the device is until it stands still: leaving the loop is all it takes to stop.

import Console
import GeofenceClient

await run {
  for try await update in LocationUpdates.liveUpdates() {
    update.tellTrouble()
    if let coordinate = update.location?.coordinate {
      say("\(coordinate.latitude) \(coordinate.longitude)")
    }
    if update.isStationary { break }
  }
  say("stationary")
}
