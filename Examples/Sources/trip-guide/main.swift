// Guides through a trip that a JSON file describes: tells of the arrival and of every landmark.
//
//   trip-guide TRIP.json

import Foundation
import TripGuide

func say(_ line: String, to handle: FileHandle = .standardOutput) {
  handle.write(Data("\(line)\n".utf8))
}

guard CommandLine.arguments.count == 2 else {
  say("usage: trip-guide TRIP.json", to: .standardError)
  exit(2)
}
let trip = try JSONDecoder().decode(
  Trip.self, from: Data(contentsOf: URL(filePath: CommandLine.arguments[1])))

var shown = TripGuideFeature.State(trip: trip)
await TripGuideFeature(client: .live()).travel(trip) { state in
  if state.isMonitoring && !shown.isMonitoring { say("Have a good trip to \(trip.name)") }
  if state.isInFrame && !shown.isInFrame { say("Welcome to \(trip.name)") }
  for badge in state.badges.dropFirst(shown.badges.count) {
    say("Badge \(state.badges.count) of \(trip.landmarks.count): \(badge)")
  }
  if let failure = state.failure { say("trip-guide: \(failure)", to: .standardError) }
  shown = state
}
say(shown.isComplete ? "You have seen it all" : "Until next time")
exit(shown.failure == nil ? 0 : 1)
