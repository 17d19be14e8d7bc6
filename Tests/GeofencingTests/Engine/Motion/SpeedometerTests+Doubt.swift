import TestSupport
import Testing

@testable import Geofencing

/// When it believes no speeds, and when it does again.
extension `The speedometer` {
  @Test(arguments: [1e5, 1e9, 1e160, 1.7e308, .infinity, .nan])
  func `takes what nothing can be as fast as for no speed`(speed: Double) {
    var speedometer = Speedometer()
    let taken = speedometer.take(report(0, speed: speed, course: 90))
    #expect(taken == nil)
  }

  @Test(arguments: [
    (14.0, 1.0, 10.0), (5, 1, 10), (14, 0.1, 10), (14, 5, 25), (14, 10, 50), (14, 15, 75),
    (30, 60, 300), (300, 1, 10),
  ])
  func `doubts a speed that is stuck at zero`(speed: Double, step: Double, bound: Double) throws {
    let fixes = seconds(0, 600, every: step).map { report($0, east: max(0, $0 - 60) * speed) }
    let doubted = first(in: fixes) { $0 == nil }
    #expect((60...60 + bound).contains(try #require(doubted)))
  }

  @Test func `doubts a speed that is stuck at that of a drive`() throws {
    let fixes = seconds(0, 100).map { report($0, speed: 14, course: 90) }
    #expect(try #require(first(in: fixes) { $0 == nil }) <= 10)
  }

  @Test func `believes again when speeds and positions agree`() throws {
    let fixes = seconds(0, 100).map {
      report($0, east: $0 * 14, speed: $0 < 30 ? 0 : 14, course: 90)
    }
    let believed = first(in: fixes, from: 30) { $0 != nil }
    #expect((30...50).contains(try #require(believed)))
  }

  @Test(arguments: [1.0, 10])
  func `doubts no speed because of reflections`(step: Double) {
    // Twenty seconds aside, every minute to another side.
    let fixes = seconds(0, 3600, every: step).map { second in
      let isAside = second.truncatingRemainder(dividingBy: 60) < 20
      return report(second, north: isAside ? 200 : 0)
    }
    #expect(first(in: fixes) { $0 == nil } == nil)
  }

  @Test func `is told to doubt, and tries again`() throws {
    var speedometer = Speedometer()
    _ = speedometer.take(report(0))
    speedometer.doubt()
    var believed: Double?
    for second in seconds(1, 60) {
      let reading = speedometer.take(
        report(second, east: second.truncatingRemainder(dividingBy: 4) / 4))
      if reading != nil { believed = believed ?? second }
    }
    #expect((10...30).contains(try #require(believed)))
  }
}
