// Says whether the device is within 200 m of a point, and whenever that changes.
//
//   stay-near LATITUDE LONGITUDE [METRES]

import Console
import Foundation
import GeofenceClient

let numbers = CommandLine.arguments.dropFirst().compactMap(Double.init)
guard numbers.count == CommandLine.arguments.count - 1, (2...3).contains(numbers.count) else {
  fatalUsage("stay-near LATITUDE LONGITUDE [METRES]")
}

await run {
  let radius = numbers.count > 2 ? numbers[2] : 200
  // Of the place: what happened at another one, while nobody read it, isn't taken for news of this one.
  let identifier = "\(numbers[0])_\(numbers[1])_\(radius)"

  let monitor = try await Monitor("stay-near")
  for other in try await monitor.identifiers where other != identifier {
    try await monitor.remove(other)
  }
  let record = try await monitor.add(
    CircularGeographicCondition(
      center: Coordinate(latitude: numbers[0], longitude: numbers[1]), radius: radius),
    identifier: identifier)

  func tell(_ state: Monitor.Event.State, since date: Date?) {
    let since = date.map { " since \($0.formatted(.iso8601))" } ?? ""
    switch state {
    case .satisfied: say("near\(since)")
    case .unsatisfied: say("away\(since)")
    case .unknown: say("no telling\(since)")
    case .unmonitored: say("not watched any more")
    }
  }
  // What was told to this program before doesn't come again.
  if record.state != .unknown { tell(record.state, since: record.lastEvent?.date) }
  for try await event in await monitor.events where event.identifier == identifier {
    if event.kind != .crossed { tell(event.state, since: event.date) }
  }
}
