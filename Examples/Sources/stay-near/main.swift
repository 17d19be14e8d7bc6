// Says whether the device is within 200 m of a point, and whenever that changes.
//
//   stay-near LATITUDE LONGITUDE [METRES]

import GeofenceClient

let numbers = CommandLine.arguments.dropFirst().compactMap(Double.init)
guard numbers.count == CommandLine.arguments.count - 1, (2...3).contains(numbers.count) else {
  fatalUsage("stay-near LATITUDE LONGITUDE [METRES]")
}

let monitor = try await Monitor("stay-near")
try await monitor.add(
  CircularGeographicCondition(
    center: Coordinate(latitude: numbers[0], longitude: numbers[1]),
    radius: numbers.count > 2 ? numbers[2] : 200),
  identifier: "point")

for try await event in await monitor.events {
  switch event.state {
  case .satisfied: say("near since \(event.date.formatted(.iso8601))")
  case .unsatisfied: say("away since \(event.date.formatted(.iso8601))")
  case .unknown: say("no telling since \(event.date.formatted(.iso8601))")
  case .unmonitored: say("not watched any more")
  }
}
