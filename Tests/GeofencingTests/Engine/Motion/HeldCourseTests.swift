import Geofencing
import TestSupport
import Testing

/// When a course is one that the receiver only holds.
@Suite struct HeldCourseTests {
  /// Whether it is held at the end of fixes a second apart, of these speeds and courses.
  private func isHeld(_ fixes: [(speed: Double?, course: Double?)], every step: Double = 1) -> Bool
  {
    var held = HeldCourse()
    for (number, fix) in fixes.enumerated() {
      held.take(report(Double(number) * step, speed: fix.speed, course: fix.course))
    }
    return held.isHeld
  }

  private func slow(_ count: Int, _ speed: Double? = 0.3) -> [(Double?, Double?)] {
    Array(repeating: (speed, 123.4), count: count)
  }

  @Test func `the very same one for twenty seconds is, where it hardly moves`() {
    #expect(!isHeld(slow(20)))
    #expect(isHeld(slow(21)))
    #expect(isHeld(slow(21, nil)))
    #expect(!isHeld(slow(4, 0.7), every: 10) && isHeld(slow(5, 0.7), every: 10))
    #expect(isHeld(slow(21, 1.4)) && !isHeld(slow(30, 1.5)))
    // It goes on at a walk, and ends where it travels, where it is another, and behind a silence.
    #expect(isHeld(slow(21) + slow(5, 2.4)))
    #expect(!isHeld(slow(21) + slow(1, 2.5)))
    #expect(!isHeld(slow(21) + [(0.3, 123.5)]))
    #expect(!isHeld(slow(21) + [(0.3, nil)]))
    #expect(isHeld(slow(3), every: 30) && !isHeld(slow(3), every: 31))
  }

  /// Robots and boats go straight, also at a walk.
  @Test(arguments: [(0.0, false), (25, false), (90, true), (180, true)])
  func `one that the way bears out isn't`(direction: Double, isHeld: Bool) {
    var held = HeldCourse()
    for second in seconds(0, 60) {
      let way = Vector(length: 1.2 * second, bearing: 40 + direction)
      held.take(report(second, east: way.east, north: way.north, speed: 1.2, course: 40))
    }
    #expect(held.isHeld == isHeld)
  }

  @Test func `at a walk it takes fixes that aren't rare`() {
    #expect(isHeld(slow(5, 1.2), every: 10) && !isHeld(slow(9, 1.2), every: 11))
  }

  @Test func `time that stands still, or goes back, begins anew`() {
    var held = HeldCourse()
    for second in 0...20 { held.take(report(Double(second), speed: 0.3, course: 5)) }
    #expect(held.isHeld)
    held.take(report(20, speed: 0.3, course: 5))
    #expect(!held.isHeld)
  }
}
