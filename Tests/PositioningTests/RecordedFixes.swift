import Foundation
import Geofencing
import Positioning
import Testing

/// The fixes of a real receiver at rest for two hours; the test is cancelled where they aren't at hand.
func recordedFixes() async throws -> [Location] {
  guard let folder = ProcessInfo.processInfo.environment["RECORDINGS"] else {
    try Test.cancel("RECORDINGS names no folder of recordings")
  }
  var fixes: [Location] = []
  let recording = try Recording(path: "\(folder)/stationary_2h_belmont_2021.nmea")
  for await update in LocationUpdates(recording) {
    if let location = update.location { fixes.append(location) }
  }
  return fixes
}
