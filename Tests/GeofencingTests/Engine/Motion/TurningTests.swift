import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// Who turns round again and again is nowhere fast on the average, and doesn't stand still.
@Suite struct `Who turns round again and again` {
  /// Somebody who walks about within 150 m, in a direction that wanders.
  @Test(arguments: [1.0, 5, 10]) func `is believed on foot, however rare the fixes are`(
    step: Double
  ) throws {
    for seed: UInt64 in 1...4 {
      var random = SplitMix64(seed: seed)
      var (east, north, course, turn) = (0.0, 0.0, 0.0, 0.0)
      var fixes: [Location] = []
      for tenth in 0..<36_000 {
        turn += -turn / 80 + 0.25 * (2.0 / 80).squareRoot() * random.normal()
        course += turn / 10
        if hypot(east, north) > 150 {
          course += 0.05 * remainder(atan2(-east, -north) - course, 2 * .pi)
        }
        east += 0.14 * sin(course)
        north += 0.14 * cos(course)
        guard tenth.isMultiple(of: Int(step * 10)) else { continue }
        let degrees = course * 180 / .pi
        fixes.append(
          report(
            Double(tenth) / 10, east: east + random.normal(), north: north + random.normal(),
            speed: abs(1.4 + 0.1 * random.normal()),
            course: degrees - 360 * (degrees / 360).rounded(.down)))
      }
      var engine = try ConditionEngine.insideHome()
      #expect(engine.judge(fixes).refused == [], "\(seed)")
    }
  }

  /// As in front of shop windows: setting off and stopping isn't noise either.
  @Test(arguments: [1.0, 4, 5]) func `who stops again and again is told in time`(step: Double)
    throws
  {
    for seed: UInt64 in 1...4 {
      var random = SplitMix64(seed: seed)
      var (east, left, isGoing, fixes) = (0.0, 0.0, false, [Location]())
      var beyond: Double?
      for second in seconds(0, 1_200) {
        if left <= 0 {
          isGoing.toggle()
          left = isGoing ? random.uniform(5...15) : random.uniform(10...40)
        }
        left -= 1
        let speed = isGoing ? 0.8 : 0
        east += speed
        if east > 62, beyond == nil { beyond = second }
        guard second.truncatingRemainder(dividingBy: step) == 0 else { continue }
        let told = Vector(east: speed + 0.1 * random.normal(), north: 0.1 * random.normal())
        fixes.append(
          report(
            second, east: east + random.normal(), north: random.normal(), speed: told.length,
            course: told.bearing))
      }
      var engine = try ConditionEngine.insideHome()
      let exits = engine.judge(fixes).transitions.filter { $0.kind == .exited }
      let delay = (try #require(exits.first).date - at(try #require(beyond))).inSeconds
      #expect(delay < 45, "\(seed)")
    }
  }

  /// A robot with a receiver that is good to centimetres, which mows lanes of 12 m.
  @Test(arguments: [0.9, 1.2]) func `is believed where a receiver is good to centimetres`(
    speed: Double
  ) throws {
    var parameters = DecisionParameters()
    parameters.minimumSigma = 0.1
    var engine = ConditionEngine(parameters: parameters)
    var random = SplitMix64(seed: 1)
    let fixes = seconds(0, 600).map { second in
      let way = speed * second
      let lane = (way / 12).rounded(.down)
      let isNorthwards = lane.truncatingRemainder(dividingBy: 2) == 0
      let along = way - 12 * lane
      return report(
        second, east: lane / 2 + 0.01 * random.normal(),
        north: (isNorthwards ? along : 12 - along) + 0.01 * random.normal(),
        speed: abs(speed + 0.03 * random.normal()), course: isNorthwards ? 0 : 180, accuracy: 0.03)
    }
    #expect(engine.judge(fixes).refused.count < 6)
  }
}
