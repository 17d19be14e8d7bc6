import Geofencing
import Testing

@testable import Positioning

/// What gpsd makes up where a receiver has no speed: the way between two positions over the time between.
@Suite struct `Speeds that are made up` {
  /// The steps of 1.1 m that somebody is north at each second, as a receiver at rest may wander.
  private let steps = (0..<200).map { Double($0 * $0 % 7) }

  /// The reports of a receiver without a speed, as gpsd 3.22 tells them: speeds have three digits.
  private func reports(_ steps: [Double], from first: Double = 0, every period: Double = 1) -> [TPV]
  {
    var before: TPV?
    return steps.enumerated().map { number, step in
      var report = report(first + Double(number) * period, north: step)
      if let before, let here = coordinate(report), let there = coordinate(before) {
        report.speed = (here.distance(to: there) / period * 1000).rounded() / 1000
      }
      before = report
      return report
    }
  }

  private func coordinate(_ report: TPV) -> Coordinate? {
    Coordinate(latitude: report.latitude ?? 91, longitude: report.longitude ?? 0)
  }

  /// At which of the reports a speed is left out, in a daemon that starts with them or after a last fix.
  private func removed(from reports: [TPV], after last: Location? = nil) -> [Int] {
    var speeds = MadeUpSpeeds(last: last)
    return reports.indices.filter { index in
      var report = reports[index]
      speeds.remove(from: &report)
      return report.speed == nil && reports[index].speed != nil
    }
  }

  /// The last fix before a start.
  private func last(device: String? = "/dev/a", speed: Double? = nil) -> Location? {
    var filter = FixFilter(parameters: PositioningParameters())
    return try? filter.take(report(0, device: device, speed: speed), satellitesUsed: nil).get()
  }

  @Test(arguments: [0.1, 1, 30]) func `are left out from the twentieth on`(period: Double) {
    // The first report has none, and whoever doesn't move may say so himself.
    let reports = reports(steps, every: period)
    let moves = reports.indices.filter { (reports[$0].speed ?? 0) > 0 }
    #expect(removed(from: reports) == Array(moves[19]..<200))
  }

  @Test func `are told from those that the receiver measures`() {
    var random = 0.37
    let measured = reports(steps).map { report in
      var report = report
      // A random number after Hénon, so that some are near what would be made up.
      random = 1 - 1.4 * random * random
      report.speed = abs(random)
      return report
    }
    #expect(removed(from: measured) == [])
    #expect(removed(from: reports(steps).map { change($0) { $0.track = 90 } }) == [])
    let still = reports(Array(repeating: 1, count: 100))
    #expect(still.dropFirst().allSatisfy { $0.speed == 0 })
    #expect(removed(from: still) == [])
  }

  @Test func `are left where the receiver tells its own now and then`() {
    let mixed = reports(steps).enumerated().map { number, report in
      number % 10 == 0 ? change(report) { $0.speed = 5 } : report
    }
    #expect(removed(from: mixed) == [])
  }

  @Test func `are believed again when the receiver tells its own`() {
    let before = reports(Array(steps[..<60]))
    let own = (60..<63).map { report(Double($0), north: steps[$0], speed: 5) }
    let after = reports(Array(steps[63...]), from: 63)
    let removed = removed(from: before + own + after)
    #expect(removed.contains(59) && !removed.contains(60))
    #expect((removed.first { $0 > 60 } ?? 0) > 80)
  }

  @Test func `are left out from the first on after a fix that had none`() {
    // What is made up of the first report rests on one from before the start, which nobody knows here.
    let reports = reports(steps, from: 100).map { change($0) { $0.speed = $0.speed ?? 3 } }
    #expect(removed(from: reports, after: last()).prefix(30) == Array(0..<30)[...])
    #expect(removed(from: reports, after: last(speed: 2)).first ?? 0 > 19)
    #expect(removed(from: reports, after: last(device: "/dev/b")).first ?? 0 > 19)
    let own = reports.map { report in change(report) { $0.speed = 5 } }
    #expect(removed(from: own, after: last()) == [0])
    #expect(removed(from: own.map { change($0) { $0.track = 90 } }, after: last()) == [])
  }

  @Test func `are left out from the first on after an interruption`() {
    var speeds = MadeUpSpeeds()
    for report in reports(Array(steps[..<60])) {
      var report = report
      speeds.remove(from: &report)
    }
    speeds.interrupt()
    for report in reports(Array(steps[60..<70]), from: 100) {
      var report = change(report) { $0.speed = $0.speed ?? 3 }
      speeds.remove(from: &report)
      #expect(report.speed == nil)
    }
  }

  @Test func `are told for each receiver by itself`() {
    let others = steps.indices.map { report(Double($0), device: "/dev/b", speed: 5) }
    let both = zip(reports(steps), others).flatMap { [$0, $1] }
    let removed = removed(from: both)
    #expect(removed.count > 150)
    #expect(removed.allSatisfy { $0.isMultiple(of: 2) })
    // Reports without a time or a position say nothing.
    let holes = reports(steps).flatMap { [$0, report(nil, speed: 5), noFix(3)] }
    #expect(self.removed(from: holes).count > 150)
  }
}
