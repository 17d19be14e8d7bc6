import Geofencing
import Positioning
import TestSupport
import Testing

@Suite struct `The pause of one listener` {
  /// An update so many metres north of the spot.
  private func update(_ second: Double, north: Double = 0, speed: Double = 0.1) -> LocationUpdate {
    LocationUpdate(
      location: spotFix(
        at: second, north: north, speed: speed, course: speed > 0.5 ? 0 : 90, altitude: 400))
  }

  private func parameters(_ mode: PauseParameters.Mode) -> PauseParameters {
    var parameters = PauseParameters()
    parameters.mode = mode
    // Of the daemon's own row, so of none of those here.
    parameters.after = .seconds(7)
    return parameters
  }

  /// A pause that has begun, after as many seconds as its row says.
  private func begun(_ configuration: LiveConfiguration) -> AutomaticPause {
    var pause = AutomaticPause(configuration, parameters(.receiver))
    var second = 0.0
    while !pause.isPaused, second < 3000 {
      _ = pause.take(update(second))
      second += 1
    }
    return pause
  }

  @Test(
    arguments: zip(
      LiveConfiguration.allCases, [300, 600, 600, 300, 2700]))
  func `begins when its own row says so`(configuration: LiveConfiguration, seconds: Int) {
    var pause = AutomaticPause(configuration, parameters(.receiver))
    var told: [LocationUpdate] = []
    for second in 0..<(seconds + 100) {
      if let update = pause.take(update(Double(second))) { told.append(update) }
      #expect(pause.isPaused == (told.last?.isPaused == true))
    }
    // A long window is looked at in samples that are up to 41 seconds apart.
    #expect((seconds + 1...seconds + 42).contains(told.count))
    #expect(told.dropLast().allSatisfy { !$0.isStationary && !$0.isPaused })
    #expect(told.last?.isStationary == true && told.last?.isPaused == true)
    #expect(pause.isPaused)
  }

  @Test func `ends with one that isn't stationary, and the receiver is needed again`() throws {
    var pause = begun(.fitness)
    #expect(pause.isPaused)
    let told = (0..<10).compactMap { step in
      pause.take(update(400 + Double(step), north: Double(step) * 3, speed: 3))
    }
    let first = try #require(told.first)
    #expect(!first.isStationary && !first.isPaused && first.location != nil)
    #expect(told.last?.location?.timestamp == at(409))
    #expect(!pause.isPaused)
  }

  @Test func `keeps silent about what isn't there`() {
    var pause = AutomaticPause(.default, parameters(.receiver))
    var lost = LocationUpdate(location: nil)
    lost.receiverDisconnected = true
    #expect(pause.take(lost) == lost)
    pause = begun(.default)
    #expect(pause.take(lost) == nil)
    #expect(pause.isPaused)
  }

  @Test func `has a look go on until it is sure`() {
    var pause = begun(.fitness)
    #expect(pause.hasSeenEnough)
    pause.beginLook()
    #expect(!pause.hasSeenEnough)
    for second in 0..<3 {
      #expect(pause.take(update(480 + Double(second))) == nil)
      #expect(!pause.hasSeenEnough)
    }
    #expect(pause.take(update(483)) == nil)
    #expect(pause.hasSeenEnough)

    // Elsewhere, and still there: only time tells that it isn't a reflection.
    pause.beginLook()
    var seconds = 0
    while pause.take(update(600 + Double(seconds), north: 400)) == nil, seconds < 60 {
      #expect(!pause.hasSeenEnough)
      seconds += 1
    }
    #expect((45...46).contains(seconds))
    #expect(pause.hasSeenEnough && !pause.isPaused)
  }

  @Test func `holds up no look as long as it isn't paused`() {
    var pause = AutomaticPause(.fitness, parameters(.receiver))
    _ = pause.take(update(0))
    pause.beginLook()
    #expect(!pause.isPaused && pause.hasSeenEnough)
  }

  @Test func `a look goes on while it is high above where it rested`() {
    var pause = begun(.airborne)
    #expect(pause.isPaused)
    pause.beginLook()
    var seconds = 0
    while seconds < 60 {
      var risen = update(4000 + Double(seconds), speed: 0)
      risen.location?.altitude = 600
      if pause.take(risen) != nil { break }
      #expect(!pause.hasSeenEnough)
      seconds += 1
    }
    #expect((45...46).contains(seconds))
    #expect(!pause.isPaused)
  }

  @Test func `never begins where locations never pause, and begins anew where that changes`() {
    var pause = AutomaticPause(.default, parameters(.never))
    let told = (0..<900).compactMap { pause.take(update(Double($0))) }
    #expect(told.count == 900)
    #expect(told.last?.isStationary == true && told.last?.isPaused == false)
    #expect(!pause.isPaused)

    pause = AutomaticPause(.default, parameters(.updates))
    let counted = (900..<1500).compactMap { pause.take(update(Double($0))) }
    #expect(counted.count == 301)
    pause = AutomaticPause(.default, parameters(.updates))
    #expect(!pause.isPaused)
  }
}
