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
    #expect(!isHeld(slow(30, 0.7)))
    // It goes on at a walk, and ends where it travels, where it is another, and behind a silence.
    #expect(isHeld(slow(21) + slow(5, 2.4)))
    #expect(!isHeld(slow(21) + slow(1, 2.5)))
    #expect(!isHeld(slow(21) + [(0.3, 123.5)]))
    #expect(!isHeld(slow(21) + [(0.3, nil)]))
    #expect(isHeld(slow(3), every: 30) && !isHeld(slow(3), every: 31))
  }

  @Test func `time that stands still, or goes back, begins anew`() {
    var held = HeldCourse()
    for second in 0...20 { held.take(report(Double(second), speed: 0.3, course: 5)) }
    #expect(held.isHeld)
    held.take(report(20, speed: 0.3, course: 5))
    #expect(!held.isHeld)
  }
}
