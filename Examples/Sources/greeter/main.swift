// Greets on entering work and on leaving it, each time once, however often it is killed.
//
//   greeter FILE LATITUDE LONGITUDE [METRES]
//
// A greeting is a line of the file. The daemon keeps an event until the next one is asked for, so after
// a crash the one that was being handled comes again; the number at the end of its line shows that it was greeted
// already. One write makes a greeting and remembers it, so there is no moment between the two.

import Console
import GeofenceClient

let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.dropFirst().compactMap(Double.init)
guard (3...4).contains(arguments.count), numbers.count == arguments.count - 1 else {
  fatalUsage("greeter FILE LATITUDE LONGITUDE [METRES]")
}

await run {
  let greetings = try Greetings(path: arguments[0])
  let monitor = try await Monitor("greeter")
  try await monitor.add(
    CircularGeographicCondition(
      center: Coordinate(latitude: numbers[0], longitude: numbers[1]),
      radius: numbers.count > 2 ? numbers[2] : 200),
    identifier: "work")

  for try await event in await monitor.events {
    switch event.kind {
    case .entered: try greetings.greet("Good morning", for: event)
    case .exited: try greetings.greet("Have a nice evening", for: event)
    // Already there when it was first looked: nobody came or went.
    default: break
    }
  }
}
