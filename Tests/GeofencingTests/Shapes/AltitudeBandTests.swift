import Geofencing
import TestSupport
import Testing

/// A fix so many metres east of the centre, at an altitude.
private func high(
  _ seconds: Double, _ metres: Double, altitude: Double?, accuracy: Double? = 3, mode: Int = 3
) -> Location {
  var location = fix(seconds, metres)
  location.altitude = altitude
  location.verticalAccuracy = accuracy
  location.mode = mode
  return location
}

@Suite struct `A band of altitudes` {
  private func band(
    _ minimum: Double?, _ maximum: Double?, above reference: AltitudeBand.Reference = .meanSeaLevel
  ) throws -> Condition {
    try circle(altitude: AltitudeBand(minimum: minimum, maximum: maximum, reference: reference))
  }

  @Test func `is entered from below and left through the top`() throws {
    var engine = engine(try band(500, 600))
    let told = [400.0, 480, 495, 510, 520, 550, 590, 605, 620, 625, 630, 640].enumerated()
      .flatMap { engine.process(high(Double($0), 0, altitude: $1)) }
    // σ is 3.6 m: inside is from 507.4 m up to 592.6 m.
    #expect(
      told.map(\.short) == [
        "determined unsatisfied 0", "entered satisfied 4", "exited unsatisfied 11",
      ])
    #expect(abs(try #require(told[1].distance) + 20) < 1e-6)
    #expect(told[1].location?.altitude == 520)
  }

  @Test func `is measured from the ellipsoid where it says so`() throws {
    var location = high(0, 0, altitude: 470)
    location.ellipsoidalAltitude = 520
    var sea = engine(try band(500, 600))
    var ellipsoid = engine(try band(500, 600, above: .ellipsoid))
    #expect(sea.process(location).map(\.state) == [.unsatisfied])
    #expect(ellipsoid.process(location).map(\.state) == [.satisfied])
  }

  @Test(arguments: [
    (50.0, 550.0, -50.0), (95, 550, -5), (50, 503, -3), (50, 480, 20), (140, 550, 40),
    (130, 460, 50),
  ])
  func `is as far as the nearer of the two, or both together`(
    east: Double, altitude: Double, distance: Double
  ) throws {
    let judgement = Judgement(
      of: high(0, east, altitude: altitude), against: try band(500, 600),
      with: DecisionParameters.leaping)
    #expect(abs(judgement.distance - distance) < 1e-6)
  }

  @Test(arguments: [1e300, -1e300, .greatestFiniteMagnitude, .infinity, .nan])
  func `is never infinitely far`(altitude: Double) throws {
    var engine = engine(try band(500, 600))
    let told = (0..<4).flatMap { engine.process(high(Double($0), 140, altitude: altitude)) }
    #expect(told.map(\.state) == [.unsatisfied])
    #expect(try #require(told.first?.distance).isFinite)
  }

  @Test func `has the probability of both`() throws {
    let judgement = Judgement(
      of: high(0, 97, altitude: 503, accuracy: 5), against: try band(500, nil),
      with: DecisionParameters.leaping)
    // Φ(3/3) · Φ(3/6)
    #expect(abs(judgement.probability - 0.841345 * 0.691462) < 1e-5)
    #expect(judgement.altitude?.sigma == 6)
  }

  @Test(arguments: [nil, 0, -1, .nan, .infinity] as [Double?])
  func `takes the default where an altitude has no accuracy`(accuracy: Double?) throws {
    var parameters = DecisionParameters.leaping
    parameters.defaultVerticalAccuracy = 40
    let judgement = Judgement(
      of: high(0, 0, altitude: 510, accuracy: accuracy), against: try band(500, 600),
      with: parameters)
    #expect(judgement.altitude?.sigma == 48)
  }

  @Test func `that is lower than the altitude is sure limits the condition`() throws {
    var engine = engine(try band(500, 510))
    #expect(engine.process(high(0, 0, altitude: 505)) == [])
    #expect(engine[home]?.status.isAccuracyLimited == true)
    // In its very middle it isn't outside either.
    #expect(engine.explanation(of: home)?.outcome == .undecided)
  }

  @Test(arguments: [(nil, 3), (505.0, 2)] as [(Double?, Int)])
  func `can't be judged without an altitude, but for who is outside anyway`(
    altitude: Double?, mode: Int
  ) throws {
    var engine = engine(try band(500, 600))
    func flat(_ seconds: Double, _ metres: Double) -> Location {
      high(seconds, metres, altitude: altitude, mode: mode)
    }
    #expect(engine.process(flat(0, 0)) == [])
    #expect(engine.process(flat(1, 500)).map(\.short) == ["determined unsatisfied 1"])
    #expect((2..<50).flatMap { engine.process(flat(Double($0), 0)) } == [])
    let evidence = try #require(engine.explanation(of: home)?.evidence.last)
    #expect(evidence.verdict == .undecided)
    #expect(evidence.altitude == nil && evidence.verticalSigma == nil)
  }

  @Test func `becomes unknown when no altitude comes for too long, and is found again`() throws {
    var engine = engine(try band(500, 600))
    var told = (0..<5).flatMap { engine.process(high(Double($0), 0, altitude: 550)) }
    told += (5..<900).flatMap { engine.process(high(Double($0), 0, altitude: nil, mode: 2)) }
    told += engine.process(high(900, 0, altitude: 550))
    #expect(
      told.map(\.short) == [
        "determined satisfied 0", "undetermined unknown 604", "determined satisfied 900",
      ])
  }

  @Test(arguments: [(9, nil), (10, nil), (11, 4), (300, 4)] as [(Int, Double?)])
  func `a change that is found after a time without altitudes has bounds`(
    seconds: Int, from: Double?
  ) throws {
    var engine = engine(try band(500, 600))
    for second in 0..<5 { _ = engine.process(high(Double(second), 0, altitude: 550)) }
    let found = 4 + seconds
    for second in 5..<found {
      #expect(engine.process(high(Double(second), 0, altitude: nil, mode: 2)) == [])
    }
    let told = (found..<found + 5).flatMap { engine.process(high(Double($0), 0, altitude: 700)) }
    #expect(told.map(\.short) == ["exited unsatisfied \(found + 3)"])
    #expect(told.first?.bounds == from.map { at($0)...at(Double(found)) })
  }

  @Test(arguments: [20, 700])
  func `bounds begin with the last sure fix before altitudes were lacking`(seconds: Int) throws {
    var engine = engine(try band(500, 600))
    for second in 0..<5 { _ = engine.process(high(Double(second), 0, altitude: 550)) }
    // Too close to the top to say.
    for second in 5..<9 { _ = engine.process(high(Double(second), 0, altitude: 600)) }
    let found = 9 + seconds
    for second in 9..<found { _ = engine.process(high(Double(second), 0, altitude: nil, mode: 2)) }
    let told = (found..<found + 5).flatMap { engine.process(high(Double($0), 0, altitude: 700)) }
    #expect(told.map(\.short) == ["exited unsatisfied \(found + 3)"])
    #expect(told.first?.bounds == at(4)...at(Double(found)))
  }

  @Test func `is still known where altitudes were lacking for a time and nothing has changed`()
    throws
  {
    var engine = engine(try band(500, 600))
    for second in 0..<5 { _ = engine.process(high(Double(second), 0, altitude: 550)) }
    for second in 5..<100 {
      _ = engine.process(high(Double(second), 0, altitude: nil, mode: 2))
    }
    for second in 100..<105 {
      #expect(engine.process(high(Double(second), 0, altitude: 550)) == [])
    }
    let told = (105..<110).flatMap { engine.process(high(Double($0), 0, altitude: 700)) }
    #expect(told.map(\.short) == ["exited unsatisfied 108"])
    #expect(told.first?.bounds == nil)
  }

  /// At the line it can't be told without an altitude, and beside it that takes none.
  @Test func `stays known beside it, however long altitudes are lacking`() throws {
    var engine = engine(try band(500, 600))
    let metres = [200.0, 100] + Array(repeating: 200, count: 700)
    let told = zip(0..., metres).flatMap { engine.process(high(Double($0), $1, altitude: nil)) }
    #expect(told.map(\.short) == ["determined unsatisfied 0"])
  }

  @Test(arguments: [true, false])
  func `becomes unknown without altitudes on a clock that was set back too`(
    lackedBefore: Bool
  ) throws {
    var engine = engine(try band(500, 600))
    _ = engine.process(high(1e9, 0, altitude: 550))
    if lackedBefore { _ = engine.process(high(1e9 + 1, 0, altitude: nil, mode: 2)) }
    var jump = high(100, 0, altitude: nil, mode: 2)
    jump.followsDiscontinuity = true
    #expect(engine.process(jump) == [])
    #expect(engine.advance(to: at(701)).map(\.short) == ["undetermined unknown 700"])
  }

  @Test func `is crossed by who climbs through it`() throws {
    var engine = engine(try band(500, 600))
    _ = engine.process(high(0, 0, altitude: 300))
    #expect(engine.process(high(5, 20, altitude: 900)).map(\.kind) == [.crossed])
    var above = GeofencingTests.engine(try band(500, 600))
    _ = above.process(high(0, -300, altitude: 700))
    #expect(above.process(high(5, 300, altitude: 900)) == [])
    #expect(above.process(high(10, -300, altitude: nil)) == [])
  }

  @Test func `is in the explanation`() throws {
    var engine = engine(try band(500, 600))
    _ = engine.process(high(0, 0, altitude: 550.12345))
    let evidence = try #require(engine.explanation(of: home)?.rounded.evidence.last)
    #expect(evidence.altitude == 550.123)
    #expect(evidence.verticalSigma == 3.6)
  }

  @Test func `what was added after the last altitude has the full time`() throws {
    var engine = ConditionEngine(parameters: .leaping)
    _ = engine.process(high(0, 0, altitude: 550))
    _ = engine.add(
      try band(500, 600), as: home, assuming: .satisfied, at: at(60), fixTime: at(60))
    for second in 61..<70 { _ = engine.process(high(Double(second), 0, altitude: nil)) }
    #expect(engine.advance(to: at(700)).map(\.short) == ["undetermined unknown 660"])
  }

  @Test func `may have been told of by fixes that are lost, though those before said no altitude`()
    throws
  {
    var before = engine(try band(500, 600))
    for second in 0...100 {
      _ = before.process(high(Double(second), 0, altitude: second < 2 ? 550 : nil))
    }
    let status = try #require(before[home]?.status)
    for (lost, forgotten) in [(nil, 601), (Duration.seconds(60), 760)] {
      var engine = ConditionEngine(parameters: .leaping)
      engine.restore(lastFix: before.lastFix, lost: lost)
      engine.restore(try band(500, 600), as: home, status: status)
      #expect(engine.advance(to: at(2000)).map(\.short) == ["undetermined unknown \(forgotten)"])
    }
  }
}
