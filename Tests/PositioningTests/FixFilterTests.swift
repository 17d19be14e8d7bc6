import Foundation
import Geofencing
import Positioning
import Testing

@Suite struct `The fix filter` {
  private func result(
    _ change: (inout TPV) -> Void, parameters: PositioningParameters = PositioningParameters()
  ) -> Result<Location, FixFilter.Rejection> {
    var filter = FixFilter(parameters: parameters)
    var epoch = report(1)
    change(&epoch)
    return filter.take(epoch, satellitesUsed: 7)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let reason: RejectionReason?
    let change: @Sendable (inout TPV) -> Void

    init(
      _ name: String, _ reason: RejectionReason?, _ change: @escaping @Sendable (inout TPV) -> Void
    ) {
      testDescription = name
      self.reason = reason
      self.change = change
    }
  }

  @Test(arguments: [
    Case("a good one", nil) { _ in },
    Case("mode unknown", .noFix) { $0.mode = 0 },
    Case("mode no fix", .noFix) { $0.mode = 1 },
    Case("two dimensions", nil) { $0.mode = 2 },
    Case("no latitude", .noFix) { $0.latitude = nil },
    Case("no longitude", .noFix) { $0.longitude = nil },
    Case("no time", .noTime) { $0.time = nil },
    Case("latitude not a number", .notFinite) { $0.latitude = .nan },
    Case("longitude infinite", .notFinite) { $0.longitude = -.infinity },
    Case("latitude 90", nil) { $0.latitude = 90 },
    Case("latitude beyond", .outOfRange) { $0.latitude = 90.0.nextUp },
    Case("longitude beyond", .outOfRange) { $0.longitude = (-180.0).nextDown },
    Case("null island", .nullIsland) {
      $0.latitude = 0
      $0.longitude = -0.0
    },
    Case("the equator", nil) { $0.latitude = 0 },
    Case("Greenwich", nil) { $0.longitude = 0 },
    // 1000 m hold 68 %, so 1621 m hold 95 %.
    Case("just accurate enough", nil) { $0.eph = 1621 },
    Case("too inaccurate", .inaccurate) { $0.eph = 1622 },
    Case("accuracy unknown", nil) { $0.eph = nil },
    Case("accuracy infinite", nil) { $0.eph = .infinity },
  ])
  func `takes or rejects an epoch for what it says`(row: Case) throws {
    switch result(row.change) {
    case .success(let location):
      #expect(row.reason == nil)
      #expect(location.timestamp == at(1))
      #expect(location.satellitesUsed == 7)
      #expect(!location.followsDiscontinuity)
    case .failure(let rejection): #expect(rejection.reason == row.reason)
    }
  }

  @Test func `takes over what the receiver said, and drops nonsense`() throws {
    var fix = try result {
      $0.status = 8
      $0.altitudeMSL = 400
      $0.altitudeHAE = 447.5
      $0.speed = 13.5
      $0.track = 359.5
      $0.epv = 19.6
      $0.eps = 0.98
      $0.epd = 3.92
    }.get()
    #expect(fix.isSimulated)
    #expect(fix.altitude == 400)
    #expect(fix.ellipsoidalAltitude == 447.5)
    #expect(fix.speed == 13.5)
    #expect(fix.course == 359.5)
    #expect(abs(try #require(fix.verticalAccuracy) - 10) < 1e-12)
    #expect(abs(try #require(fix.speedAccuracy) - 0.5) < 1e-12)
    #expect(abs(try #require(fix.courseAccuracy) - 2) < 1e-12)
    #expect(fix.device == "/dev/a")
    #expect(fix.mode == 3)
    fix = try result {
      $0.altitudeMSL = .nan
      $0.altitudeHAE = .infinity
      $0.speed = -1
      $0.track = 360.1
      $0.epv = 0
      $0.eps = .nan
      $0.epd = 4
      $0.status = 2
    }.get()
    #expect(!fix.isSimulated)
    #expect(fix.altitude == nil && fix.ellipsoidalAltitude == nil && fix.speed == nil)
    #expect(fix.course == nil && fix.verticalAccuracy == nil && fix.speedAccuracy == nil)
    // An error of what isn't there.
    #expect(fix.courseAccuracy == nil)
    fix = try result {
      ($0.altitudeMSL, $0.altitudeHAE, $0.speed, $0.eph) = (1e308, -20_001, 1e308, 1e-300)
    }.get()
    #expect(fix.altitude == nil && fix.ellipsoidalAltitude == nil && fix.speed == nil)
    #expect(fix.horizontalAccuracy == nil)
    // No course is farther off than the opposite one.
    fix = try result { ($0.track, $0.epd) = (10, 1e300) }.get()
    #expect(fix.courseAccuracy == 180)
  }

  @Test(arguments: [
    // What the errors mean, the 68 % radius of an eph of 10 m: 10·√(ln 0.32 / ln(1 − share)), and the
    // standard deviation of an epv of 10 m, which holds erf(√½·10 m ÷ σ) of all heights.
    (PositioningParameters.AccuracyMeaning.half, 12.8213, 14.8260),
    (.sixtyEight, 10, 10.0557), (.ninetyFive, 6.1673, 5.1020),
  ])
  func `reads eph, epv and eps as what they mean for the receiver`(
    meaning: PositioningParameters.AccuracyMeaning, radius: Double, deviation: Double
  ) throws {
    let share = Double(meaning.rawValue) / 100
    #expect(abs(10 * (log(0.32) / log(1 - share)).squareRoot() - radius) < 1e-3)
    #expect(abs(erf(0.5.squareRoot() * 10 / deviation) - share) < 1e-4)

    /// Expects a report to be read so, of which all errors are 10.
    func expect(
      _ radius: Double, _ deviation: Double, _ parameters: PositioningParameters,
      of device: String? = "/dev/a"
    ) throws {
      let fix = try result(
        {
          ($0.eph, $0.epv, $0.eps) = (10, 10, 10)
          $0.device = device
        }, parameters: parameters
      ).get()
      #expect(abs(try #require(fix.horizontalAccuracy) - radius) < 1e-3)
      #expect(abs(try #require(fix.verticalAccuracy) - deviation) < 1e-3)
      #expect(abs(try #require(fix.speedAccuracy) - deviation) < 1e-3)
    }
    var parameters = PositioningParameters()
    parameters.accuracyMeaning = meaning
    try expect(radius, deviation, parameters)
    parameters.accuracyMeaning = .ninetyFive
    parameters.deviceAccuracyMeanings = ["/dev/a": meaning]
    try expect(radius, deviation, parameters)
    for device in ["/dev/b", nil] { try expect(6.1673, 5.1020, parameters, of: device) }
  }

  @Test(arguments: [nil, .nan, 0, -3, .infinity] as [Double?])
  func `takes no accuracy for unknown, never for perfect`(eph: Double?) throws {
    let unknown = try result { $0.eph = eph }.get()
    #expect(unknown.horizontalAccuracy == nil)
    // The two errors along the axes stand in when both are there.
    let both = try result {
      $0.eph = eph
      $0.epx = 3
      $0.epy = 4
    }.get()
    #expect(abs(try #require(both.horizontalAccuracy) - 5 * 0.61673) < 1e-3)
    let one = try result {
      $0.eph = eph
      $0.epx = 3
      $0.epy = 0
    }.get()
    #expect(one.horizontalAccuracy == nil)
  }

  /// Takes epochs and tells what came of each: "ok", "jump", or the reason.
  private func outcomes(
    _ epochs: [TPV], parameters: PositioningParameters = PositioningParameters(),
    after last: Location? = nil
  ) -> [String] {
    var filter = FixFilter(parameters: parameters, last: last)
    return epochs.map { epoch in
      switch filter.take(epoch, satellitesUsed: nil) {
      case .success(let location): location.followsDiscontinuity ? "jump" : "ok"
      case .failure(let rejection): rejection.reason.rawValue
      }
    }
  }

  @Test func `refuses what isn't newer than the fix before`() {
    #expect(
      outcomes([report(5), report(5), report(4.999), report(5.001)])
        == ["ok", "notNewer", "notNewer", "ok"])
  }

  @Test func `refuses a way that is too long for the time`() {
    // 0.01° are 1,112 m; 350 m/s and twice 3.1 m of accuracy are allowed.
    #expect(outcomes([report(0), report(1, north: 1000)]) == ["ok", "impossibleSpeed"])
    #expect(outcomes([report(0), report(4, north: 1000)]) == ["ok", "ok"])
    var slow = PositioningParameters()
    slow.maximumSpeed = 60
    #expect(
      outcomes([report(0), report(4, north: 1000)], parameters: slow) == ["ok", "impossibleSpeed"])
  }

  @Test func `allows two fixes to lie apart by their accuracy`() {
    // 111 m in 0.1 s, with 62 m of accuracy each.
    #expect(
      outcomes([report(0, eph: 100), report(0.1, north: 100, eph: 100)]) == ["ok", "ok"])
    #expect(outcomes([report(0), report(0.1, north: 400)]) == ["ok", "impossibleSpeed"])
  }

  @Test func `takes no jump for travel's speed that is shorter than the way of a second`() {
    // A reflection of 200 m at 10 Hz isn't an impossible speed that becomes the truth in 0.3 s.
    let far = (1...5).map { report(Double($0) / 10, north: 200) }
    #expect(outcomes([report(0)] + far) == Array(repeating: "ok", count: 6))
  }

  @Test func `accepts a jump that persists for three fixes in a row`() {
    let far = (1...5).map { report(Double($0), north: 50_000 + Double($0)) }
    #expect(
      outcomes([report(0)] + far)
        == ["ok", "impossibleSpeed", "impossibleSpeed", "jump", "ok", "ok"])
  }

  /// However far it is: what comes back after twenty seconds was a reflection.
  @Test(arguments: [400.0, 2_000, 20_000])
  func `accepts a jump that the receiver's speed says isn't travel after thirty seconds`(
    steps: Double
  ) {
    let far = (1...40).map { report(Double($0), north: steps, speed: 0.1) }
    let outcomes = outcomes([report(0, speed: 0)] + far)
    #expect(outcomes[1...30].allSatisfy { $0 == "impossibleSpeed" })
    #expect(outcomes[31...32] == ["jump", "ok"])
    // Who goes faster than the configuration has it isn't a reflection.
    var slow = PositioningParameters()
    slow.maximumSpeed = 60
    let fast = (1...4).map { report(Double($0), north: 250, speed: 280) }
    #expect(
      self.outcomes([report(0, speed: 280)] + fast, parameters: slow)
        == ["ok", "impossibleSpeed", "impossibleSpeed", "jump", "ok"])
  }

  @Test func `goes on with such a jump though single fixes stray from it`() {
    let far = (1...40).map { second in
      report(Double(second), north: second.isMultiple(of: 9) ? -90_000 : 20_000, speed: 0.1)
    }
    #expect(outcomes([report(0, speed: 0)] + far)[31] == "jump")
  }

  @Test func `takes who speeds up for no reflection, however late the speeds are`() {
    var slow = PositioningParameters()
    slow.maximumSpeed = 35
    // Faster than the limit for ten seconds, and slower again.
    let speeds = (0...60).map { second -> Double in
      switch second {
      case ..<20: 30
      case ..<30: 45
      default: 30
      }
    }
    var metres = 0.0
    let epochs = speeds.enumerated().map { second, speed in
      metres += speed
      return report(
        Double(second), north: metres / 1.112, speed: second > 0 ? speeds[second - 1] : speed)
    }
    let outcomes = outcomes(epochs, parameters: slow)
    #expect(outcomes.filter { $0 == "impossibleSpeed" }.count <= 14)
    #expect(outcomes[35...].allSatisfy { $0 != "impossibleSpeed" })
  }

  /// After days without any, with two receivers that keep step.
  @Test(arguments: [0.0, 0.25, -0.25])
  func `accepts what one receiver insists on, whatever another one says meanwhile`(lag: Double) {
    let epochs = (0..<4).flatMap { second in
      [
        report(200_000 + Double(second), device: "/dev/a"),
        report(200_000 + Double(second) + lag, device: "/dev/b"),
      ]
    }
    let outcomes = outcomes([report(0)] + epochs)
    #expect(Array(outcomes[1...4]).allSatisfy { $0 == "timeJump" })
    #expect(outcomes[5] == "jump" && outcomes[7] == "ok")
  }

  @Test func `remembers only so many receivers that insist on something`() {
    let others = (0..<1000).map { report(200_000, device: "/dev/\($0)") }
    #expect(outcomes([report(0)] + others).dropFirst().allSatisfy { $0 == "timeJump" })
  }

  @Test func `accepts a clock that was set back for good`() {
    let back = (0..<5).map { report(100 + Double($0)) }
    #expect(
      outcomes([report(5000), report(5001)] + back)
        == ["ok", "ok", "notNewer", "notNewer", "jump", "ok", "ok"])
  }

  @Test func `takes one fix from the far future for nonsense, and goes on`() {
    let years = 20.0 * 31_556_952
    #expect(
      outcomes([report(0), report(1), report(years), report(2), report(years + 1), report(3)])
        == ["ok", "ok", "timeJump", "ok", "timeJump", "ok"])
    #expect(outcomes([report(0), report(86_400)]) == ["ok", "ok"])
    #expect(outcomes([report(0), report(86_400.001)]) == ["ok", "timeJump"])
  }

  @Test func `accepts days of silence when three fixes agree on them`() {
    let later = (0..<5).map { report(200_000 + Double($0)) }
    #expect(
      outcomes([report(0)] + later) == ["ok", "timeJump", "timeJump", "jump", "ok", "ok"])
  }

  @Test func `goes on from the fix that was the last before`() throws {
    var before = FixFilter(parameters: PositioningParameters())
    let last = try before.take(report(100), satellitesUsed: nil).get()
    #expect(
      outcomes([report(99), report(101, north: 50_000), report(101)], after: last)
        == ["notNewer", "impossibleSpeed", "ok"])
    #expect(
      outcomes((0..<4).map { report(Double($0)) }, after: last)
        == ["notNewer", "notNewer", "jump", "ok"])
  }

  @Test func `begins to count anew when the jumps don't agree`() {
    #expect(
      outcomes([
        report(0), report(1, north: 50_000), report(2, north: -50_000), report(3, north: 50_000),
        report(4, north: 50_001), report(5, north: 50_002),
      ]) == [
        "ok", "impossibleSpeed", "impossibleSpeed", "impossibleSpeed", "impossibleSpeed", "jump",
      ])
    // The same report again and again is no series.
    #expect(
      outcomes([report(9)] + Array(repeating: report(3), count: 6))
        == ["ok"] + Array(repeating: "notNewer", count: 6))
  }

  @Test func `begins to count anew after each fix that fits`() {
    #expect(
      outcomes([
        report(0), report(1, north: 50_000), report(2, north: 50_000), report(3),
        report(4, north: 50_000), report(5, north: 50_000), report(6),
      ]) == [
        "ok", "impossibleSpeed", "impossibleSpeed", "ok", "impossibleSpeed", "impossibleSpeed",
        "ok",
      ])
  }

  @Test(arguments: [1, 2, 5]) func `asks for as many fixes as the parameters say`(count: Int) {
    var parameters = PositioningParameters()
    parameters.persistence = count
    let far = (1...count).map { report(Double($0), north: 50_000) }
    #expect(
      outcomes([report(0)] + far, parameters: parameters)
        == ["ok"] + Array(repeating: "impossibleSpeed", count: count - 1) + ["jump"])
  }

  /// Two receivers in two places, of which the first is believed from the start.
  @Test(arguments: [0.0, 0.5, -0.5, -30]) func `never flips between two receivers`(
    lag: Double
  ) {
    let epochs = (0..<200).flatMap { second in
      [
        report(Double(second), device: "/dev/a"),
        report(Double(second) + lag, north: 50_000, device: "/dev/b"),
      ]
    }
    let outcomes = outcomes(epochs)
    #expect(
      outcomes.enumerated().allSatisfy { $0.offset.isMultiple(of: 2) == ($0.element == "ok") })
  }
}
