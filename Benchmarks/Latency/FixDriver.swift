import BenchmarkSupport
import Glibc

/// Plays gpsd and a subscriber of events for one program, and takes the time in between.
final class FixDriver {
  /// How many equal epochs show the daemon that it needn't wait for more of one, with some to spare.
  private static let introduction = 12

  /// Where the program finds its gpsd.
  let gpsd: PlayedGPSD
  private var course = Course()
  private let events: Descriptor

  /// Waits for a program that was told of the gpsd, and has it see some fixes.
  ///
  /// - Parameter path: the socket on which it tells events.
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

  /// From the writing of a fix to the arrival of its event, so many times.
  ///
  /// - Parameter pause: the time before each fix, in which everybody falls asleep.
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
