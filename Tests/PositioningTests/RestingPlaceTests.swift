import Geofencing
import Positioning
import TestSupport
import Testing

/// A stationary detector that has found rest, and what ends it.
@Suite struct RestingPlaceTests {
  private func fix(
    _ second: Double, north: Double = 0, speed: Double = 0.1, accuracy: Double = 4,
    satellites: Int = 9
  ) -> Location {
    spotFix(
      at: second, north: north, speed: speed, course: 0, accuracy: accuracy,
      satellites: satellites)
  }

  /// At rest for two hundred seconds.
  private func resting() -> StationaryDetector {
    var detector = StationaryDetector()
    for second in 0...200 { detector.take(fix(Double(second))) }
    return detector
  }

  @Test func `it has been still since its clock was set back`() {
    var detector = resting()
    #expect(detector.stillSince == at(0))
    detector.take(fix(-1000))
    #expect(detector.isStationary && detector.stillSince == at(-1000))
  }

  @Test(arguments: [(9, false), (5, true)])
  func `a walk that poor reception pretends doesn't end it`(satellites: Int, isRest: Bool) {
    var detector = resting()
    for second in 201...205 {
      detector.take(fix(Double(second), speed: 1.2, satellites: satellites))
    }
    #expect(detector.isStationary == isRest)
  }

  @Test(arguments: [(20.0, false), (30, true)])
  func `positions that aren't surely elsewhere don't end it`(accuracy: Double, isRest: Bool) {
    var detector = resting()
    for second in 201...260 { detector.take(fix(Double(second), north: 75, accuracy: accuracy)) }
    #expect(detector.isStationary == isRest)
  }

  @Test func `three fixes elsewhere don't end it, however long they take`() {
    var detector = resting()
    let rests = [230.0, 260, 290, 320].map { detector.take(fix($0, north: 500)) }
    #expect(rests == [true, true, true, false])
  }

  @Test func `it follows a fix after a gap by a fifth of the way at most`() throws {
    var detector = resting()
    let place = try #require(detector.restingPlace)
    detector.take(fix(4000, north: 25))
    let moved = try #require(detector.restingPlace)
    #expect(abs(place.distance(to: moved) - 5) < 0.1)
  }
}
