import Geofencing
import JSONCoding
import TestSupport
import Testing

@testable import GeofenceCommands

/// How the events of two replays are told apart.
struct ReplayDifferenceTests {
  private func state(after kind: EventKind) -> ConditionState {
    switch kind {
    case .entered, .determined: .satisfied
    case .exited, .crossed: .unsatisfied
    case .undetermined: .unknown
    case .unmonitored: .unmonitored
    }
  }

  private func events(
    _ list: [(kind: EventKind, seconds: Double)], of identifier: String = "home",
    state: ConditionState? = nil
  ) -> [Event] {
    let key = ConditionKey(
      monitor: MonitorKey(user: 0, name: "default"), identifier: identifier)
    return zip(1..., list).map { number, entry in
      Event(
        sequence: number, log: nil, recorded: nil,
        transition: Transition(
          key: key, kind: entry.kind, state: state ?? self.state(after: entry.kind),
          previousState: .unknown, date: at(entry.seconds)))
    }
  }

  private func short(_ difference: ReplayDifference) -> [String] {
    difference.entries.map { entry in
      let event = entry.before ?? entry.after
      let shift = entry.shift.map { " \($0)" } ?? ""
      return "\(entry.change.rawValue) \(event?.transition.kind.rawValue ?? "-")\(shift)"
    }
  }

  @Test func `the same events are no difference`() {
    let list = events([(.entered, 10), (.exited, 50)])
    let difference = ReplayDifference(from: list, to: list)
    #expect(difference.isEmpty)
    #expect(difference.same == 2)
    #expect(difference.summary == "2 events in both; 0 only before, 0 only after")
    #expect(ReplayText.lines(difference, changed: "--diff-set ExitSec=4") == "")
  }

  @Test func `a false alarm that is spared is removed, and the true events stay`() {
    let before = events([
      (.entered, 10), (.exited, 1000), (.entered, 1009), (.exited, 5000),
    ])
    let after = events([(.entered, 10), (.exited, 5000)])
    let difference = ReplayDifference(from: before, to: after)
    #expect(short(difference) == ["removed exited", "removed entered"])
    #expect(difference.same == 2)
    #expect(difference.summary == "2 events in both; 2 only before, 0 only after")
    let back = ReplayDifference(from: after, to: before)
    #expect(short(back) == ["added exited", "added entered"])
  }

  @Test func `an event at another time has moved, up to an hour`() {
    let difference = ReplayDifference(
      from: events([(.entered, 10), (.exited, 5000)]),
      to: events([(.entered, 12.5), (.exited, 8600)]))
    #expect(short(difference) == ["moved entered 2.5", "moved exited 3600.0"])
    let far = ReplayDifference(
      from: events([(.exited, 5000)]), to: events([(.exited, 8600.001)]))
    #expect(short(far) == ["removed exited", "added exited"])
  }

  @Test func `what was found inside and is found outside is a difference`() {
    let before = events([(.determined, 10)], state: .satisfied)
    let after = events([(.determined, 10)], state: .unsatisfied)
    let difference = ReplayDifference(from: before, to: after)
    #expect(short(difference) == ["removed determined", "added determined"])
    #expect(difference.summary == "0 events in both; 1 only before, 1 only after")
  }

  @Test func `each event is matched with the nearest`() {
    let before = events([(.entered, 100), (.entered, 1000), (.entered, 2000)])
    let after = events([(.entered, 1004)])
    #expect(
      short(ReplayDifference(from: before, to: after))
        == ["removed entered", "moved entered 4.0", "removed entered"])
    #expect(
      short(ReplayDifference(from: after, to: before))
        == ["added entered", "moved entered -4.0", "added entered"])
  }

  @Test func `events of other conditions are never the same`() {
    let difference = ReplayDifference(
      from: events([(.entered, 10)]), to: events([(.entered, 10)], of: "work"))
    #expect(short(difference) == ["removed entered", "added entered"])
  }

  @Test func `another kind that leads to the same state has moved`() {
    let difference = ReplayDifference(
      from: events([(.determined, 10)]), to: events([(.entered, 14)]))
    #expect(short(difference) == ["moved determined 4.0"])
    #expect(
      ReplayText.lines(difference, changed: "x").contains(
        "-> entered, 2026-01-01T00:00:14.000Z (+4 s)"))
    // Passing through changes no state, so it can't have become an exit.
    let crossed = ReplayDifference(from: events([(.crossed, 10)]), to: events([(.exited, 10)]))
    #expect(short(crossed) == ["removed crossed", "added exited"])
  }

  @Test func `other bounds are a difference too`() {
    let before = events([(.entered, 10)])
    var transition = before[0].transition
    transition.bounds = at(5)...at(10)
    let after = [Event(sequence: 1, log: nil, recorded: nil, transition: transition)]
    let difference = ReplayDifference(from: before, to: after)
    #expect(short(difference) == ["moved entered 0.0"])
    #expect(
      ReplayText.lines(difference, changed: "x").hasSuffix(
        "-> between 2026-01-01T00:00:05.000Z and 2026-01-01T00:00:10.000Z\n"))
  }

  @Test func `the lines for people are these`() {
    let difference = ReplayDifference(
      from: events([(.entered, 10), (.exited, 100), (.entered, 109), (.exited, 500)]),
      to: events([(.entered, 11), (.exited, 520), (.crossed, 700)]))
    #expect(
      ReplayText.lines(difference, changed: "--diff-set ExitSec=20s") == """
        --- before
        +++ after: --diff-set ExitSec=20s
        ~2026-01-01T00:00:10.000Z  #1     entered       default/home  -> 2026-01-01T00:00:11.000Z (+1 s)
        -2026-01-01T00:01:40.000Z  #2     exited        default/home
        -2026-01-01T00:01:49.000Z  #3     entered       default/home
        ~2026-01-01T00:08:20.000Z  #4     exited        default/home  -> 2026-01-01T00:08:40.000Z (+20 s)
        +2026-01-01T00:11:40.000Z  #3     crossed       default/home

        """)
    #expect(
      difference.summary
        == "2 events in both, 2 of them moved, by +20 s in the median; 2 only before, 1 only after")
  }

  @Test func `the JSON for programs is this`() throws {
    let difference = ReplayDifference(
      from: events([(.entered, 10)]), to: events([(.entered, 11), (.crossed, 5000)]))
    func event(_ time: String, _ kind: String, _ number: Int, _ state: String) -> String {
      """
      {"date":"2026-01-01T\(time)","identifier":"home","kind":"\(kind)","monitor":"default",\
      "previousState":"unknown","sequence":\(number),"state":"\(state)"}
      """
    }
    let moved = [
      event("00:00:11.000Z", "entered", 1, "satisfied"),
      event("00:00:10.000Z", "entered", 1, "satisfied"),
    ]
    let crossed = event("01:23:20.000Z", "crossed", 2, "unsatisfied")
    let lines = try difference.entries.map { try CanonicalJSON.text($0) }
    let expected: [String] = [
      #"{"after":\#(moved[0]),"before":\#(moved[1]),"change":"moved","shift":1}"#,
      #"{"after":\#(crossed),"change":"added"}"#,
    ]
    #expect(lines == expected)
  }

  @Test(arguments: [
    (0.0, "+0 s"), (2.5, "+2.5 s"), (-0.05, "-0.05 s"), (3600, "+3600 s"), (-12.0004, "-12 s"),
    (0.001, "+0.001 s"),
  ])
  func `seconds are written with a sign and without needless digits`(
    seconds: Double, text: String
  ) {
    #expect(Quantity.shift(seconds) == text)
  }

  @Test func `what came much later before is not what comes early now`() {
    let difference = ReplayDifference(
      from: events([(.entered, 50_000)]), to: events([(.entered, 10)]))
    #expect(short(difference) == ["added entered", "removed entered"])
    #expect(difference.summary == "0 events in both; 1 only before, 1 only after")
  }

  @Test func `the difference doesn't depend on the order of hashing`() {
    let names = (1...40).map { "place-\($0)" }
    let before = names.flatMap { events([(.entered, 10), (.exited, 60)], of: $0) }
    let after = names.flatMap { events([(.determined, 10), (.exited, 61)], of: $0) }
    let text = ReplayText.lines(ReplayDifference(from: before, to: after), changed: "x")
    var random = SplitMix64(seed: 1)
    for _ in 0..<20 {
      let again = ReplayDifference(
        from: before.shuffled(using: &random), to: after.shuffled(using: &random))
      #expect(ReplayText.lines(again, changed: "x") == text)
    }
    #expect(text.split(separator: "\n").count == 82)
  }
}
