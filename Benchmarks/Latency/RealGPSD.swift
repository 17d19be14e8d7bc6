import BenchmarkSupport
import ControlInterface
import Glibc
import TestSupport

/// A daemon behind the real gpsd, and a plain client beside it that shows when gpsd has sent a report.
final class RealGPSD {
  private let gpsd: GPSDProcess
  private let daemon: DaemonProcess
  private let client: Descriptor
  private let events: Descriptor
  private var course = Course()

  /// Starts both, and feeds gpsd until they are used to the receiver.
  init(in folder: String, processor: Int?) async throws {
    gpsd = try GPSDProcess()
    daemon = try DaemonProcess(
      configuration: DaemonProcess.configuration(
        gpsdPort: gpsd.port, more: MeasuredDaemon.patience), in: folder)
    try await daemon.start()
    if let processor { try await pin(daemon.identifier ?? 0, to: processor) }
    _ = try await daemon.importPlaces(Course.places)
    client = try Descriptor.connected(toPort: gpsd.port)
    try client.write(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8))
    events = try Descriptor.connected(toPath: daemon.eventsSocket)
    try await daemon.waitForStatus("gpsd") { $0.receiver.source != nil }
    for _ in 0..<30 {
      try await gpsd.feed(course.sentences())
      usleep(150_000)
      // A subscriber that leaves events unread while others are measured is cut off.
      _ = try events.readAtHand()
    }
  }

  /// Measures the time from the receiver's last byte to gpsd's report, and from there to the event.
  func delays(_ count: Int) async throws -> (gpsd: [Duration], event: [Duration]) {
    var delays: (gpsd: [Duration], event: [Duration]) = ([], [])
    for _ in 0..<count {
      let sentences = course.sentences()
      usleep(20_000)
      _ = try client.readAtHand()
      _ = try events.readAtHand()
      let began = ContinuousClock.now
      try await gpsd.feed(sentences)
      var report: [UInt8] = []
      // gpsd also sends other messages.
      while !report.contains(Array("\"class\":\"TPV\"".utf8)) {
        guard client.spin(for: .seconds(2)) else {
          throw BenchmarkFailure("gpsd told no report")
        }
        report += try client.readAtHand()
      }
      let told = ContinuousClock.now
      guard events.spin(for: .seconds(2)) else {
        throw BenchmarkFailure("a fix caused no event: \(daemon.log)")
      }
      delays.event.append(told.duration(to: .now))
      // A subscriber that reads late is sent less at once, and further events wait for that.
      _ = try events.readAtHand()
      delays.gpsd.append(began.duration(to: told))
    }
    return delays
  }

  /// Ends both, and removes the daemon's folders.
  func remove() async {
    await daemon.remove()
    gpsd.stop()
  }
}
