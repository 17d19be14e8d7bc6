import GeofenceCommands
import GeofenceDaemon
import Geofencing
import Positioning
import Testing

struct LiveConfigurationTests {
  @Test func `the default row is the defaults`() {
    var configuration = Configuration()
    configuration.apply(.default)
    #expect(configuration == Configuration())
    #expect(LiveConfiguration.default.parameters.enterFixes == DecisionParameters().enterFixes)
    #expect(LiveConfiguration.default.parameters.exitTime == DecisionParameters().exitTime)
    #expect(LiveConfiguration.default.parameters.maximumSpeed == 350)
  }

  @Test(arguments: LiveConfiguration.allCases)
  func `a row sets all its numbers`(live: LiveConfiguration) throws {
    let (configuration, lines) = try ConfigurationFolder(
      "[Receiver]\nLiveConfiguration=\(live.rawValue)\n"
    ).load()
    #expect(lines == [])
    // Written out, as the loading and `apply` could forget the same number.
    let row = live.parameters
    var expected = Configuration()
    expected.receiver.live = live
    expected.stationary = row.stationary
    expected.decision.maximumAcceleration = row.stationary.maximumAcceleration
    expected.pause.after = row.pauseAfter
    expected.positioning.maximumSpeed = row.maximumSpeed
    expected.decision.enterFixes = row.enterFixes
    expected.decision.enterTime = row.enterTime
    expected.decision.exitFixes = row.exitFixes
    expected.decision.exitTime = row.exitTime
    expected.decision.creepingSpeed = row.creepingSpeed
    #expect(configuration == expected)
    #expect(row.pauseAfter >= row.stationary.window)
  }

  @Test func `a single key comes before the row, wherever it stands`() throws {
    let folder = try ConfigurationFolder(
      "[Decision]\nExitFixes=9\n[Receiver]\nMaximumSpeed=50\nStationarySpeed=1\nStationarySpeed=\n",
      dropIns: ["10-car.conf": "[Receiver]\nLiveConfiguration=automotiveNavigation\n"])
    let configuration = try #require(folder.load().configuration)
    #expect(configuration.decision.exitFixes == 9)
    #expect(configuration.positioning.maximumSpeed == 50)
    // An empty value brings back the row's.
    #expect(configuration.stationary.speed == 0.5)
    #expect(configuration.stationary.radius == 40)
    #expect(configuration.pause.after == .seconds(600))
  }

  @Test func `a key with the value of the default row still counts as set`() throws {
    let folder = try ConfigurationFolder(
      "[Receiver]\nMaximumSpeed=350\nLiveConfiguration=fitness\n")
    #expect(folder.load().configuration?.positioning.maximumSpeed == 350)
  }

  @Test func `looks that are rarer than the patience of states are warned of`() throws {
    let text = "[Receiver]\nPauseProbeSec=10min\n"
    #expect(
      try ConfigurationFolder(text).load().lines == [
        "geofenced.conf:2: warning: PauseProbeSec= is 10min, not less than UnknownAfterSec= with "
          + "10min: states become unknown during a pause"
      ])
    #expect(try ConfigurationFolder(text + "PauseMode=updates\n").load().lines == [])
  }

  @Test func `a boat that drags its anchor is told of sooner where it is known for one`() throws {
    let asBoat = try #require(try metresDragged(as: .otherNavigation))
    let asAnything = try #require(try metresDragged(as: .default))
    #expect(asBoat < 10)
    #expect(asAnything > 15)
  }

  /// How far past the line an exit is told of that a receiver sees which gives no course when slow, as many
  /// don't.
  private func metresDragged(as live: LiveConfiguration) throws -> Double? {
    var configuration = Configuration()
    configuration.apply(live)
    let anchor = try Coordinate(validLatitude: 48, longitude: -3)
    let circle = try CircularGeographicCondition(center: anchor, radius: 40)
    var replay = Replay(
      watching: [("anchor", try Condition(shape: .circle(circle)))], configuration: configuration)
    for second in 0..<900 {
      let metres = 0.2 * Double(max(0, second - 300))
      let place = anchor.moved(by: Vector(east: metres))
      var report = TPV()
      report.time = Timestamp(seconds: 1_780_000_000 + Int64(second), nanoseconds: 0)
      report.mode = 3
      (report.latitude, report.longitude) = (place.latitude, place.longitude)
      report.eph = 6
      // It measures: a speed that is just the way between two positions would be gpsd's.
      report.speed = second < 300 ? 0 : second.isMultiple(of: 2) ? 0.19 : 0.21
      let events = replay.take(.tpv(report))
      if events.contains(where: { $0.transition.kind == .exited }) { return metres - 40 }
    }
    return nil
  }
}
