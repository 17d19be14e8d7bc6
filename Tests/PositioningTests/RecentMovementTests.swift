import Geofencing
import TestSupport
import Testing

@testable import Positioning

/// What the speeds of a few fixes show, to who believes all that looks like movement, and to who doubts.
@Suite struct RecentMovementTests {
  /// A fix of a receiver that receives well, unless said otherwise.
  private func fix(
    _ second: Double, _ speed: Double, course: Double? = 0, satellites: Int? = 9,
    accuracy: Double = 4, height: Double? = nil
  ) -> Location {
    spotFix(
      at: second, speed: speed, course: course, accuracy: accuracy, satellites: satellites,
      altitude: height)
  }

  private enum Finding { case nothing, maybe, movement }

  private func finding(_ fixes: [Location]) -> Finding {
    var recent = RecentMovement(maximumAcceleration: 15)
    for fix in fixes { recent.add(fix) }
    if recent.showsMovement(isDoubtful: true) {
      #expect(recent.showsMovement(isDoubtful: false))
      return .movement
    }
    return recent.showsMovement(isDoubtful: false) ? .maybe : .nothing
  }

  private func walk(
    _ seconds: Int, course: Double? = 0, satellites: Int? = 9, accuracy: Double = 4,
    climb: Double? = nil
  ) -> [Location] {
    (0...seconds).map { second in
      fix(
        Double(second), 1.2, course: course, satellites: satellites, accuracy: accuracy,
        height: climb.map { 400 + $0 * Double(second) / Double(seconds) })
    }
  }

  @Test func `has nothing from before a break of more than a minute`() {
    #expect(finding([fix(0, 3), fix(60, 3)]) == .movement)
    #expect(finding([fix(0, 3), fix(61, 3)]) == .nothing)
  }

  @Test func `has no use for the course of one that is slow`() {
    #expect(finding([fix(0, 1.4, course: 180), fix(1, 3)]) == .movement)
    #expect(finding([fix(0, 1.6, course: 180), fix(1, 3)]) == .nothing)
  }

  @Test func `remembers how many satellites there were`() {
    let poor = [fix(0, 0, satellites: 5)]
    #expect(finding(poor + [fix(100, 3, satellites: nil), fix(101, 3, satellites: nil)]) == .maybe)
    #expect(finding(poor + [fix(100, 3), fix(101, 3, satellites: nil)]) == .movement)
  }

  @Test func `counts fixes in quick succession as one`() {
    let still = [fix(0, 0), fix(1, 0), fix(2, 0)]
    #expect(finding(still + [3, 3.02, 3.04, 3.06].map { fix($0, 2.4) }) == .nothing)
    #expect(finding(still + [3, 3.1, 3.2, 3.3].map { fix($0, 2.4) }) == .movement)
  }

  @Test func `drives off with two fixes that go the same way`() {
    #expect(finding([fix(0, 3), fix(1, 3, course: 50)]) == .movement)
    #expect(finding([fix(0, 3), fix(1, 3, course: 70)]) == .nothing)
    #expect(finding([fix(0, 0.8), fix(1, 3)]) == .movement)
    #expect(finding([fix(0, 0.7), fix(1, 3)]) == .nothing)
  }

  @Test func `walks straight for three seconds, or for four without courses`() {
    #expect(finding(walk(3)) == .movement)
    #expect(finding(walk(3, satellites: 5)) == .maybe)
    #expect(finding(walk(4, course: nil)) == .movement)
    #expect(finding(walk(3, course: nil)) == .nothing)
    #expect(finding(walk(4, course: nil, satellites: 5)) == .maybe)
  }

  @Test func `is believed with poor reception when it insists`() {
    func drive(_ speed: Double) -> [Location] {
      (0...2).map { fix(Double($0), speed, satellites: 5) }
    }
    #expect(finding(drive(4)) == .movement)
    #expect(finding(drive(3.6)) == .maybe)
    #expect(finding(walk(20, satellites: 5)) == .movement)
    #expect(finding(walk(19, satellites: 5)) == .maybe)
  }

  @Test func `is received well with enough satellites and accuracy, and without a slide`() {
    #expect(finding(walk(3, satellites: 8)) == .movement)
    #expect(finding(walk(3, satellites: 7)) == .maybe)
    #expect(finding(walk(3, satellites: nil, accuracy: 15)) == .movement)
    #expect(finding(walk(3, satellites: nil, accuracy: 16)) == .maybe)
    // 4 m, and as much as a metre per second.
    #expect(finding(walk(3, climb: 6.9)) == .movement)
    #expect(finding(walk(3, climb: -7.1)) == .maybe)
  }
}
