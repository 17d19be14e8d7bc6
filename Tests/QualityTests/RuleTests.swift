import GeofenceDaemon
import Geofencing
import TestSupport
import Testing

@testable import QualityBenchmark

@Suite struct RuleTests {
  /// A receiver without errors that goes straight through the middle of a fence of 100 m and away.
  private static func passage() throws -> Journey {
    var truth = Truth(east: -500, north: 0)
    truth.fences = [Truth.Fence(east: 0, north: 0, radius: 100)]
    truth.go(east: 500, north: 0, speed: 10, arriving: 10)
    truth.stand(100)
    var model = ErrorModel()
    model.drift = 0
    model.noise = 0
    model.doppler = 0
    var random = SplitMix64(seed: 1)
    return try Journey(
      truth, model.observe(truth, random: &random), rate: 1, configuration: Configuration())
  }

  @Test func `the legs of a straight way through a circle are those of geometry`() throws {
    let legs = try #require(Self.passage().legs.first)
    #expect(legs.map(\.isInside) == [false, true, false])
    #expect(abs(legs[1].ended - legs[1].began - 20) < 0.3)
    #expect(abs(legs[1].farthest - 100) < 1)
    #expect(legs[0].began == 0)
    // 10 m past the line after a second at 10 m/s.
    let reached = try #require(legs[1].reached)
    #expect(abs(reached - legs[1].began - 1) < 0.2)
  }

  @Test(arguments: Rule.allCases)
  func `every rule tells a clear passage rightly`(rule: Rule) throws {
    let journey = try Self.passage()
    let score = try journey.score(rule, configuration: Configuration()).total
    #expect(score.falseEvents == 0)
    #expect(score.visits == 1)
    #expect(score.missedVisits + score.missedExits == 0)
    #expect(score.delays.count == 2)
    #expect(score.delays.allSatisfy { $0 <= 5.1 })
  }

  @Test func `who knows the truth is late by no more than the time between two reports`() throws {
    let journey = try Self.passage()
    let limit = try journey.score(.limit, configuration: Configuration()).total
    #expect(limit.delays.count == 2 && limit.delays.allSatisfy { $0 <= 1 })
    for rule in Rule.allCases {
      let score = try journey.score(rule, configuration: Configuration()).total
      #expect(zip(score.delays, limit.delays).allSatisfy { $0 >= $1 })
    }
  }

  @Test func `geofenced is given the numbers that were set`() throws {
    let journey = try Self.passage()
    var patient = Configuration()
    patient.decision.exitTime = .seconds(20)
    let quick = try journey.score(.geofenced, configuration: Configuration()).total.delays
    let slow = try journey.score(.geofenced, configuration: patient).total.delays
    #expect(try #require(slow.last) - #require(quick.last) > 15)
  }

  private static func vote(
    _ rule: VotingRule, _ distance: Double, radius: Double = 100, isInside: Bool? = nil
  ) -> Bool? {
    rule.vote(
      VotingRule.Reading(distance: distance, radius: radius, accuracy: 10, isInside: isInside))
  }

  @Test func `the wider exit is a tenth of the radius and at least 20 m`() {
    #expect(Self.vote(.widerExit, -1) == true)
    #expect(Self.vote(.widerExit, 1) == false)
    #expect(Self.vote(.widerExit, 19, isInside: true) == nil)
    #expect(Self.vote(.widerExit, 21, isInside: true) == false)
    #expect(Self.vote(.widerExit, 49, radius: 500, isInside: true) == nil)
    #expect(Self.vote(.widerExit, 51, radius: 500, isInside: true) == false)
  }

  @Test func `the overlap is the share of the accuracy circle`() {
    #expect(abs(VotingRule.shareOfCircle(beyond: 0) - 0.5) < 1e-12)
    #expect(VotingRule.shareOfCircle(beyond: 1) == 0)
    #expect(Self.vote(.accuracyOverlap, -10) == true)
    #expect(Self.vote(.accuracyOverlap, 0) == nil)
    #expect(Self.vote(.accuracyOverlap, 10) == false)
  }

  @Test func `three repeats need three in a row`() throws {
    let journey = try Self.passage()
    let one = VotingRule.pointInCircle.statements(on: journey, defaultAccuracy: 15)[0]
    let three = VotingRule.threeRepeats.statements(on: journey, defaultAccuracy: 15)[0]
    #expect(one.count == 3)
    #expect(one.map(\.isInside) == three.map(\.isInside))
    #expect(zip(three, one).allSatisfy { $0.time - $1.time == 2 })
  }

  @Test func `votes for one side don't count for the other`() throws {
    // In, in, out, and in from then on.
    let journey = try Self.passage()
    let third = journey.distances[2][0]
    let rule = VotingRule(needed: 3) { $0.distance != third }
    let said = rule.statements(on: journey, defaultAccuracy: 15)[0]
    #expect(said.map(\.isInside) == [true])
    #expect(said.first?.time == 5)
  }
}
