/// Whether a receiver only holds the course that it had: many do, when they hardly move.
package struct HeldCourse: Sendable {
  /// The course that was told last, when, and since when it is the very same.
  private var course: Double?
  private var time: Timestamp?
  private var since: Timestamp?

  /// Whether the last one is such, and says nothing of where it goes.
  package private(set) var isHeld = false

  /// For how many seconds a course stays the very same that is an old one, at a speed in metres per second below
  /// which the noise of velocities turns it; and how far fixes are apart by which that is known.
  private static let holdTime = 20.0
  private static let slowSpeed = 0.7
  private static let longestPause = 30.0

  /// The speed in metres per second from which on no receiver holds a course.
  private static let travelSpeed = 2.5

  package init() {}

  /// Takes note whether a fix only repeats the course of those before; what does goes on until the course is
  /// another, or it travels.
  package mutating func take(_ fix: borrowing Location) {
    let pause = time.map { (fix.timestamp - $0).inSeconds } ?? 0
    let isSame = fix.course != nil && fix.course == course
    (course, time) = (fix.course, fix.timestamp)
    let speed = fix.speed ?? 0
    guard isSame, speed < Self.travelSpeed, pause > 0, pause <= Self.longestPause, let since else {
      (self.since, isHeld) = (fix.timestamp, false)
      return
    }
    if speed < Self.slowSpeed, (fix.timestamp - since).inSeconds >= Self.holdTime { isHeld = true }
  }

  /// Stores it, or becomes what was stored.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&course)
    archive.exchange(&time)
    archive.exchange(&since)
    archive.exchange(&isHeld)
  }
}
