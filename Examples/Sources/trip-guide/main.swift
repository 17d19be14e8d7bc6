// Guides through a trip that a JSON file describes: tells of the arrival and of every landmark.
//
//   trip-guide TRIP.json

import Console
import Foundation
import TripGuide

guard CommandLine.arguments.count == 2 else { fatalUsage("trip-guide TRIP.json") }

await run {
  let trip = try JSONDecoder().decode(
    Trip.self, from: Data(contentsOf: URL(filePath: CommandLine.arguments[1])))

  var shown = TripGuideFeature.State(trip: trip)
  await TripGuideFeature(client: .live()).travel(trip) { state in
    if state.isMonitoring && !shown.isMonitoring { say("Have a good trip to \(trip.name)") }
    if state.isInFrame && !shown.isInFrame { say("Welcome to \(trip.name)") }
    for badge in state.badges.dropFirst(shown.badges.count) {
      say("Badge \(state.badges.count) of \(trip.landmarks.count): \(badge)")
    }
    if let failure = state.failure { complain(failure) }
    shown = state
  }
  say(shown.isComplete ? "You have seen it all" : "Until next time")
  if shown.failure != nil { exit(1) }
}
