import Testing

@testable import QualityBenchmark

/// A scorer that hides false events makes every rule look good: each kind of mistake has to show.
@Suite struct ScoreTests {
  /// Outside for 1,000 s, inside for 100 s, outside again until 3,000 s; each as far as is said.
  private static func truth(depth: Double = 50) -> [Truth.Leg] {
    [leg(false, 0, 1000, 300), leg(true, 1000, 1100, depth), leg(false, 1100, 3000, 300)]
  }

  private static func leg(
    _ isInside: Bool, _ began: Double, _ ended: Double, _ farthest: Double
  ) -> Truth.Leg {
    Truth.Leg(
      isInside: isInside, began: began, ended: ended, farthest: farthest,
      reached: farthest >= Score.depth ? min(began + 2, ended) : nil)
  }

  /// What a rule gets that says inside and outside by turns, beginning with outside.
  private static func score(
    _ times: [Double], beginning isInside: Bool = false, _ legs: [Truth.Leg]
  ) -> Score {
    var statements: [Statement] = []
    for (index, time) in times.enumerated() {
      statements.say((index % 2 == 0) == isInside, at: time)
    }
    var score = Score()
    score.add(statements, against: legs, seconds: legs.last?.ended ?? 0)
    return score
  }

  /// What a rule says, and what is counted: false events, missed visits, missed exits, and delays.
  @Test(
    arguments: [
      ("a visit told as it was", [0, 1002, 1107], 0, 0, 0, [2, 7]),
      ("a flap within a visit", [0, 1002, 1040, 1050, 1107], 2, 0, 0, [2, 7]),
      ("a flap outside", [0, 400, 410, 1002, 1107], 2, 0, 0, [2, 7]),
      ("a flap more than a minute after the visit", [0, 1002, 1107, 1200, 1210], 2, 0, 0, [2, 7]),
      // It has no delay, and makes none smaller.
      ("an exit long before the true one, and nobody comes back", [0, 1002, 1050], 1, 0, 0, [2]),
      ("an entry long before the true one", [0, 900, 1105], 1, 0, 0, [5]),
      // Out too early, in though it is out, and out again, which was known.
      ("a false exit and a false return", [0, 1002, 1050, 1300, 1310], 3, 0, 0, [2]),
      ("events some seconds early, no credit against late ones", [0, 993, 1091], 0, 0, 0, [0, 0]),
      ("a visit that nobody tells", [0], 0, 1, 0, []),
      ("a way out that nobody tells", [0, 1002], 0, 0, 1, [2]),
      // One event stands for both ways, neither of which comes for nothing.
      ("passing through", [0, 1110, 1110], 0, 0, 0, [110, 10]),
      ("passing through where nothing was", [0, 400, 400, 1002, 1107], 2, 0, 0, [2, 7]),
    ] as [(String, [Double], Int, Int, Int, [Double])])
  func `of one visit each mistake is counted`(
    name: String, times: [Double], falseEvents: Int, missedVisits: Int, missedExits: Int,
    delays: [Double]
  ) {
    let score = Self.score(times, Self.truth())
    #expect(score.visits == 1)
    #expect(score.falseEvents == falseEvents)
    #expect(score.missedVisits == missedVisits)
    #expect(score.missedExits == missedExits)
    #expect(score.deepestMiss == (missedVisits > 0 ? 50 : missedExits > 0 ? 300 : 0))
    #expect(score.delays == delays)
  }

  @Test(arguments: 1...20)
  func `so many flaps are twice as many false events`(flaps: Int) {
    var times: [Double] = [0, 1002, 1107]
    for flap in 0..<flaps {
      let began = 2000 + Double(flap) * 20
      times += [began, began + 5]
    }
    let score = Self.score(times, Self.truth())
    #expect(score.falseEvents == 2 * flaps)
  }

  @Test(arguments: [(1159.0, 0, 0), (1161, 1, 1)])
  func `an entry after the visit is late for a minute and then false`(
    time: Double, falseEvents: Int, missed: Int
  ) {
    let score = Self.score([0, time, time], Self.truth())
    #expect(score.missedVisits == missed)
    // The way out that comes with it tells what was known.
    #expect(score.falseEvents == falseEvents * 2)
    if falseEvents == 0 { #expect(score.delays == [159, 59]) }
  }

  @Test func `a visit that isn't deep may be told or not`() {
    let truth = Self.truth(depth: 9)
    for times in [[0], [0, 1002, 1107.0]] {
      let score = Self.score(times, truth)
      #expect(score.falseEvents + score.missedVisits + score.missedExits == 0)
      #expect(score.visits == 0)
      #expect(score.delays.isEmpty)
    }
    // To tell it twice is too much.
    #expect(Self.score([0, 1002, 1030, 1040, 1107], truth).falseEvents == 2)
    // And who was told to be in has to be told to be out.
    #expect(Self.score([0, 1002], truth).missedExits == 1)
  }

  @Test(arguments: [(5.0, 0), (40, 1)])
  func `two visits told as one miss what lies between if it is far enough away`(
    clearance: Double, missed: Int
  ) {
    let legs = [
      Self.leg(false, 0, 1000, 300), Self.leg(true, 1000, 1100, 50),
      Self.leg(false, 1100, 1200, clearance), Self.leg(true, 1200, 1300, 50),
      Self.leg(false, 1300, 3000, 300),
    ]
    let score = Self.score([0, 1002, 1303], legs)
    #expect(score.falseEvents == 0)
    #expect(score.visits == 2)
    #expect(score.missedVisits == 0)
    #expect(score.missedExits == missed)
    let told = Self.score([0, 1002, 1104, 1203, 1303], legs)
    #expect(told.falseEvents + told.missedVisits + told.missedExits == 0)
  }

  @Test func `to be outside for good after a moment outside misses the rest of the visit`() {
    let legs = [
      Self.leg(false, 0, 1000, 300), Self.leg(true, 1000, 1050, 30),
      Self.leg(false, 1050, 1052, 2), Self.leg(true, 1052, 2500, 60),
      Self.leg(false, 2500, 3000, 300),
    ]
    let score = Self.score([0, 1002, 1053], legs)
    #expect(score.falseEvents == 0)
    #expect(score.missedVisits == 1)
    #expect(score.deepestMiss == 60)
  }

  @Test func `a first word that is wrong is false, and what corrects it isn't`() {
    let parked = [Self.leg(true, 0, 3000, 30)]
    #expect(Self.score([0], beginning: true, parked).falseEvents == 0)
    let corrected = Self.score([0, 300], parked)
    #expect(corrected.falseEvents == 1)
    #expect(corrected.missedVisits == 0)
    let never = Self.score([0], parked)
    #expect(never.falseEvents == 1)
    #expect(never.missedVisits == 1)
    // To flap on from there is false as ever.
    #expect(Self.score([0, 300, 400, 500], parked).falseEvents == 3)
  }

  @Test func `to say the same again is nothing new`() {
    var statements: [Statement] = []
    statements.say(false, at: 0)
    statements.say(false, at: 5)
    statements.say(true, at: 10)
    #expect(
      statements == [Statement(time: 0, isInside: false), Statement(time: 10, isInside: true)])
  }

  @Test func `at the end of the track nobody is blamed for having no time left`() {
    let legs = [Self.leg(false, 0, 1000, 300), Self.leg(true, 1000, 1030, 50)]
    let score = Self.score([0], legs)
    #expect(score.visits == 0)
    #expect(score.missedVisits == 0)
    let told = Self.score([0, 1005], legs)
    #expect(told.visits == 1)
  }

  @Test func `percentiles are those of all delays`() {
    var score = Score()
    score.delays = (1...100).map(Double.init)
    #expect(score.delay(at: 0.5) == 50)
    #expect(score.delay(at: 0.95) == 95)
    score.delays = [7]
    #expect(score.delay(at: 0.95) == 7)
    #expect(Score().delay(at: 0.5) == nil)
  }

  @Test func `false events an hour are those an hour on the way, however many fences there are`() {
    var score = Self.score([0, 400, 410, 1002, 1107], Self.truth())
    score.travel(seconds: 1800, fences: 40)
    #expect(score.hours == 0.5)
    #expect(score.fenceHours == 20)
    #expect(score.falseEventsPerHour == 4)
  }
}
