// Prints where the device is until it stands still: leaving the loop is all it takes to stop.

import GeofenceClient

for try await update in LocationUpdates.liveUpdates() {
  if let coordinate = update.location?.coordinate {
    print(coordinate.latitude, coordinate.longitude)
  }
  if update.isStationary { break }
}
print("stationary")
