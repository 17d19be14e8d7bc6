// Waits for the first update that is faster than 200 m/s, or than the number that is given.
//
//   first-fast-update [METRES-PER-SECOND]

import Console
import GeofenceClient

let words = CommandLine.arguments.dropFirst()
guard words.count <= 1, let limit = Double(words.first ?? "200") else {
  fatalUsage("first-fast-update [METRES-PER-SECOND]")
}

await run {
  let update = try await LocationUpdates.liveUpdates(.airborne).first { @Sendable update in
    update.tellTrouble()
    // A receiver that says nothing about its speed isn't taken for a fast one.
    return update.location?.speed.map { $0 > limit } ?? false
  }
  if let location = update?.location, let speed = location.speed {
    say(
      "\(speed.rounded()) m/s at \(location.coordinate.latitude) \(location.coordinate.longitude)")
  }
}
