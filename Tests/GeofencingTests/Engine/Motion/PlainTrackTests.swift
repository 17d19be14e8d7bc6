import Geofencing
import Glibc
import TestSupport
import Testing

@Suite("Fixes without a speed") struct PlainTrackTests {
  /// The engine with a circle of 100 m that it is in the middle of.
  private func parked(at origin: Coordinate = centre) throws -> ConditionEngine {
    var engine = engine(try circle(around: origin), parameters: DecisionParameters())
    let told = engine.judge(seconds(0, 60).map { plain($0, from: origin) })
    #expect(told.transitions.map(\.short) == ["determined satisfied 0"])
    #expect(told.refused == [])
    return engine
  }

  private func plain(
    _ seconds: Double, east: Double = 0, north: Double = 0, accuracy: Double? = 5,
    from origin: Coordinate = centre
  ) -> Location {
    report(seconds, east: east, north: north, speed: nil, accuracy: accuracy, from: origin)
  }

  @Test(
    "are refused where they jump, until they come back",
    arguments: [(47.0, 8.5), (10, 180), (89.9999, 30), (-84, -120)])
  func reflection(_ latitude: Double, _ longitude: Double) throws {
    let origin = try #require(Coordinate(latitude: latitude, longitude: longitude))
    var engine = try parked(at: origin)
    let aside = seconds(60, 80)
    let told = engine.judge(
      aside.map { plain($0, east: 150, north: -60, from: origin) }
        + seconds(80, 120).map { plain($0, east: 3, from: origin) })
    #expect(told.transitions == [])
    #expect(told.refused == aside)
  }

  @Test("are believed where they have stayed for as long as no reflection lasts")
  func move() throws {
    var engine = try parked()
    let told = engine.judge(seconds(60, 120).map { plain($0, east: 150) })
    #expect(told.refused == seconds(60, 90))
    #expect(told.transitions.map(\.short) == ["exited unsatisfied 93"])
    #expect(told.transitions.first?.bounds == at(59)...at(90))
  }

  @Test("are believed as soon where two receivers tell of the same moment")
  func moment() throws {
    var engine = try parked()
    let told = engine.judge(
      seconds(60, 120).flatMap { time in
        [plain(time, east: 150)] + (time == 75 ? [plain(time, east: 153)] : [])
      })
    #expect(told.refused == (seconds(60, 90) + [75]).sorted())
    #expect(told.transitions.map(\.short) == ["exited unsatisfied 93"])
  }

  @Test("that jump elsewhere in between begin anew")
  func two() throws {
    var engine = try parked()
    let told = engine.judge(
      seconds(60, 62).map { plain($0, east: 150) } + seconds(62, 91).map { plain($0, east: -170) }
        + seconds(91, 95).map { plain($0) })
    #expect(told.transitions == [])
    #expect(told.refused == seconds(60, 91))
  }

  @Test("follow what sets off, turns and stops hard", arguments: [1.0, 0.2, 3, 8])
  func drive(interval: Double) throws {
    var engine = try parked()
    var fixes: [Location] = []
    var (east, north, speed, course) = (0.0, 0.0, 0.0, 0.0)
    // 6 m/s² up to 40 m/s, a turn with 8 m/s², and a stop with 10.
    for step in 0..<400 {
      let time = 60 + Double(step) * 0.1
      if step > 0 {
        switch step {
        case ..<67: speed += 0.6
        case 200..<280: course += 8 / speed * 0.1
        case 320...: speed = max(speed - 1, 0)
        default: break
        }
        east += speed * sin(course) * 0.1
        north += speed * cos(course) * 0.1
      }
      if step % Int(interval * 10) == 0 { fixes.append(plain(time, east: east, north: north)) }
    }
    let told = engine.judge(fixes)
    #expect(told.refused == [])
    #expect(told.transitions.map(\.kind) == [.exited])
  }

  @Test("come back to what has gone on meanwhile")
  func reflectionUnderWay() throws {
    var engine = try parked()
    let aside = seconds(90, 105)
    let told = engine.judge(
      seconds(60, 130).map { time in
        plain(time, east: max(time - 65, 0) * 15, north: aside.contains(time) ? 90 : 0)
      })
    #expect(told.refused == aside)
    #expect(told.transitions.map(\.kind) == [.exited])
  }

  @Test("may be anywhere after a while, or as far as they are inaccurate")
  func possible() throws {
    var engine = try parked()
    #expect(engine.judge(plain(60, east: 60, accuracy: 50)) != nil)
    #expect(engine.judge(plain(61, east: 0, accuracy: 50)) != nil)
    #expect(engine.judge(plain(69, east: 700)) != nil)
    #expect(engine.judge(plain(70, east: 900)) == nil)
  }

  @Test("go on where a position was told several times", arguments: 1...5)
  func held(times: Int) throws {
    var engine = try parked()
    let told = engine.judge(
      seconds(60, 160).map { time in
        let held = Double(times)
        let seen = time >= 80 && time <= 80 + held ? 80 : time
        return plain(time, east: max(seen - 65, 0) * 20)
      })
    #expect(told.refused == [])
    #expect(told.transitions.map(\.kind) == [.exited])
  }

  @Test(
    "that were late and then went on are a way through what lies on it, also in a wide bend",
    arguments: [0, 1 / 7_000.0])
  func travelled(curvature: Double) throws {
    var engine = try parked()
    let key = ConditionKey(monitor: monitor, identifier: "on the way")
    _ = engine.add(
      try circle(around: centre.moved(by: 600, bearing: 90)), as: key, at: at(60))
    let told = engine.judge(
      seconds(60, 120).map { time in
        let way = time < 70 ? 0 : (time - 65) * 25
        return plain(time, east: way, north: way * way * curvature / 2)
      })
    #expect(told.refused == seconds(70, 100))
    #expect(
      told.transitions.filter { $0.key == key }.map(\.kind) == [.determined, .crossed])
  }

  @Test("that were late and then went around something are no way through it", arguments: [1, -1])
  func around(side: Double) throws {
    var engine = try parked()
    let middle = centre.moved(by: 200, bearing: 90)
    let key = ConditionKey(monitor: monitor, identifier: "in the middle")
    _ = engine.add(try circle(57, around: middle), as: key, at: at(60))
    let told = engine.judge(
      seconds(60, 105).map { time in
        let angle = min(max(time - 61, 0) * 0.1, .pi)
        let beyond = max(time - 61 - .pi / 0.1, 0) * 12
        return time == 60
          ? plain(time)
          : plain(
            time, east: 200 - 117 * cos(angle) + beyond, north: side * 117 * sin(angle))
      })
    #expect(told.refused == seconds(61, 91))
    #expect(told.transitions.filter { $0.key == key }.map(\.kind) == [.determined])
  }

  @Test("aren't refused for noise that they say they have", arguments: [5.0, 8])
  func noise(deviation: Double) throws {
    var engine = try parked()
    var random = SplitMix64(seed: 7)
    let told = engine.judge(
      seconds(60, 1000).map { time in
        plain(
          time, east: (time - 60) * 14 + deviation * random.normal(),
          north: deviation * random.normal(), accuracy: 1.51 * deviation)
      })
    #expect(told.refused.count < 10)
    #expect(told.transitions.map(\.kind) == [.exited])
  }

  @Test("cross a pole as straight as anything else")
  func pole() throws {
    let pole = try #require(Coordinate(latitude: 90, longitude: 0))
    var engine = ConditionEngine()
    let told = engine.judge(
      seconds(0, 60).map { time in
        let way = (time - 30) * 250
        return Location(
          timestamp: at(time), coordinate: pole.moved(by: abs(way), bearing: way < 0 ? 40 : -140),
          horizontalAccuracy: 5)
      })
    #expect(told.refused == [])
  }

  @Test("after a restart are judged as without", arguments: [60, 70, 79, 80, 95])
  func restart(_ second: Double) throws {
    let fixes =
      seconds(60, 80).map { plain($0, east: 150) } + seconds(80, 90).map { plain($0) }
      + seconds(90, 140).map { plain($0, north: 200) }
    var whole = try parked()
    var first = whole
    let expected = whole.judge(fixes)
    let before = first.judge(fixes.filter { $0.timestamp < at(second) })
    var next = try first.restarted()
    let after = next.judge(fixes.filter { $0.timestamp >= at(second) })
    #expect(before.transitions + after.transitions == expected.transitions)
    #expect(before.refused + after.refused == expected.refused)
  }

  @Test("are believed elsewhere by three of them at least, however rare they are")
  func rare() throws {
    var engine = try parked()
    let told = engine.judge([60.0, 91, 92, 93].map { plain($0, east: 150) })
    #expect(told.refused == [60, 91])
  }

  @Test("that jump to the same place again have nothing to do with those before")
  func again() throws {
    var engine = try parked()
    let aside = [seconds(60, 65), seconds(109, 111)]
    let told = engine.judge(
      (aside.joined() + seconds(69, 109) + seconds(111, 115)).sorted().map { time in
        plain(time, east: aside.contains { $0.contains(time) } ? 150 : 0)
      })
    #expect(told.transitions == [])
    #expect(told.refused == Array(aside.joined()))
  }

  @Test("of a position that was told for half a minute don't go on as before")
  func stopped() throws {
    var engine = try parked()
    let told = engine.judge(
      seconds(60, 115).map { time in
        plain(time, east: (min(time, 80) - 60) * 20 + (time == 110 ? 500 : 0))
      })
    #expect(told.refused == [110])
  }
}
