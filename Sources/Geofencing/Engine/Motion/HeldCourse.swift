/// Whether a receiver only holds the course that it had: many do, when they hardly move.
package struct HeldCourse: Sendable {
  /// The course that was told last, when, and since when it is the very same.
  private var course: Double?
  private var time: Timestamp?
  private var since: Timestamp?

  /// How many fixes have told it since then, as far as that matters, and where the first one lay.
  private var repeats = 0
  private var place: Coordinate?

  /// Whether the last one is such, and says nothing of where it goes.
  package private(set) var isHeld = false

  /// For how many seconds a course stays the very same that is an old one, at a speed in metres per second below
  /// which the noise of velocities turns it; and how far fixes are apart by which that is known.
  private static let holdTime = 20.0
  private static let slowSpeed = 0.7
  private static let longestPause = 30.0

  /// The speed below which many fixes that tell the very same are such, too, unless the way bears it out, as that of a
  /// boat or a robot does: over how many metres, and up to which cosine of the angle between the two.
  private static let walkingSpeed = 1.5
  private static let manyRepeats = 4
  private static let wayLength = 12.0
  private static let sameDirection = 0.87

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

  /// Whether the positions lead where the course does, since it is the same.
  private func isBorneOut(by fix: borrowing Location) -> Bool {
    guard let place, let course else { return false }
    let way = Vector(from: place, to: fix.coordinate)
    return way.length >= Self.wayLength
      && way.dot(Vector(length: 1, bearing: course)) >= Self.sameDirection * way.length
  }

  /// Stores it, or becomes what was stored.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&course)
    archive.exchange(&time)
    archive.exchange(&since)
    archive.exchange(&repeats, upTo: Self.manyRepeats)
    archive.exchange(&place, into: Sighting.none.coordinate) { $1.exchange(&$0) }
    archive.exchange(&isHeld)
  }
}
