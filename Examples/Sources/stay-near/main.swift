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
  try await monitor.add(
    CircularGeographicCondition(
      center: Coordinate(latitude: numbers[0], longitude: numbers[1]), radius: radius),
    identifier: identifier)

  for try await event in await monitor.events where event.identifier == identifier {
    switch event.state {
    case .satisfied: say("near since \(event.date.formatted(.iso8601))")
    case .unsatisfied: say("away since \(event.date.formatted(.iso8601))")
    case .unknown: say("no telling since \(event.date.formatted(.iso8601))")
    case .unmonitored: say("not watched any more")
    }
  }
}
