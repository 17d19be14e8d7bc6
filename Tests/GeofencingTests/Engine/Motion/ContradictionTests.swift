import TestSupport
import Testing

@testable import Geofencing

/// Fixes that lie elsewhere than their speeds lead, and which of them are believed.
@Suite struct ContradictionTests {
  /// What comes of fixes: those that are refused are nil.
  private func estimates(_ fixes: [Location]) -> [PositionEstimate?] {
    var filter = MotionFilter()
    return fixes.map { filter.estimate($0) }
  }

  private func refusals(_ fixes: [Location]) -> [Double] {
    zip(fixes, estimates(fixes)).filter { $1 == nil }.map { ($0.0.timestamp - at(0)).inSeconds }
  }

  /// A drive to the north that a reflection moves aside for some seconds after 300 s.
  private func drive(reflectedFor duration: Double, until end: Double) -> [Location] {
    seconds(0, end).map { second in
      report(
        second, east: second >= 300 && second < 300 + duration ? 40 : 0, north: second * 10,
        speed: 10, course: 0)
    }
  }

  @Test(arguments: [31.0, 45, 90, 140])
  func `are soon believed where they were before a reflection that outlasted JumpSec`(
    duration: Double
  ) throws {
    let fixes = drive(reflectedFor: duration, until: 600)
    let estimates = estimates(fixes)
    let end = 300 + duration
    #expect(refusals(fixes) == seconds(300, 330) + seconds(end, end + 3))
    let back = try #require(estimates[Int(end) + 3])
    #expect(back.isRestart)
    #expect(back.coordinate.distance(to: fixes[Int(end) + 3].coordinate) < 8)
  }

  @Test func `have to insist where they were longer ago`() {
    let fixes = drive(reflectedFor: 160, until: 600)
    #expect(refusals(fixes) == seconds(300, 330) + seconds(460, 490))
  }

  @Test func `that are gone back to leave it open what was meanwhile`() throws {
    var filter = MotionFilter()
    for fix in drive(reflectedFor: 45, until: 349) { _ = filter.estimate(fix) }
    #expect(filter.disagreement?.agreedUntil == at(299))
  }

  /// A receiver may begin elsewhere, and creep back there for a moment.
  @Test func `have to insist where they were for no longer than a reflection lasts`() {
    let fixes = seconds(0, 300).map { second in
      report(second, east: second < 60 || (150..<160).contains(second) ? 40 : 0)
    }
    #expect(refusals(fixes) == seconds(60, 90) + seconds(150, 160))
  }

  @Test func `that don't agree with each other are no way back`() {
    let fixes = drive(reflectedFor: 45, until: 400).enumerated().map { number, fix in
      number < 345 || number > 352
        ? fix
        : report(
          Double(number), east: number % 2 == 0 ? 0 : -40, north: Double(number) * 10, speed: 10,
          course: 0)
    }
    #expect(refusals(fixes).filter { $0 >= 345 } == seconds(345, 355))
  }

  @Test func `that lie at a third place are no way back`() {
    let third = seconds(345, 400).map {
      report($0, east: -80, north: $0 * 10, speed: 10, course: 0)
    }
    let fixes = drive(reflectedFor: 45, until: 345) + third
    #expect(refusals(fixes).filter { $0 >= 345 } == seconds(345, 375))
  }

  @Test func `have to insist where another receiver was before`() {
    var filter = MotionFilter()
    var refused: [Double] = []
    for (second, fix) in zip(seconds(0, 400), drive(reflectedFor: 45, until: 400)) {
      if second == 340 { filter.forgetReceiver() }
      if filter.estimate(fix) == nil, second >= 340 { refused.append(second) }
    }
    #expect(refused == seconds(345, 375))
  }

  /// Who lets go of the receiver now may miss a departure.
  @Test func `may be confirmed by the next, which is waited for`() throws {
    var engine = try ConditionEngine.insideHome()
    for second in seconds(0, 60) { _ = engine.process(report(second)) }
    #expect(!engine.isConfirming)
    #expect(engine.judge(report(60, east: 200)) == nil)
    #expect(engine.isConfirming)
    #expect(engine.judge(report(61)) == [])
    #expect(!engine.isConfirming)
  }

  @Test func `are soon believed where they were before, after a restart too`() {
    let fixes = drive(reflectedFor: 45, until: 400)
    var filter = MotionFilter()
    for (fix, expected) in zip(fixes, estimates(fixes)) {
      if fix.timestamp > at(300) {
        let words = NumberArchive.words(form: 1) { filter.exchange(with: &$0) }
        filter = MotionFilter()
        #expect(NumberArchive.read(words, form: 1) { filter.exchange(with: &$0) })
      }
      #expect(filter.estimate(fix) == expected)
    }
  }

  @Test func `are never believed of two places in turn`() {
    let fixes = seconds(0, 120).map { second in
      let side = second.remainder(dividingBy: 2) == 0 ? 60.0 : -60
      return report(second, east: second < 60 ? 0 : side)
    }
    let estimates = estimates(fixes)
    #expect(estimates.prefix(60).allSatisfy { $0 != nil })
    #expect(!estimates.contains { $0?.isRestart == true })
    #expect(refusals(fixes) == seconds(60, 120))
  }

  @Test func `are believed of what moves as the speeds say, beside the way`() {
    let fixes = seconds(0, 400).map { second in
      report(second, east: second * 40, north: second < 300 ? 0 : 200, speed: 40, course: 90)
    }
    #expect(refusals(fixes) == seconds(300, 330))
  }

  @Test func `are none within the steps that inaccurate receivers make`() {
    // Their standard deviation is 40 m along one axis.
    func refusals(aside: Double) -> [Double] {
      self.refusals(
        seconds(0, 320).map { report($0, east: $0 < 300 ? 0 : aside, accuracy: 50) })
    }
    #expect(refusals(aside: 95) == [])
    #expect(refusals(aside: 105) == seconds(300, 320))
  }

  @Test func `begin with the second fix, whose error is that of the first`() {
    #expect(refusals([report(0, accuracy: 50), report(1, east: 95, accuracy: 50)]) == [])
    #expect(refusals([report(0, accuracy: 50), report(1, east: 120, accuracy: 50)]) == [1])
  }

  @Test func `are believed in time where positions are as coarse as a hundredth of a minute`() {
    let fixes = seconds(0, 400).map { second in
      let east = (second < 300 ? second * 1.4 : second * 1.4 + 60) / 18.5
      return report(
        second, east: east.rounded() * 18.5, north: second < 300 ? 0 : 60, speed: 1.4,
        course: 90 + second.truncatingRemainder(dividingBy: 2), accuracy: 3)
    }
    let refused = refusals(fixes).filter { $0 >= 300 }
    #expect(refused == seconds(300, 330))
  }

  /// A drive to the east whose clock is set after 300 s; what comes a second time isn't taken.
  private func drive(
    _ speed: Double, every interval: Double = 1, setBy step: Double,
    aside: (east: Double, north: Double) = (0, 0)
  ) -> [Location] {
    seconds(0, 400, every: interval).compactMap { second in
      let isSet = second >= 300
      guard !isSet || second + step > 300 - interval else { return nil }
      return report(
        isSet ? second + step : second, east: second * speed + (isSet ? aside.east : 0),
        north: isSet ? aside.north : 0, speed: speed, course: 90)
    }
  }

  /// Receivers correct their leap seconds minutes after a cold start.
  @Test(arguments: [-3.0, -2, -1, 1, 2, 3, 18], [4.0, 14, 30, 60])
  func `are soon believed of a receiver whose clock is set`(step: Double, speed: Double) {
    for interval in [0.2, 1, 5] {
      let estimates = estimates(drive(speed, every: interval, setBy: step))
      #expect(estimates.count { $0 == nil } <= 2, "a fix each \(interval) s")
      // It has come the whole way.
      #expect(!estimates.contains { $0?.isRestart == true })
    }
  }

  @Test(arguments: [-1.0, 2, 18])
  func `are another matter where more than the clock explains it`(step: Double) {
    for aside in [(east: 0.0, north: 100.0), (-100, 0)] {
      let refusals = refusals(drive(14, setBy: step, aside: aside))
      #expect((refusals.last ?? 0) - (refusals.first ?? 0) >= 28, "\(refusals)")
    }
  }
}
