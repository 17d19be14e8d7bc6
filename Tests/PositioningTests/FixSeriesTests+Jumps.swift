import Geofencing
import Positioning
import Testing

/// What lies where the fix before can't have led to.
extension `The fix filter on a series of fixes` {
  @Test func `accepts a jump that persists for three fixes in a row`() {
    let far = (1...5).map { report(Double($0), north: 50_000 + Double($0)) }
    #expect(
      outcomes([report(0)] + far, parameters: atOnce)
        == ["ok", "impossibleSpeed", "impossibleSpeed", "jump", "ok", "ok"])
  }

  /// However far it is: what comes back after twenty seconds was a reflection.
  @Test(arguments: [400.0, 2_000, 20_000])
  func `accepts a jump that no speed says is travel after thirty seconds`(steps: Double) {
    // gpsd makes a speed of the jump itself where the receiver tells none.
    for jump in [0.1, steps * 1.112] {
      let far = (1...40).map { report(Double($0), north: steps, speed: $0 == 1 ? jump : 0.1) }
      let outcomes = outcomes([report(0, speed: 0)] + far)
      #expect(outcomes[1...30].allSatisfy { $0 == "impossibleSpeed" })
      #expect(outcomes[31...32] == ["jump", "ok"])
    }
    // Without a speed too: that the time would do for the way by then doesn't make it one.
    let silent = outcomes(
      [report(-1), report(0)] + (1...40).map { report(Double($0), north: steps) })
    #expect(silent[2...31].allSatisfy { $0 == "impossibleSpeed" })
    #expect(silent[32...33] == ["jump", "ok"])
    // Who goes faster than the configuration has it isn't a reflection.
    var slow = PositioningParameters()
    slow.maximumSpeed = 60
    let fast = (1...4).map { report(Double($0), north: 250 + Double($0), speed: 280) }
    #expect(
      self.outcomes([report(0, speed: 280)] + fast, parameters: slow)
        == ["ok", "impossibleSpeed", "impossibleSpeed", "jump", "ok"])
  }

  /// Somebody who runs past a house: by and by the way there would be possible, and what comes back was none.
  @Test(arguments: [3.0, nil], [-60.0, 60, 90])
  func `doesn't take a reflection for a way because it lasts`(speed: Double?, off: Double) {
    var slow = PositioningParameters()
    slow.maximumSpeed = 35
    let epochs = (0...60).map { second -> TPV in
      let isReflected = (11...30).contains(second)
      return report(
        Double(second), north: (3 * Double(second) + (isReflected ? off : 0)) / 1.112, speed: speed)
    }
    let outcomes = outcomes(epochs, parameters: slow)
    #expect(outcomes[11...30].allSatisfy { $0 == "impossibleSpeed" })
    #expect((outcomes[...10] + outcomes[31...]).allSatisfy { $0 == "ok" })
  }

  /// What comes next lies beside the stray fix too, and where the last one leads.
  @Test(arguments: [25.0, nil], [35.0, 50, 65])
  func `a stray fix ahead on a straight road takes nothing with it`(speed: Double?, ahead: Double) {
    var slow = PositioningParameters()
    slow.maximumSpeed = 35
    let epochs = (0...60).map { second -> TPV in
      var epoch = report(
        Double(second), north: (25 * Double(second) + (second == 20 ? ahead : 0)) / 1.112, eph: 8,
        speed: speed)
      epoch.track = speed.map { _ in 0 }
      return epoch
    }
    #expect(outcomes(epochs, parameters: slow).count { $0 != "ok" } <= 1)
  }

  /// The very first fix has nothing that bears it out.
  @Test func `what contradicts a wrong first fix is believed as soon as it may be`() {
    let epochs = [report(0, north: 500)] + (1...40).map { report(Double($0), north: Double($0)) }
    #expect(outcomes(epochs).suffix(36).allSatisfy { $0 == "ok" })
  }

  @Test func `goes on with such a jump though single fixes stray from it`() {
    let far = (1...40).map { second in
      report(Double(second), north: second.isMultiple(of: 9) ? -90_000 : 20_000, speed: 0.1)
    }
    #expect(outcomes([report(0, speed: 0)] + far)[31] == "jump")
  }

  @Test func `begins to count anew where such a jump ends in another place`() {
    let places = (1...60).map { second in
      report(
        Double(second), north: second < 21 ? 20_000 : second < 22 ? -90_000 : 200_000, speed: 0.1)
    }
    #expect(outcomes([report(0, speed: 0)] + places).firstIndex(of: "jump") == 22 + 30)
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

  /// Twice in one place far away, for long in another, and again in the first.
  @Test func `begins anew with a row that another one has interrupted`() {
    let outcomes = outcomes(
      (0..<60).map { second in
        let steps = second == 0 ? 0.0 : (3..<26).contains(second) ? -90_000 : 90_000
        return report(Double(second), north: steps, speed: 0.1)
      })
    #expect(outcomes[0] == "ok")
    #expect(outcomes[1..<56].allSatisfy { $0 == "impossibleSpeed" })
    #expect(outcomes[56...] == ["jump", "ok", "ok", "ok"])
  }
}
