import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// What it does with positions that lie elsewhere all of a sudden.
extension `The motion filter` {
  @Test(arguments: [(0.0, 14.0), (20, 14), (0, 60), (20, 60)])
  func `refuses what jumps aside, and goes on afterwards`(speed: Double, aside: Double) throws {
    var filter = MotionFilter()
    let fixes = seconds(0, 400).map { second in
      report(
        second, east: second * speed, north: (300..<320).contains(second) ? aside : 0,
        speed: speed, course: 90)
    }
    // What is as near as receivers step at times isn't a jump.
    #expect(filter.refusals(fixes) == (aside > 15 ? seconds(300, 320) : []))
  }

  @Test(arguments: [(0.0, 302.0), (10, 310), (30, 330), (120, 420)])
  func `believes what persists for JumpSec`(jumpTime: Double, second: Double) throws {
    var parameters = DecisionParameters()
    parameters.jumpTime = .milliseconds(Int(jumpTime * 1000))
    var filter = MotionFilter()
    let fixes = seconds(0, 500).map { report($0, east: $0 < 300 ? 0 : 200) }
    #expect(filter.refusals(fixes, with: parameters) == seconds(300, second))
  }

  @Test func `says of what it believes then that it is another story`() throws {
    var filter = MotionFilter()
    _ = filter.refusals(seconds(0, 330).map { report($0, east: $0 < 300 ? 0 : 200) })
    let taken = try filter.believed(report(330, east: 200))
    #expect(taken.isRestart && taken.coordinate == report(330, east: 200).coordinate)
    let next = try filter.believed(report(331, east: 200))
    #expect(!next.isRestart)
  }

  @Test func `isn't stuck when what is refused never agrees`() {
    // Three places in turn: none of them is believed until what was known is too old.
    var filter = MotionFilter()
    let fixes = seconds(0, 1000).map { second in
      let angle = second * 2 * .pi / 3
      let aside = second < 300 ? 0.0 : 3000
      return report(second, east: aside * sin(angle), north: aside * cos(angle), course: 90)
    }
    let refused = filter.refusals(fixes)
    #expect(refused.first == 300)
    #expect(refused.contains(899))
    #expect(!refused.contains(900))
  }

  @Test func `takes it for no jump when a receiver becomes surer of where it has been`() throws {
    // As in a recording: positions crept away from where the speeds led, and stayed.
    func fixes(after rest: Double) -> [Location] {
      seconds(0, rest + 300).map { second in
        report(
          second, east: min(max(second - rest, 0), 100) * 0.3, speed: 0.05,
          accuracy: second < rest + 110 ? 13 : 3.25)
      }
    }
    var filter = MotionFilter()
    let short = fixes(after: 300)
    #expect(filter.refusals(short) == [])
    // Who has stood there for long is rather there still.
    var standing = MotionFilter()
    let long = fixes(after: 3000)
    for (start, second) in [(0, 3110), (3111, 3149)] {
      _ = standing.refusals(Array(long[start..<second]))
      let estimate = try standing.believed(long[second])
      #expect(estimate.coordinate.distance(to: centre) < 15)
    }
    // By and by they are followed, as they are where the accuracy stays.
    let before = try standing.believed(long[3150])
    _ = standing.refusals(Array(long[3151..<3299]))
    let after = try standing.believed(long[3299])
    #expect(before.coordinate.distance(to: after.coordinate) > 1)
    // A jump at the same time is one still.
    var other = MotionFilter()
    let jumps = seconds(0, 320).map {
      report($0, east: $0 < 300 ? 0 : 60, accuracy: $0 < 300 ? 13 : 3.25)
    }
    #expect(other.refusals(jumps) == seconds(300, 320))
  }
}
