import Foundation
import GeofenceClient

// Handles the events of a monitor, and keeps a record of it that survives every kind of end:
//
//   event-handler FILE MONITOR [WORD COUNT]
//
// The file gets a line "handled NUMBER" when an event is handled, and "acknowledged NUMBER" when it
// was. With WORD (one of these two) and COUNT it ends without a farewell after so many of those lines.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 || arguments.count == 4 else {
  FileHandle.standardError.write(Data("usage: event-handler FILE MONITOR [WORD COUNT]\n".utf8))
  exit(2)
}
var diary = try Diary(
  path: arguments[0],
  lastWord: arguments.count == 4 ? (word: arguments[2], count: Int(arguments[3]) ?? 1) : nil)
let monitor = try await Monitor(arguments[1])
var previous: Int?
for try await event in await monitor.events {
  // Whoever is given the next one has acknowledged the one before.
  if let previous { try diary.note("acknowledged", previous) }
  try diary.note("handled", event.sequence)
  previous = event.sequence
}
