import BenchmarkSupport
import Glibc

/// Plays gpsd and a subscriber for one program, and measures the time from a fix to its event.
final class FixDriver {
  /// The number of alike epochs, with some to spare, after which the daemon doesn't wait for more of each epoch.
  private static let introduction = 12

  /// The gpsd that the program reads.
  let gpsd: PlayedGPSD
  private var course = Course()
  private let events: Descriptor

  /// Waits until a program has connected to the gpsd, and gives it some fixes.
  ///
  /// - Parameter path: The path of the socket on which the program sends events.
  init(_ gpsd: PlayedGPSD, eventsAt path: String) throws {
    self.gpsd = gpsd
    try gpsd.accept()
    events = try Descriptor.connected(toPath: path)
    for _ in 0..<Self.introduction {
      try gpsd.say(course.report())
      guard events.spin(for: .seconds(2)) || course.isAtStart else {
        throw BenchmarkFailure("a fix at the beginning caused no event")
      }
      _ = try events.readAtHand()
    }
  }

  /// Measures so many times from the writing of a fix to the arrival of its event.
  ///
  /// - Parameter pause: The time before each fix, in which all processes go to sleep.
  func delays(_ count: Int, pause: Duration) throws -> [Duration] {
    try (0..<count).map { _ in
      let report = course.report()
      usleep(UInt32(pause / .microseconds(1)))
      _ = try events.readAtHand()
      let began = ContinuousClock.now
      try gpsd.say(report)
      guard events.spin(for: .seconds(2)) else {
        throw BenchmarkFailure("a fix caused no event")
      }
      let delay = began.duration(to: .now)
      _ = try events.readAtHand()
      return delay
    }
  }
}
