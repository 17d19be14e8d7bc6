import Geofencing
import Glibc
import Positioning
import TestSupport
import Testing

@testable import QualityBenchmark

@Suite struct ErrorModelTests {
  /// Where the reports of twelve hours of a receiver at rest lie, in metres east and north of the truth.
  private static func errors(_ model: ErrorModel) -> [(time: Double, east: Double, north: Double)] {
    var random = SplitMix64(seed: 7)
    var truth = Truth()
    truth.stand(12 * 3600)
    return model.observe(truth, random: &random).compactMap { report in
      guard let time = report.time, let latitude = report.latitude,
        let longitude = report.longitude,
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      else { return nil }
      let distance = Truth.origin.distance(to: coordinate)
      // Small enough for a plane.
      let north = (latitude - Truth.origin.latitude) * 111_200
      let east =
        (longitude - Truth.origin.longitude) * 111_200 * cos(Truth.origin.latitude * .pi / 180)
      let scale = hypot(east, north) > 0 ? distance / hypot(east, north) : 0
      return ((time - ErrorModel.start).inSeconds, east * scale, north * scale)
    }
  }

  private static func variance(_ values: [Double]) -> Double {
    mean(values.map { $0 * $0 })
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  @Test(arguments: [(20.0, 4.0), (120, 4), (60, 18)])
  func `the wandering error has the deviation and the memory asked for`(
    memory: Double, deviation: Double
  ) {
    var random = SplitMix64(seed: 11)
    var process = GaussMarkov(deviation: deviation, memory: memory, random: &random)
    var values: [Double] = []
    for _ in 0..<400_000 {
      process.advance(by: 1, random: &random)
      values.append(process.value)
    }
    let variance = Self.variance(values)
    #expect(abs(variance.squareRoot() / deviation - 1) < 0.05)
    // After its memory, a first-order process has kept 1/e of what it was.
    let lag = Int(memory)
    let pairs = zip(values, values.dropFirst(lag))
    let correlation = pairs.map { $0 * $1 }.reduce(0, +) / Double(values.count - lag) / variance
    #expect(abs(correlation - exp(-1)) < 0.06)
  }

  @Test func `the memory doesn't depend on the rate`() {
    for step in [0.1, 1, 10] {
      var random = SplitMix64(seed: 5)
      var process = GaussMarkov(deviation: 3, memory: 60, random: &random)
      var sums = (pairs: 0.0, squares: 0.0)
      let perMinute = Int(60 / step)
      var past = Array(repeating: 0.0, count: perMinute)
      for index in 0..<(4000 * perMinute) {
        process.advance(by: step, random: &random)
        sums.squares += process.value * process.value
        if index >= perMinute { sums.pairs += process.value * past[index % perMinute] }
        past[index % perMinute] = process.value
      }
      #expect(abs(sums.pairs / sums.squares - exp(-1)) < 0.08)
    }
  }

  @Test func `positions have the deviation of both kinds of error together`() {
    var model = ErrorModel()
    model.drift = 4
    model.noise = 3
    model.driftTime = 20...20
    let errors = Self.errors(model)
    #expect(errors.count == 12 * 3600 + 1)
    #expect(abs(Self.variance(errors.map(\.east)).squareRoot() - 5) < 0.4)
    #expect(abs(Self.variance(errors.map(\.north)).squareRoot() - 5) < 0.4)
  }

  @Test func `bursts are as large, as long and as frequent as asked for`() {
    var model = ErrorModel()
    model.drift = 0
    model.noise = 0
    model.burstInterval = 100
    model.rate = 5
    let errors = Self.errors(model)
    var bursts: [(size: Double, began: Double, ended: Double)] = []
    for error in errors {
      let size = hypot(error.east, error.north)
      guard size > 1 else { continue }
      if let last = bursts.last, error.time - last.ended < 0.3, abs(size - last.size) < 1 {
        bursts[bursts.count - 1].ended = error.time
      } else {
        bursts.append((size, error.time, error.time))
      }
    }
    #expect(bursts.allSatisfy { (29.5...250.5).contains($0.size) })
    #expect(bursts.allSatisfy { $0.ended - $0.began <= 20.2 })
    let length = Self.mean(bursts.map { $0.ended - $0.began + 0.2 })
    #expect((9.5...11.5).contains(length))
    let size = Self.mean(bursts.map(\.size))
    #expect((128...152).contains(size))
    // One every 100 s of quiet and 10.5 s of burst.
    let expected: Double = 12 * 3600 / 110.5
    #expect(abs(Double(bursts.count) - expected) < 60)
  }

  @Test func `a burst makes the speed worse by the factor asked for`() {
    var model = ErrorModel()
    model.drift = 0
    model.noise = 0
    model.burstInterval = 30
    model.doppler = 0.2
    var random = SplitMix64(seed: 3)
    var truth = Truth()
    truth.stand(6 * 3600)
    var quiet: [Double] = []
    var burst: [Double] = []
    for report in model.observe(truth, random: &random) {
      guard let speed = report.speed, let latitude = report.latitude,
        let longitude = report.longitude
      else { continue }
      let isAside =
        abs(latitude - Truth.origin.latitude) + abs(longitude - Truth.origin.longitude) > 1e-5
      if isAside { burst.append(speed) } else { quiet.append(speed) }
    }
    // The square of the length is that of both axes.
    #expect(abs((Self.variance(quiet) / 2).squareRoot() - 0.2) < 0.01)
    #expect(abs((Self.variance(burst) / 2).squareRoot() - 1) < 0.05)
  }

  @Test(arguments: [
    (ErrorModel.Claim.honest, 0.8...1.3), (.optimistic(2.5), 0.32...0.52),
    (.optimistic(3), 0.26...0.44),
  ])
  func `the accuracy is right or too good by the factor asked for`(
    claim: ErrorModel.Claim, range: ClosedRange<Double>
  ) {
    let model = ErrorModel.street.claiming(claim)
    var random = SplitMix64(seed: 2)
    var truth = Truth()
    truth.stand(3600)
    let right = hypot(model.drift, model.noise) * Location.sigmasIn95Percent
    let claims = model.observe(truth, random: &random).compactMap { $0.eph.map { $0 / right } }
    #expect(claims.count > 3400)
    #expect(claims.allSatisfy { range.contains($0) })
  }

  @Test func `what a receiver doesn't say is missing`() {
    var truth = Truth()
    truth.go(east: 1000, north: 0, speed: 10)
    var random = SplitMix64(seed: 1)
    let silent = ErrorModel.street.claiming(.missing).withoutSpeed.observe(truth, random: &random)
    #expect(silent.allSatisfy { $0.eph == nil && $0.track == nil })
    // Its speed is gpsd's, and none.
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    let locations = silent.compactMap { pipeline.process(.tpv($0))?.location }
    #expect(locations.count > 90)
    #expect(locations.dropFirst(21).allSatisfy { $0.speed == nil })
    let uncoursed = ErrorModel.street.withoutCourse.observe(truth, random: &random)
    #expect(uncoursed.allSatisfy { $0.speed != nil && $0.track == nil })
  }

  @Test(arguments: [(0.1, 361), (1.0, 3601), (5, 18_001), (10, 36_001)])
  func `an hour has as many reports as the rate says`(rate: Double, count: Int) {
    var truth = Truth()
    truth.stand(3600)
    var random = SplitMix64(seed: 1)
    var model = ErrorModel.street.at(rate)
    model.gapInterval = nil
    #expect(model.observe(truth, random: &random).count == count)
  }

  @Test func `gaps are as long and as frequent as asked for`() {
    var model = ErrorModel()
    model.gapInterval = 300
    let times = Self.errors(model).map(\.time)
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 - 1 }.filter { $0 > 0.5 }
    #expect(gaps.allSatisfy { $0 <= 20 })
    let length = Self.mean(gaps)
    #expect((9.5...13.5).contains(length))
    let expected: Double = 12 * 3600 / 311.5
    #expect(abs(Double(gaps.count) - expected) < 40)
  }

  @Test func `the same seed gives the same reports, and another seed others`() {
    func reports(_ seed: UInt64) -> [TPV] {
      var random = SplitMix64(seed: seed)
      var model = ErrorModel.canyon
      model.gapInterval = 300
      let truth = Truth.drive(minutes: 10, random: &random)
      return model.observe(truth, random: &random)
    }
    #expect(reports(4) == reports(4))
    #expect(reports(4) != reports(5))
  }

  @Test func `nothing is received where the sky can't be seen`() {
    var random = SplitMix64(seed: 9)
    let truth = Truth.tunnel(random: &random)
    var model = ErrorModel.openSky
    model.gapInterval = nil
    let times = Set(
      model.observe(truth, random: &random).compactMap {
        $0.time.map { ($0 - ErrorModel.start).inSeconds }
      })
    for (index, point) in truth.points.enumerated() where index % 10 == 0 {
      #expect(times.contains(Double(index) / 10) == !point.isCovered)
    }
  }
}
