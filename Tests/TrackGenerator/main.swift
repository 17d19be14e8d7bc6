import CommandLineParsing
import Foundation
import Geofencing
import Glibc
import LinuxSystem
import TestSupport

let definition = CommandLineParsing.Command(
  "generate-track", abstract: "Write the NMEA sentences of a receiver on an invented journey.",
  options: [
    Option(
      "scenario", takes: .choice("NAME", Track.Scenario.allCases.map(\.rawValue)),
      defaultValue: "city", help: "The kind of journey."),
    Option(
      "seed", takes: .integer("N"), defaultValue: "1", help: "Another journey of the same kind."),
    Option("rate", takes: .number("HZ"), defaultValue: "1", help: "Epochs a second, 1 to 10."),
    Option(
      "start",
      takes: .text(
        "TIME",
        TextRule("an RFC 3339 date or 'now'") { $0 == "now" || Timestamp(rfc3339: $0) != nil }),
      defaultValue: "2026-05-04T08:00:00Z", help: "When it begins, RFC 3339 or 'now'."),
    Option(
      "talker", takes: .choice("NAME", NMEAWriter.Talker.allCases.map(\.rawValue)),
      defaultValue: "GN", help: "Who the sentences say they come from."),
    Option("perfect", help: "A receiver without faults."),
    Option(
      "output", takes: .file("FILE"),
      help: "Where to write; '-', and where nothing else is asked for, standard output."),
    Option(
      "conditions", takes: .file("FILE"), help: "Write the places on the way there, as GeoJSON."),
    Option(
      "places", takes: .file("FILE"),
      help: "Write them as lines: identifier, latitude, longitude, radius."),
    Option(
      "listen", takes: .text("HOST:PORT"),
      help: "Wait for gpsd to connect and send to it; port 0 is any."),
    Option("port-file", takes: .file("FILE"), help: "Write the port there once it listens."),
    Option(
      "speed", takes: .number("N"), defaultValue: "1",
      help: "With --listen, so many times as fast as real time."),
  ])

/// The value of a `.number` that has a default, if it is in a range.
func number(
  _ name: String, in range: ClosedRange<Double>, _ arguments: ParsedArguments
) throws(UsageError) -> Double {
  let number = try arguments.requiredDouble(name)
  guard range.contains(number) else {
    throw arguments.usageError(
      "--\(name) wants a number from \(range.lowerBound) to \(range.upperBound), got \(number)")
  }
  return number
}

/// Listens on the IPv4 address that is given as `host:port`, and tells the port once it does.
func listen(on address: String, _ arguments: ParsedArguments) throws -> Int32 {
  let parts = address.split(separator: ":")
  var name = sockaddr_in()
  guard parts.count == 2, let port = UInt16(parts[1]),
    inet_pton(AF_INET, String(parts[0]), &name.sin_addr) == 1
  else {
    throw arguments.usageError("--listen wants an IPv4 address and a port, got '\(address)'")
  }
  name.sin_family = sa_family_t(AF_INET)
  name.sin_port = port.bigEndian
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var yes: Int32 = 1
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isListening = withUnsafeMutablePointer(to: &name) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
      bind(listener, generic, size) == 0 && Glibc.listen(listener, 1) == 0
        && getsockname(listener, generic, &size) == 0
    }
  }
  guard isListening else { throw TestFailure("\(address): \(Errno.last)") }
  if let file = arguments.string("port-file") {
    // Who sees the file sees all of it.
    try "\(UInt16(bigEndian: name.sin_port))\n".write(
      toFile: file, atomically: true, encoding: .utf8)
  }
  return listener
}

/// Whether a descriptor becomes readable, or is closed from afar, within a time; nil is for ever.
func isReadable(_ descriptor: Int32, within time: Duration?) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&request, 1, time.map { Int32(max(0, $0.inSeconds * 1000).rounded(.up)) } ?? -1) > 0
}

/// Sends each epoch when its time has come on a clock that runs so many times as fast.
///
/// The journey begins with the first connection. Who hangs up may come back: what was said
/// meanwhile is lost, as it is with a real receiver.
func send(
  _ epochs: [(time: Duration, bytes: [UInt8])], to listener: Int32, speed: Double
) {
  _ = isReadable(listener, within: nil)
  var connection: Int32?
  let clock = ContinuousClock()
  let begin = clock.now
  for epoch in epochs {
    let due = begin + epoch.time / speed
    while clock.now < due {
      if connection == nil {
        if isReadable(listener, within: clock.now.duration(to: due)) {
          connection = accept(listener, nil, nil)
        }
      } else {
        usleep(UInt32(max(0, clock.now.duration(to: due).inSeconds) * 1e6))
      }
    }
    guard let open = connection else { continue }
    do {
      try FileContents.write(epoch.bytes, to: open)
    } catch {
      close(open)
      connection = nil
    }
  }
  guard let connection else { return }
  // gpsd doesn't hang up at the end of the stream. What it sent to the receiver is read, because a
  // connection closed with something unread takes back what gpsd hasn't read yet.
  shutdown(connection, Int32(SHUT_WR))
  var byte: UInt8 = 0
  while isReadable(connection, within: .seconds(1)), read(connection, &byte, 1) > 0 {}
  close(connection)
}

func run(_ arguments: ParsedArguments) throws {
  let scenario = try arguments.required(
    "scenario", arguments.string("scenario").flatMap(Track.Scenario.init(rawValue:)))
  let talker = try arguments.required(
    "talker", arguments.string("talker").flatMap(NMEAWriter.Talker.init(rawValue:)))
  let seed = UInt64(bitPattern: Int64(try arguments.required("seed", arguments.integer("seed"))))
  let rate = try number("rate", in: 1...10, arguments)
  let speed = try number("speed", in: 0.1...10_000, arguments)
  let date = try arguments.requiredString("start")
  let start = try arguments.required(
    "start",
    date == "now"
      ? Timestamp(seconds: Int64(Date().timeIntervalSince1970)) : Timestamp(rfc3339: date))

  let track = Track(scenario, seed: seed)
  let conditions = arguments.string("conditions")
  if let conditions {
    try track.geoJSON.write(toFile: conditions, atomically: true, encoding: .utf8)
  }
  let places = arguments.string("places")
  if let places {
    // A millionth of a degree is eleven centimetres.
    func short(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
    let lines = track.places.map {
      "\($0.identifier) \(short($0.center.latitude)) \(short($0.center.longitude)) "
        + "\(Int($0.radius))\n"
    }
    try lines.joined().write(toFile: places, atomically: true, encoding: .utf8)
  }
  let receiver = Receiver(seed: seed, faults: arguments.flag("perfect") ? .none : .init())
  var writer = NMEAWriter(talker: talker)
  let epochs = receiver.observe(track, startingAt: start, rate: rate).map { fix in
    (time: fix.timestamp - start, bytes: writer.sentences(for: fix))
  }
  let address = arguments.string("listen")
  if let address { send(epochs, to: try listen(on: address, arguments), speed: speed) }
  // Who only wants the conditions, or feeds gpsd, gets no sentences on standard output.
  let hasOtherWork = address != nil || conditions != nil || places != nil
  if let output = arguments.string("output") ?? (hasOtherWork ? nil : "-") {
    let bytes = epochs.flatMap(\.bytes)
    if output == "-" {
      try FileContents.write(bytes, to: STDOUT_FILENO)
    } else {
      try Data(bytes).write(to: URL(filePath: output))
    }
  }
}

signal(SIGPIPE, SIG_IGN)
do {
  switch try definition.parse(Array(CommandLine.arguments.dropFirst())) {
  case .show(let text): try FileContents.write(Array(text.utf8), to: STDOUT_FILENO)
  case .run(let arguments): try run(arguments)
  }
} catch {
  let isUsage = error is UsageError
  let line = isUsage ? "\(error)\n" : "generate-track: \(error)\n"
  FileHandle.standardError.write(Data(line.utf8))
  exit((isUsage ? ExitCode.usage : .failure).rawValue)
}
