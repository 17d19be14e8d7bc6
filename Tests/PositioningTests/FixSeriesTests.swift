import Geofencing
import Positioning
import Testing

@Suite struct `The fix filter on a series of fixes` {
  /// Takes epochs and tells what came of each: "ok", "jump", or the reason.
  func outcomes(
    _ epochs: [TPV], parameters: PositioningParameters = PositioningParameters(),
    after last: Location? = nil, startingAnewAt start: Int? = nil
  ) -> [String] {
    var last = last
    var filter = FixFilter(parameters: parameters, last: last)
    return epochs.indices.map { index in
      if index == start { filter = FixFilter(parameters: parameters, last: last) }
      switch filter.take(epochs[index], satellitesUsed: nil) {
      case .success(let location):
        last = location
        return location.followsDiscontinuity ? "jump" : "ok"
      case .failure(let reason):
        return reason.rawValue
      }
    }
  }

  /// Parameters that take no time to believe a jump.
  var atOnce: PositioningParameters {
    var parameters = PositioningParameters()
    parameters.jumpTime = .zero
    return parameters
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
    // 445 m in 0.1 s, with 62 m of accuracy each on top of the 350 m of a second.
    #expect(
      outcomes([report(0, eph: 100), report(0.1, north: 400, eph: 100)]) == ["ok", "ok"])
    #expect(outcomes([report(0), report(0.1, north: 400)]) == ["ok", "impossibleSpeed"])
  }

  @Test func `takes no jump for travel's speed that is shorter than the way of a second`() {
    // A reflection of 200 m at 10 Hz isn't an impossible speed that becomes the truth in 0.3 s.
    let far = (1...5).map { report(Double($0) / 10, north: 200) }
    #expect(outcomes([report(0)] + far) == Array(repeating: "ok", count: 6))
  }

  /// At 10 m/s, with the same position from the fifth second to the tenth.
  @Test func `refuses positions that are repeated while it moves on`() {
    let frozen = (0..<15).map { second in
      report(Double(second), north: Double((5..<11).contains(second) ? 5 : second) * 9, speed: 10)
    }
    #expect(
      outcomes(frozen)
        == Array(repeating: "ok", count: 8) + Array(repeating: "repeatedPosition", count: 3)
        + Array(repeating: "ok", count: 4))
    // A daemon that starts later believes the repeated one for as long.
    for start in 1...6 { #expect(outcomes(frozen, startingAnewAt: start) == outcomes(frozen)) }
    #expect(outcomes(frozen.map { change($0) { $0.speed = nil } }).allSatisfy { $0 == "ok" })
    let receivers = frozen.enumerated().map { index, report in
      change(report) { $0.device = index % 2 == 0 ? nil : $0.device }
    }
    #expect(outcomes(receivers).allSatisfy { $0 == "ok" })
  }

  /// Still, with a position that is never the same twice, and what it was before a silence told again.
  @Test func `refuses what a receiver wakes with that it knew before`() {
    let before = (0..<6).map { report(Double($0), north: Double($0 % 3), speed: 0) }
    func woken(after seconds: Double) -> [TPV] {
      (0..<3).map { report(5 + seconds + Double($0), north: $0 == 2 ? 7 : 2, speed: 0) }
    }
    #expect(
      outcomes(before + woken(after: 300)).suffix(3)
        == ["repeatedPosition", "repeatedPosition", "ok"])
    // It is no silence, or the position stays the same now and then.
    #expect(outcomes(before + woken(after: 7)).allSatisfy { $0 == "ok" })
    let holding = before + [report(6, north: 2, speed: 0), report(7, north: 2, speed: 0)]
    #expect(outcomes(holding + woken(after: 300)).allSatisfy { $0 == "ok" })
    // Who tells where it is every ten seconds has no silences.
    let rare = (0..<9).map { report(Double(10 * $0), north: Double(min($0, 6)), speed: 0) }
    #expect(outcomes(rare).allSatisfy { $0 == "ok" })
  }

  @Test func `takes a position that stays the same for over a minute for one all the same`() {
    let outcomes = outcomes((0..<100).map { report(Double($0), speed: 2.5) })
    #expect(outcomes.firstIndex(of: "repeatedPosition") == 9)
    #expect(outcomes.lastIndex(of: "repeatedPosition") == 60)
    #expect(outcomes.count { $0 == "ok" } == 48)
  }

  @Test func `takes no parked car for one that is lost`() {
    // A receiver that holds its position while slow, at the end of a braking.
    let braking = (0..<3).map {
      report(Double($0), north: Double($0) * 4, speed: 9 - Double($0) * 4)
    }
    let parked = (3..<600).map { report(Double($0), north: 8, speed: 0.4) }
    #expect(outcomes(braking + parked).allSatisfy { $0 == "ok" })
    // Nor one that stops where positions come in steps of 18 m.
    let coarse = (0..<600).map { report(Double($0), speed: $0 < 4 ? 12 : 0) }
    #expect(outcomes(coarse).filter { $0 == "ok" }.count == 598)
  }

  /// 1.1 km off after ten seconds, which could have been travelled.
  @Test func `goes on from the fix before one that isn't believed by who judges it`() throws {
    var filter = FixFilter(parameters: PositioningParameters())
    _ = try filter.take(report(0), satellitesUsed: nil).get()
    for second in [10.0, 11] {
      _ = try filter.take(report(second, north: 1000), satellitesUsed: nil).get()
      filter.retract()
    }
    _ = try filter.take(report(12, north: 1, speed: 1), satellitesUsed: nil).get()
    #expect(outcomes([report(0), report(10, north: 1000), report(12)]).last == "impossibleSpeed")
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
    let lasting = outcomes.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    #expect(lasting == ["timeJump", "timeJump", "jump", "ok"])
  }

  @Test func `remembers only so many receivers that insist on something`() {
    let others = (0..<1000).map { report(200_000, device: "/dev/\($0)") }
    #expect(outcomes([report(0, device: nil)] + others).dropFirst().allSatisfy { $0 == "timeJump" })
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

  /// A receiver that corrects its leap seconds steps by one or two.
  @Test func `notices a clock that is set back by less than three fixes`() {
    /// Along a road, of which a degree's hundred-thousandth is a step, with the clock set back after ten fixes.
    func drive(_ speed: Double, back step: Double) -> [String] {
      outcomes(
        (0..<20).map { second in
          let time = Double(second) - (second < 10 ? 0 : step)
          return report(time, north: Double(second) * speed / 1.112, speed: speed)
        })
    }
    let (late, ok) = (["notNewer"], Array(repeating: "ok", count: 10))
    #expect(drive(14, back: 2) == ok + late + late + ["jump"] + ok.dropLast(3))
    #expect(drive(14, back: 3) == ok + late + late + ["jump"] + ok.dropLast(3))
    // A reflection doesn't go on from the last fix, whatever came late before it or with it.
    for late in [0.05, 1, 1.5] {
      for isLateReflected in [true, false] {
        let reflected = (0..<18).flatMap { second in
          let steps = second < 10 ? 0.0 : 80
          return [
            report(Double(second), north: steps, speed: 0.1),
            report(Double(second) - late, north: isLateReflected ? steps : 0, speed: 0.1),
          ]
        }
        #expect(!outcomes(reflected).contains("jump"))
      }
    }
    // Nor is each fix a jump where another receiver's come late all the time.
    let behind = (0..<20).flatMap { second in
      [0, -0.6, -0.1].map { offset in
        report(Double(second) + offset, north: (Double(second) + offset) * 14 / 1.112, speed: 14)
      }
    }
    #expect(!outcomes(behind).contains("jump"))
    // A single one is seen where it went faster than it can.
    #expect(drive(14, back: 1) == ok + late + ["jump"] + ok.dropLast(2))
    #expect(drive(5, back: 1) == ok + late + ok.dropLast())
    // Late reports that lead nowhere are nobody's past.
    #expect(
      outcomes([report(5), report(4, north: 50_000), report(3), report(6, north: 1)])
        == ["ok", "notNewer", "notNewer", "ok"])
  }

  @Test func `begins to count anew when the jumps don't agree`() {
    #expect(
      outcomes(
        [
          report(0), report(1, north: 50_000), report(2, north: -50_000), report(3, north: 50_000),
          report(4, north: 50_001), report(5, north: 50_002),
        ], parameters: atOnce) == [
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
    var parameters = atOnce
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
