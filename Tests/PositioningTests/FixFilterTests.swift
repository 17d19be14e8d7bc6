import Foundation
import Geofencing
import Positioning
import TestSupport
import Testing

@Suite struct `The fix filter` {
  private func result(
    _ change: (inout TPV) -> Void, parameters: PositioningParameters = PositioningParameters()
  ) -> Result<Location, RejectionReason> {
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
    Case("latitude not a number", .outOfRange) { $0.latitude = .nan },
    Case("longitude infinite", .outOfRange) { $0.longitude = -.infinity },
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
    case .failure(let reason): #expect(reason == row.reason)
    }
  }

  @Test func `takes a fix on three satellites for a flat one, whatever gpsd calls it`() throws {
    func mode(_ satellites: Int?, _ body: (inout TPV) -> Void = { _ in }) throws -> Int {
      var filter = FixFilter(parameters: PositioningParameters())
      return try filter.take(change(report(1), body), satellitesUsed: satellites).get().mode
    }
    // None, or no count at all, says nothing.
    let counts: [Int?] = [nil, 0, 1, 3, 4]
    let modes = try counts.map { try mode($0) }
    #expect(modes == [3, 3, 2, 2, 3])
    // What sensors help with, or isn't from satellites.
    let others = try (0...8).map { status in try mode(3) { $0.status = status } }
    #expect(others == [2, 2, 2, 3, 3, 3, 3, 3, 3])
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

  @Test func `makes no infinite number of an error, however large that is`() throws {
    var parameters = PositioningParameters()
    parameters.accuracyMeaning = .half
    let fix = try result({ ($0.epv, $0.eps) = (1.7e308, 1.7e308) }, parameters: parameters).get()
    #expect(try #require(fix.verticalAccuracy).isFinite)
    #expect(try #require(fix.speedAccuracy).isFinite)
    // What is refused for it is told and stored, too.
    var pipeline = LocationPipeline(parameters: parameters)
    let errors = TPV.GST(north: 1.7e308, east: 1.7e308, up: nil)
    _ = pipeline.process(.tpv(change(report(1)) { $0.gst = errors }))
    let update = pipeline.process(.epochComplete(of: "/dev/a"))
    #expect(update?.accuracyLimited == true)
    #expect(try #require(update?.rejections.last?.horizontalAccuracy).isFinite)
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

  @Test func `believes a receiver's own errors before gpsd's estimate`() throws {
    /// The accuracies of a fix of which all of gpsd's errors are 10.
    func accuracies(_ gst: TPV.GST, _ meaning: PositioningParameters.AccuracyMeaning) throws
      -> (horizontal: Double, vertical: Double)
    {
      var parameters = PositioningParameters()
      parameters.accuracyMeaning = meaning
      let fix = try result({ ($0.eph, $0.epv, $0.gst) = (10, 10, gst) }, parameters: parameters)
        .get()
      return (try #require(fix.horizontalAccuracy), try #require(fix.verticalAccuracy))
    }
    // They are standard deviations, whatever the others are.
    for meaning in PositioningParameters.AccuracyMeaning.allCases {
      let (horizontal, vertical) = try accuracies(.init(north: 0.3, east: 0.4, up: 0.5), meaning)
      #expect(abs(horizontal - 0.125.squareRoot() * Location.sigmasIn68Percent) < 1e-9)
      #expect(vertical == 0.5)
    }
    for wrong in [nil, 0, -1, .infinity, .nan] as [Double?] {
      let (horizontal, vertical) = try accuracies(
        .init(north: wrong, east: 0.4, up: wrong), .ninetyFive)
      #expect(abs(horizontal - 6.1673) < 1e-3 && abs(vertical - 5.1020) < 1e-3)
    }
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
}
