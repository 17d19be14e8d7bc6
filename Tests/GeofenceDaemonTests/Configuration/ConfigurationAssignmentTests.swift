import GeofenceDaemon
import Geofencing
import Positioning
import Testing

/// `--set Key=Value` of a replay.
struct ConfigurationAssignmentTests {
  @Test func `a key is set, later ones win, and an empty value brings back the default`() throws {
    var configuration = Configuration()
    try configuration.assign("ExitSec=30s")
    try configuration.assign("Confidence=0.9")
    try configuration.assign("ExitSec=1min")
    #expect(configuration.decision.exitTime == .seconds(60))
    #expect(configuration.decision.confidence == 0.9)
    try configuration.assign("ExitSec=")
    #expect(configuration.decision.exitTime == Configuration().decision.exitTime)
    try configuration.assign("DefaultAccuracy=40")
    #expect(configuration.decision.defaultAccuracy == 40)
    #expect(configuration.positioning.defaultAccuracy == 40)
    try configuration.assign("DeviceAccuracyMeaning=tcp://host:5000:68")
    #expect(
      configuration.positioning.deviceAccuracyMeanings == ["tcp://host:5000": .sixtyEight])
  }

  @Test(arguments: [
    ("ExitSec", "wants KEY=VALUE, for example ExitSec=30s, got 'ExitSec'"),
    ("=3", "there is no key '': use one of AccuracyMeaning, "),
    ("Confidense=0.9", "there is no key 'Confidense': did you mean Confidence=?"),
    ("confidence=0.9", "there is no key 'confidence': did you mean Confidence=?"),
    ("Confidence=2", "Confidence= wants a number from 0.5 to 0.9999, got '2'"),
    ("ExitSec=-3s", "ExitSec= wants a time from 0 to 1h, got '-3s'"),
    ("Port=2948", "Port= of [Receiver] has no effect on a recording"),
    ("StaleSec=3s", "StaleSec= of [Receiver] has no effect on a recording"),
    ("LiveConfiguration=fitness", "LiveConfiguration= sets several keys at once; use "),
    ("StateDirectory=/", "StateDirectory= of [Storage] has no effect on a recording"),
  ])
  func `what can't be set is told with the reason`(assignment: String, reason: String) throws {
    var configuration = Configuration()
    let error = try #require(throws: Configuration.AssignmentError.self) {
      try configuration.assign(assignment)
    }
    #expect(error.description.hasPrefix(reason), "\(error)")
    #expect(configuration == Configuration())
  }

  /// Values of which every key accepts at least one that isn't its default.
  private static let values = [
    "1", "2", "17", "0.7", "50", "30s", "20s", "yes", "no", "/elsewhere", "name", "ttyS0:68",
    "5000", "300s", "3600s",
  ]

  @Test func `the keys of a replay are those that change how positions are judged`() {
    for section in ConfigurationSection.all {
      for key in section.keys where key.name != "StaleSec" {
        let judged = Self.values.contains { value in
          var configuration = Configuration()
          guard key.apply(value, to: &configuration) == nil else { return false }
          let standard = Configuration()
          return configuration.decision != standard.decision
            || configuration.positioning != standard.positioning
        }
        let isReplayed = ConfigurationSection.replayedKeys.contains { $0.name == key.name }
        #expect(judged == isReplayed, "\(key.name)")
      }
    }
  }

  /// Keys that only what uses them could tell from others with the same default.
  private static let times: [(String, @Sendable (Configuration) -> Duration)] = [
    ("CheckpointSec", { $0.storage.checkpoint }),
    ("CrossedWithinSec", { $0.decision.crossedWithin }),
    ("GapSec", { $0.decision.gap }),
    ("JumpSec", { $0.positioning.jumpTime }),
    ("JumpSec", { $0.decision.jumpTime }),
    ("ReconnectMaxSec", { $0.receiver.gpsd.longestDelay }),
    ("ReconnectMinSec", { $0.receiver.gpsd.shortestDelay }),
    ("SessionGraceSec", { $0.receiver.sessionGrace }),
    ("SilenceSec", { $0.receiver.gpsd.silence }),
    ("StaleSec", { $0.positioning.staleAfter }),
  ]

  @Test func `each key sets what it is called after, and nothing else`() throws {
    let standard = Configuration()
    for name in Set(Self.times.map(\.0)) {
      let key = try #require(
        ConfigurationSection.all.flatMap(\.keys).first { $0.name == name }, "\(name)")
      var configuration = Configuration()
      #expect(key.apply("7s", to: &configuration) == nil)
      for (other, value) in Self.times {
        #expect(
          value(configuration) == (other == name ? .seconds(7) : value(standard)),
          "\(other) after \(name)")
      }
    }
  }

  @Test(arguments: [
    ("receiver", PauseParameters.Mode.receiver), ("updates", .updates), ("never", .never),
  ])
  func `a receiver pauses as it is told`(word: String, mode: PauseParameters.Mode) throws {
    let key = try #require(
      ConfigurationSection.all.flatMap(\.keys).first { $0.name == "PauseMode" })
    var configuration = Configuration()
    configuration.pause.mode = mode == .never ? .receiver : .never
    #expect(key.apply(word, to: &configuration) == nil)
    #expect(configuration.pause.mode == mode)
  }
}
