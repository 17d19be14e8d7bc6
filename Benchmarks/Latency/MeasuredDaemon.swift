import Glibc
import LinuxSystem
import TestSupport

/// A daemon with a gpsd that is played here, or a real one, and a subscriber of its events.
final class MeasuredDaemon {
  /// What didn't come.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The time between two fixes: everybody is asleep when the next one comes, as for the C program.
  private static let pause: UInt32 = 200

  /// How many equal epochs show the daemon that it needn't wait for more of one, with some to spare.
  private static let introduction = 12

  let daemon: DaemonProcess
  private var course = Course()
  private let gpsd: PlayedGPSD
  private let events: Descriptor

  /// Starts a daemon whose state is below a folder.
  ///
  /// - Parameter processor: where all its threads run; nil for anywhere.
  init(in folder: String, processor: Int?) async throws {
    gpsd = try PlayedGPSD()
    daemon = try DaemonProcess(
      configuration: DaemonProcess.configuration(gpsdPort: gpsd.port), in: folder)
    try await daemon.start()
    if let processor { try await pin(daemon.identifier ?? 0, to: processor) }
    let path = daemon.folder + "/places.geojson"
    try FileContents.replace(path, with: Array(Course.places.utf8))
    let imported = try await daemon.ctl("import", path)
    guard imported.status == 0 else { throw Failure(description: imported.errors) }
    try gpsd.accept()
    events = try Descriptor.connected(toPath: daemon.eventsSocket)
    for _ in 0..<Self.introduction {
      try gpsd.say(course.report())
      usleep(150_000)
      _ = try events.readAtHand()
    }
  }

  /// From the writing of a fix to the arrival of its event, so many times.
  func delays(_ count: Int) throws -> [Duration] {
    try (0..<count).map { _ in
      let report = course.report()
      usleep(Self.pause)
      _ = try events.readAtHand()
      let began = ContinuousClock.now
      try gpsd.say(report)
      guard events.spin(for: .seconds(2)) else {
        throw Failure(description: "a fix caused no event: \(daemon.log)")
      }
      let delay = began.duration(to: .now)
      _ = try events.readAtHand()
      return delay
    }
  }
}
