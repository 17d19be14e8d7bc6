import GeofenceDaemon
import Geofencing
import Positioning
import TestSupport

/// A journey of a scenario: the truth, the receiver's reports, and the input of the rules.
struct Journey: Sendable {
  let truth: Truth
  let rate: Double
  /// The receiver's reports, as in a recording.
  let inputs: [SourceEvent]
  /// The times of the reports, in seconds from the beginning.
  let reportTimes: [Double]
  /// The fixes that geofenced's pipeline makes of the reports; all rules get the same.
  let fixes: [Location]
  let fences: [Condition]
  /// Metres from each fix to the line of each fence, negative inside.
  let distances: [[Double]]
  /// The true stays inside and outside of each fence.
  let legs: [[Truth.Leg]]

  /// Makes a journey, the same for the same seed.
  init(_ scenario: Scenario, seed: UInt64, configuration: Configuration) throws {
    var random = SplitMix64(seed: seed)
    let (truth, errors) = scenario.make(&random)
    try self.init(
      truth, errors.observe(truth, random: &random), rate: errors.rate,
      configuration: configuration)
  }

  /// Makes a journey from the truth and the receiver's reports.
  init(
    _ truth: Truth, _ reports: [TPV], rate: Double, configuration: Configuration
  ) throws {
    self.truth = truth
    self.rate = rate
    inputs = reports.map { .tpv($0) }
    reportTimes = reports.compactMap { $0.time.map { ($0 - ErrorModel.start).inSeconds } }
    var pipeline = LocationPipeline(parameters: configuration.positioning)
    fixes =
      inputs.compactMap { pipeline.process($0)?.location }
      + [pipeline.finish()?.location].compactMap { $0 }
    fences = try truth.fences.map { try $0.condition }
    let fences = fences
    distances = fixes.map { fix in fences.map { $0.signedDistance(to: fix.coordinate) } }
    legs = truth.fences.map { truth.legs(of: $0) }
  }

  /// A time in seconds from the beginning of the journey.
  func seconds(at time: Timestamp) -> Double { (time - ErrorModel.start).inSeconds }

  /// The same journey with polygons in place of the circles.
  private init(withPolygonsOf journey: Journey) throws {
    var truth = journey.truth
    for fence in truth.fences.indices { truth.fences[fence].isPolygon = true }
    self.truth = truth
    (rate, inputs, reportTimes, fixes) = (
      journey.rate, journey.inputs, journey.reportTimes, journey.fixes
    )
    fences = try truth.fences.map { try $0.condition }
    // Only rules for circles use the distances.
    distances = []
    legs = truth.fences.map { truth.legs(of: $0) }
  }

  /// The score of a rule.
  func score(
    _ rule: Rule, configuration: Configuration
  ) throws -> (total: Score, wrong: [WrongFence]) {
    if rule == .geofencedPolygons, truth.fences.contains(where: { !$0.isPolygon }) {
      return try Journey(withPolygonsOf: self).score(rule, configuration: configuration)
    }
    let statements = rule.statements(on: self, configuration: configuration)
    var total = Score()
    total.travel(seconds: truth.seconds, fences: fences.count)
    var wrong: [WrongFence] = []
    for fence in fences.indices {
      var score = Score()
      score.add(statements[fence], against: legs[fence], seconds: truth.seconds)
      total.add(score)
      guard score.falseEvents + score.missedVisits + score.missedExits > 0 else { continue }
      wrong.append(
        WrongFence(
          index: fence, radius: truth.fences[fence].radius, score: score,
          statements: statements[fence], legs: legs[fence]))
    }
    return (total, wrong)
  }
}

extension Truth.Fence {
  /// The condition by which geofenced watches the fence.
  fileprivate var condition: Condition {
    get throws {
      guard isPolygon else {
        return try Condition(
          shape: .circle(
            CircularGeographicCondition(
              center: Truth.coordinate(east: east, north: north), radius: radius)))
      }
      let ring = corners.map {
        Position(Truth.coordinate(east: east + $0.east, north: north + $0.north))
      }
      return try Condition(
        shape: .polygon(PolygonalGeographicCondition(coordinates: [[ring + ring.prefix(1)]])))
    }
  }
}

/// A fence about which a rule was wrong, with all its statements and the truth.
struct WrongFence: Sendable {
  let index: Int
  let radius: Double
  let score: Score
  let statements: [Statement]
  let legs: [Truth.Leg]

  /// Several lines for people.
  var text: String {
    let said = statements.prefix(40).map { "\($0.isInside ? "in" : "out") \(tenths($0.time))" }
    let truth = legs.prefix(40).map { leg in
      "\(leg.isInside ? "in" : "out") \(tenths(leg.began)) (\(tenths(leg.farthest)) m)"
    }
    return """
      fence \(index), radius \(tenths(radius)) m: \(score.falseEvents) false, \
      \(score.missedVisits) visits and \(score.missedExits) exits missed
        said: \(said.joined(separator: ", "))\(statements.count > 40 ? ", …" : "")
        true: \(truth.joined(separator: ", "))\(legs.count > 40 ? ", …" : "")

      """
  }
}

/// A number with one decimal place.
func tenths(_ value: Double) -> String {
  let rounded = Int((value * 10).rounded())
  return "\(rounded < 0 ? "-" : "")\(abs(rounded) / 10).\(abs(rounded) % 10)"
}
