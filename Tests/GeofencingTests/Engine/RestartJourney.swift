import TestSupport
import Testing

@testable import Geofencing

/// Fixes by letters, some of them without an altitude or after a clock was set back.
struct RestartJourney: Sendable, CustomTestStringConvertible {
  let name: String
  let condition: Condition
  var state = ConditionState.unknown
  let fixes: [Location]

  /// What happens, in short.
  let events: [String]
  var bounds: [ClosedRange<Timestamp>?] = []

  /// How long after the last fix the present is.
  var silence = 0.0

  var testDescription: String { name }

  /// Has an engine take all of it, which is replaced before each fix that a closure names.
  func transitions(
    in engine: inout ConditionEngine, restartBefore: (Int) -> Bool
  ) throws -> [Transition] {
    var transitions: [Transition] = []
    for (number, fix) in fixes.enumerated() {
      if restartBefore(number) { engine = try engine.restarted() }
      transitions += engine.process(fix)
    }
    if restartBefore(fixes.count) { engine = try engine.restarted() }
    let last = try #require(fixes.last).timestamp
    return transitions + engine.advance(to: last + .milliseconds(Int64(silence * 1000)))
  }

  /// Fixes given as letters, which begin at a second: see ``ConditionEngine/take(_:from:every:)``.
  private static func fixes(
    _ letters: String, from start: Double = 0, every step: Double = 1, afterJump: Bool = false,
    altitude: Double? = nil
  ) -> [Location] {
    zip(0..., letters).compactMap { index, letter in
      let place: [Character: Double] = ["i": 50, "u": 100, "o": 150, "w": -150]
      guard let metres = place[letter] else { return nil }
      var fix = fix(
        start + Double(index) * step, metres, afterJump: afterJump && index == 0)
      fix.altitude = altitude
      return fix
    }
  }

  static func all() throws -> [RestartJourney] {
    let band = try Condition(
      shape: .circle(CircularGeographicCondition(center: centre, radius: 1000)),
      altitude: AltitudeBand(minimum: nil, maximum: 200))
    func long(_ letter: String, _ count: Int) -> String {
      String(repeating: letter, count: count)
    }
    return [
      RestartJourney(
        name: "a visit that has to last", condition: try circle(enterAfter: .seconds(1200)),
        state: .unsatisfied,
        fixes: fixes("ooo" + long("i", 130) + "uu" + long("i", 130) + "oooo", every: 5),
        events: ["entered satisfied 1215", "exited unsatisfied 1335"], bounds: [nil, nil]),
      RestartJourney(
        name: "an absence that has to last", condition: try circle(exitAfter: .seconds(300)),
        fixes: fixes("iii" + long("o", 40) + "u" + long("o", 30) + "iii", every: 5),
        events: ["determined satisfied 0", "exited unsatisfied 315", "entered satisfied 375"],
        bounds: [nil, nil, nil]),
      RestartJourney(
        name: "an absence that doesn't last", condition: try circle(exitAfter: .seconds(300)),
        fixes: fixes("iii" + long("o", 40) + "iii" + long("o", 59), every: 5),
        events: ["determined satisfied 0"]),
      RestartJourney(
        name: "a garage, and a short gap", condition: try circle(),
        fixes: fixes("iiiuuuu") + fixes("uuooooo", from: 300),
        events: ["determined satisfied 0", "exited unsatisfied 305"],
        bounds: [nil, at(2)...at(302)]),
      RestartJourney(
        name: "a garage, and a silence", condition: try circle(),
        fixes: fixes("iiiuuuu") + fixes("ooooo", from: 2000),
        events: [
          "determined satisfied 0", "undetermined unknown 606", "exited unsatisfied 2003",
        ], bounds: [nil, nil, at(2)...at(2000)]),
      RestartJourney(
        name: "assumed inside, and a silence", condition: try circle(), state: .satisfied,
        fixes: fixes("iiiuuuu"), events: ["undetermined unknown 606"], silence: 700),
      RestartJourney(
        name: "coming near, and a gap", condition: try circle(),
        fixes: fixes("ooouu") + fixes("uiiii", from: 300),
        events: ["determined unsatisfied 0", "entered satisfied 302"],
        bounds: [nil, at(2)...at(301)]),
      RestartJourney(
        name: "an exit that a gap interrupts", condition: try circle(),
        fixes: fixes("iiiuuoo") + fixes("uooo", from: 200),
        events: ["determined satisfied 0", "exited unsatisfied 201"],
        bounds: [nil, at(2)...at(5)]),
      RestartJourney(
        name: "pairs of fixes after silences", condition: try circle(),
        fixes: fixes("iii") + fixes("uo", from: 900) + fixes("uo", from: 1800)
          + fixes("uo", from: 2700),
        events: ["determined satisfied 0", "undetermined unknown 602", "exited unsatisfied 2701"],
        bounds: [nil, nil, at(2)...at(901)]),
      RestartJourney(
        name: "a stray fix long ago", condition: try circle(),
        fixes: fixes("io" + long("u", 300), every: 5) + fixes("oooo", from: 1600),
        events: ["determined satisfied 0", "exited unsatisfied 1603"],
        bounds: [nil, at(0)...at(1600)]),
      RestartJourney(
        name: "a way that led through", condition: try circle(),
        fixes: fixes("www") + [fix(3, -101), fix(13, 150)],
        events: ["determined unsatisfied 0", "crossed unsatisfied 13"],
        bounds: [nil, at(2)...at(13)]),
      RestartJourney(
        name: "a way that led around", condition: try circle(),
        fixes: [
          report(0, east: -200, north: -800, speed: 20, course: 0),
          report(40, east: -200, speed: 20, course: 0),
          report(80, east: 400, speed: 20, course: 90),
        ],
        events: ["determined unsatisfied 0"]),
      RestartJourney(
        name: "a way through with a fix inside", condition: try circle(),
        fixes: fixes("wwwiuo"),
        events: ["determined unsatisfied 0", "crossed unsatisfied 5"],
        bounds: [nil, at(2)...at(5)]),
      RestartJourney(
        name: "fixes without the altitude that is asked for", condition: band,
        fixes: fixes("iii", altitude: 50) + fixes(long("i", 30), from: 3)
          + fixes("iiii", from: 33, altitude: 500),
        events: ["determined satisfied 0", "exited unsatisfied 36"],
        bounds: [nil, at(2)...at(33)]),
      RestartJourney(
        name: "no altitude for too long", condition: band,
        fixes: fixes("iii", altitude: 50) + fixes(long("i", 80), from: 3, every: 10),
        events: ["determined satisfied 0", "undetermined unknown 602"]),
      RestartJourney(
        name: "no altitude by the end", condition: band,
        fixes: fixes("iii", altitude: 50) + fixes(long("i", 20), from: 3),
        events: ["determined satisfied 0", "undetermined unknown 602"], silence: 590),
      RestartJourney(
        name: "a clock that was set back", condition: try circle(),
        fixes: fixes("iiiu", from: 5000) + fixes("iiuuu", from: 100, afterJump: true)
          + fixes("oooo", from: 300),
        events: ["determined satisfied 5000", "exited unsatisfied 303"],
        bounds: [nil, at(101)...at(300)]),
      RestartJourney(
        name: "a clock that is set back in the middle of a change",
        condition: try circle(exitAfter: .seconds(60)),
        fixes: fixes("iiioo", from: 5000)
          + fixes("oo" + long("o", 60), from: 100, afterJump: true),
        events: ["determined satisfied 5000", "exited unsatisfied 160"],
        bounds: [nil, at(100)...at(5002)]),
    ]
  }
}
