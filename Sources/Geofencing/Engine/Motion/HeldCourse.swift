/// Finds out whether a receiver only repeats its last course, as many do when they hardly move.
package struct HeldCourse: Sendable {
  /// The last course, its time, and since when the course has been exactly the same.
  private var course: Double?
  private var time: Timestamp?
  private var since: Timestamp?

  /// How many fixes have repeated it since then, up to ``manyRepeats``, and where the first one lay.
  private var repeats = 0
  private var place: Coordinate?

  /// Whether the course of the last fix is such a repeated one, which says nothing about the direction of travel.
  package private(set) var isHeld = false

  /// A course is an old one if it is exactly the same for so many seconds, at a speed in metres per second below which
  /// noise would turn it.
  ///
  /// Fixes that tell so are at most so many seconds apart.
  private static let holdTime = 20.0
  private static let slowSpeed = 0.7
  private static let longestPause = 30.0

  /// After many fixes with the same course it is an old one up to this speed, in metres per second.
  ///
  /// It isn't if the positions lead the same way, as those of a boat or a robot do: over so many metres, with at least
  /// that cosine of the angle between the two.
  private static let walkingSpeed = 1.5
  private static let manyRepeats = 4
  private static let wayLength = 12.0
  private static let sameDirection = 0.87

  /// The speed in metres per second from which no receiver repeats a course.
  private static let travelSpeed = 2.5

  package init() {}

  /// Finds out whether a fix only repeats the course of those before.
  ///
  /// A repeated course stays one until the course changes or the receiver travels.
  package mutating func take(_ fix: borrowing Location) {
    let pause = time.map { (fix.timestamp - $0).inSeconds } ?? 0
    let isSame = fix.course != nil && fix.course == course
    (course, time) = (fix.course, fix.timestamp)
    let speed = fix.speed ?? 0
    guard isSame, speed < Self.travelSpeed, pause > 0, pause <= Self.longestPause, let since,
      isHeld || !isBorneOut(by: fix)
    else {
      (self.since, isHeld, repeats, place) = (fix.timestamp, false, 0, fix.coordinate)
      return
    }
    if pause <= MotionModel.seldom { repeats = min(repeats + 1, Self.manyRepeats) }
    let isSlow = speed < (repeats < Self.manyRepeats ? Self.slowSpeed : Self.walkingSpeed)
    if isSlow, (fix.timestamp - since).inSeconds >= Self.holdTime { isHeld = true }
  }

  /// Whether the positions have led in the direction of the course since it is the same.
  private func isBorneOut(by fix: borrowing Location) -> Bool {
    guard let place, let course else { return false }
    let way = Vector(from: place, to: fix.coordinate)
    return way.length >= Self.wayLength
      && way.dot(Vector(length: 1, bearing: course)) >= Self.sameDirection * way.length
  }

  /// Writes the state to the archive, or reads it from there.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&course)
    archive.exchange(&time)
    archive.exchange(&since)
    archive.exchange(&repeats, upTo: Self.manyRepeats)
    archive.exchange(&place, into: Sighting.none.coordinate) { $1.exchange(&$0) }
    archive.exchange(&isHeld)
  }
}
