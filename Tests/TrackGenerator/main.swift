import Foundation
import Geofencing
import Glibc
import TestSupport

/// What went wrong, in one line; ends the program with status 2 for usage and 1 for the rest.
struct Failure: Error {
  var message: String
  var status: Int32 = 1

  static func usage(_ message: String) -> Failure { Failure(message: message, status: 2) }

  static func system(_ doing: String) -> Failure {
    Failure(message: "\(doing): \(String(cString: strerror(errno)))")
  }
}

/// The options of the command line.
struct Options {
  var scenario = Track.Scenario.city
  var seed: UInt64 = 1
  var rate = 1.0
  var start = Timestamp(rfc3339: "2026-05-04T08:00:00Z") ?? Timestamp(nanoseconds: 0)
  var talker = NMEAWriter.Talker.combined
  var isPerfect = false
  var output: String?
  var conditions: String?
  var places: String?
  var listen: String?
  var portFile: String?
  var speed = 1.0

  static let help = """
    Usage: generate-track [OPTION…]
    Writes the NMEA sentences of a receiver on an invented journey.

      --scenario NAME    \(Track.Scenario.allCases.map(\.rawValue).joined(separator: ", ")); city
      --seed N           another journey of the same kind (1)
      --rate HZ          epochs a second, 1 to 10 (1)
      --start TIME       when it begins, RFC 3339 or 'now' (2026-05-04T08:00:00Z)
      --talker NAME      GP, GL or GN (GN)
      --perfect          a receiver without faults
      --output FILE      where to write; '-' is standard output (-)
      --conditions FILE  write the places on the way there, as GeoJSON
      --places FILE      write them as lines: identifier, latitude, longitude, radius
      --listen HOST:PORT wait for gpsd to connect and send to it; port 0 is any
      --port-file FILE   write the port there once it listens
      --speed N          with --listen, so many times as fast as real time (1)

    """

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--perfect" {
        isPerfect = true
        continue
      }
      if option == "--help" {
        throw Failure(message: Options.help, status: 0)
      }
      guard let value = rest.popFirst() else { throw .usage("\(option) needs a value") }
      func checked<Value>(_ parsed: Value?) throws(Failure) -> Value {
        guard let parsed else { throw Failure.usage("\(option): '\(value)' won't do") }
        return parsed
      }
      switch option {
      case "--scenario": scenario = try checked(Track.Scenario(rawValue: value))
      case "--seed": seed = try checked(UInt64(value))
      case "--rate": rate = try checked(Double(value).flatMap { (1...10).contains($0) ? $0 : nil })
      case "--start":
        start = try checked(
          value == "now"
            ? Timestamp(seconds: Int64(Date().timeIntervalSince1970)) : Timestamp(rfc3339: value))
      case "--talker": talker = try checked(NMEAWriter.Talker(rawValue: value))
      case "--output": output = value
      case "--conditions": conditions = value
      case "--places": places = value
      case "--listen": listen = value
      case "--port-file": portFile = value
      case "--speed":
        speed = try checked(Double(value).flatMap { (0.1...10_000).contains($0) ? $0 : nil })
      default: throw .usage("unknown option '\(option)'")
      }
    }
  }
}

/// Writes every byte, or says why not.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
  var done = 0
  while done < bytes.count {
    let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw .system("writing") }
    done += count
  }
}

/// A file's descriptor for writing from its beginning.
func create(_ path: String) throws(Failure) -> Int32 {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else { throw .system(path) }
  return descriptor
}

/// Writes a file so that who sees it sees all of it.
func writeWhole(_ text: String, to path: String) throws(Failure) {
  let descriptor = try create(path + ".part")
  try writeAll(Array(text.utf8), to: descriptor)
  close(descriptor)
  guard rename(path + ".part", path) == 0 else { throw .system(path) }
}

/// Listens on an IPv4 address given as `host:port`, and tells the port once it does.
func listen(on address: String, portFile: String?) throws(Failure) -> Int32 {
  let parts = address.split(separator: ":")
  guard parts.count == 2, let port = UInt16(parts[1]) else {
    throw .usage("--listen: '\(address)' isn't an IPv4 address and a port")
  }
  var name = sockaddr_in()
  name.sin_family = sa_family_t(AF_INET)
  name.sin_port = port.bigEndian
  guard inet_pton(AF_INET, String(parts[0]), &name.sin_addr) == 1 else {
    throw .usage("--listen: '\(parts[0])' isn't an IPv4 address")
  }
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
  guard isListening else { throw .system("listening on \(address)") }
  if let portFile { try writeWhole("\(UInt16(bigEndian: name.sin_port))\n", to: portFile) }
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
) throws(Failure) {
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
      try writeAll(epoch.bytes, to: open)
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

func run() throws(Failure) {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let track = Track(options.scenario, seed: options.seed)
  if let conditions = options.conditions { try writeWhole(track.geoJSON, to: conditions) }
  if let places = options.places {
    // A millionth of a degree is eleven centimetres.
    func short(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
    let lines = track.places.map {
      "\($0.identifier) \(short($0.center.latitude)) \(short($0.center.longitude)) "
        + "\(Int($0.radius))\n"
    }
    try writeWhole(lines.joined(), to: places)
  }
  let receiver = Receiver(seed: options.seed, faults: options.isPerfect ? .none : .init())
  var writer = NMEAWriter(talker: options.talker)
  let epochs = receiver.observe(track, startingAt: options.start, rate: options.rate).map { fix in
    (time: fix.timestamp - options.start, bytes: writer.sentences(for: fix))
  }
  if let address = options.listen {
    try send(
      epochs, to: listen(on: address, portFile: options.portFile), speed: options.speed)
  }
  // Who only wants the conditions, or feeds gpsd, gets no sentences on standard output.
  let hasOtherWork = options.listen != nil || options.conditions != nil || options.places != nil
  if let output = options.output ?? (hasOtherWork ? nil : "-") {
    let descriptor = output == "-" ? STDOUT_FILENO : try create(output)
    try writeAll(epochs.flatMap(\.bytes), to: descriptor)
  }
}

signal(SIGPIPE, SIG_IGN)
do {
  try run()
} catch {
  let stream = error.status == 0 ? STDOUT_FILENO : STDERR_FILENO
  let text = error.status == 0 ? error.message : "generate-track: \(error.message)\n"
  try? writeAll(Array(text.utf8), to: stream)
  exit(error.status)
}
