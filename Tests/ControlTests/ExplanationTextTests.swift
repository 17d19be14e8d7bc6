import ControlInterface
import Geofencing
import JSONCoding
import Testing

@testable import GeofenceCommands

/// How explanations read.
@Suite struct ExplanationTextTests {
  private func event(
    _ kind: EventKind, _ state: ConditionState, from previous: ConditionState,
    _ change: (inout Transition) -> Void = { _ in }
  ) throws -> Event {
    var transition = Transition(
      key: ConditionKey(monitor: MonitorKey(user: 1000, name: "default"), identifier: "home"),
      kind: kind, state: state, previousState: previous,
      date: try #require(Timestamp(rfc3339: "2026-05-01T08:00:09Z")))
    // Who was seen to come leaves with a visit.
    if kind == .exited { transition.visit = Visit(of: "home", began: transition.date) }
    change(&transition)
    return Event(sequence: 4, log: "log", recorded: transition.date, transition: transition)
  }

  /// An explanation as a program would be given it.
  private func explanation(_ fields: String, evidence: [String]) throws -> Explanation {
    try CanonicalJSON.decode(
      Explanation.self,
      from: """
        {"confidence": 0.98, "unknownAfterSeconds": 600, "isAccuracyLimited": false,
         "evidence": [\(evidence.joined(separator: ","))], \(fields)}
        """.utf8)
  }

  private func judged(
    _ second: Int, _ distance: Double, _ probability: Double, _ verdict: String,
    accuracy: Double? = 4.53, sigma: Double = 4.5
  ) -> String {
    let reported = accuracy.map { "\"horizontalAccuracy\": \($0)," } ?? ""
    return """
      {"timestamp": "2026-05-01T08:00:0\(second).000Z", "latitude": 48.2, "longitude": 16.3,
       \(reported) "distance": \(distance), "sigma": \(sigma), "probability": \(probability),
       "verdict": "\(verdict)"}
      """
  }

  private func refused(_ second: Int, _ code: String, count: Int? = nil) -> String {
    let count = count.map { ", \"count\": \($0)" } ?? ""
    return """
      {"timestamp": "2026-05-01T08:00:0\(second).000Z", "rejection": "\(code)"\(count)}
      """
  }

  private func record(_ state: ConditionState, radius: Double = 100) throws -> MonitorRecord {
    MonitorRecord(
      key: ConditionKey(monitor: MonitorKey(user: 1000, name: "default"), identifier: "home"),
      condition: try Condition(
        shape: .circle(
          CircularGeographicCondition(
            center: Coordinate(validLatitude: 48.2, longitude: 16.3), radius: radius))),
      status: ConditionStatus(assuming: state, watchedSince: nil),
      added: Timestamp(nanoseconds: 0), lastEvent: nil)
  }

  // MARK: Events

  @Test func `an exit tells the fixes, the thresholds and what confirmed it`() throws {
    let explanation = try explanation(
      """
      "outcome": "decided", "state": "unsatisfied", "previousState": "satisfied",
      "candidate": "unsatisfied", "fixes": 3, "fixesNeeded": 3, "seconds": 4, "secondsNeeded": 3
      """,
      evidence: [
        judged(3, -138.4, 1, "inside"), judged(4, -4.06, 0.816, "undecided"),
        judged(5, 9.97, 0.0134, "outside", accuracy: nil), refused(6, "noFix"),
        refused(8, "noFix", count: 2), judged(8, 24, 0.00001, "outside"),
        refused(8, "impossibleSpeed"), judged(9, 38.2, 0, "outside"),
      ])
    let text = ExplainCommand.text(
      of: try event(.exited, .unsatisfied, from: .satisfied) { $0.distance = 38.2 }, explanation)
    #expect(
      text == """
        2026-05-01T08:00:09.000Z  #4     exited        default/home  (38 m outside)

          It was inside, and is outside now.
          The fix that decided was 38 m outside ±4.5 m, inside with <0.1 %.
          Inside is believed from 98 % on; outside when less than 2 % reach over the nearest edge.
          It was confirmed by 3 of 3 fixes, 4.0 s, where 3.0 s is enough.

          Fixes that were judged:
          TIME                      ACCURACY  DISTANCE      SIGMA  P(INSIDE)  VERDICT
          2026-05-01T08:00:03.000Z  ±4.5 m    138 m inside  4.5 m  >99.9 %    inside
          2026-05-01T08:00:04.000Z  ±4.5 m    4.1 m inside  4.5 m  81.6 %     undecided
          2026-05-01T08:00:05.000Z  -         10 m outside  4.5 m  1.3 %      outside
          2026-05-01T08:00:08.000Z  ±4.5 m    24 m outside  4.5 m  <0.1 %     outside
          2026-05-01T08:00:09.000Z  ±4.5 m    38 m outside  4.5 m  <0.1 %     outside

          Fixes that were left out:
          2026-05-01T08:00:06.000Z to 2026-05-01T08:00:08.000Z, 3 fixes: the receiver had no position (noFix)
          2026-05-01T08:00:08.000Z: it was too far from the fix before for the time between (impossibleSpeed)

        """)
  }

  @Test func `a fix that speeds put elsewhere is told with both places`() throws {
    let explanation = try explanation(
      """
      "outcome": "decided", "state": "unsatisfied", "previousState": "satisfied",
      "fixes": 3, "fixesNeeded": 3, "seconds": 4, "secondsNeeded": 3
      """, evidence: [judged(9, 8.8, 0.001, "outside")])
    func sentence(_ distance: Double) throws -> String? {
      ExplanationText.lines(
        of: try event(.exited, .unsatisfied, from: .satisfied) { $0.distance = distance },
        explanation
      ).first { $0.hasPrefix("The fix that decided") }
    }
    #expect(
      try sentence(2.1)
        == "The fix that decided was 2.1 m outside; with the speeds of those before, it was taken to be "
        + "8.8 m outside ±4.5 m, inside with 0.1 %.")
    #expect(
      try sentence(8.3) == "The fix that decided was 8.8 m outside ±4.5 m, inside with 0.1 %.")
  }

  @Test func `every kind of event says what came about, also without an explanation`() throws {
    let date = try #require(Timestamp(rfc3339: "2026-05-01T08:00:00Z"))
    func first(
      _ kind: EventKind, _ state: ConditionState, from previous: ConditionState,
      _ change: (inout Transition) -> Void = { _ in }
    ) throws -> String {
      try ExplanationText.lines(of: event(kind, state, from: previous, change), nil)
        .joined(separator: "\n")
    }
    func measured(_ transition: inout Transition) {
      (transition.distance, transition.probability) = (-12.3, 0.991)
    }
    let rest = "\nThe position was 12 m inside, inside with 99.1 %.\nMore wasn't kept of this one."
    #expect(
      try first(.entered, .satisfied, from: .unsatisfied, measured)
        == "It was outside, and is inside now." + rest)
    #expect(
      try first(.entered, .satisfied, from: .unknown, measured)
        == "It was last known to be outside, and is inside now." + rest)
    #expect(
      try first(.exited, .unsatisfied, from: .satisfied) { $0.bounds = date...date + .seconds(9) }
        == """
        It was inside, and is outside now.
        It happened between 2026-05-01T08:00:00.000Z and 2026-05-01T08:00:09.000Z; nothing in \
        between says when.
        More wasn't kept of this one.
        """)
    #expect(
      try first(.exited, .unsatisfied, from: .satisfied) { $0.visit = nil }
        == "It was assumed to be inside, and is outside now.\nMore wasn't kept of this one.")
    #expect(
      try first(.determined, .unsatisfied, from: .unknown).hasPrefix(
        "It wasn't known whether it is inside or outside: it is outside.\n"))
    #expect(
      try first(.crossed, .unsatisfied, from: .unsatisfied) {
        ($0.probability, $0.bounds) = (0.9999, date...date)
      }.hasPrefix(
        "It passed through between two fixes that are both outside: the straight way from one to "
          + "the other led inside with >99.9 %.\n"))
    #expect(
      try first(.undetermined, .unknown, from: .satisfied).hasPrefix(
        "No usable fix came for too long, so it isn't known any more whether it is inside or "))
    for (reason, words) in [
      (UnmonitoredReason.removed, "The condition was removed; no position had a part in it."),
      (.replaced, "Another condition was put in its place; no position had a part in it."),
      (.expired, "The time of the condition was over; no position had a part in it."),
    ] {
      #expect(
        try first(.unmonitored, .unmonitored, from: .satisfied) { $0.reason = reason } == words)
    }
  }

  @Test func `forgetting names the time that was waited, and shows what came instead`() throws {
    let explanation = try explanation(
      """
      "outcome": "decided", "state": "unknown", "previousState": "satisfied", "fixes": 0,
      "fixesNeeded": 0, "seconds": 0, "secondsNeeded": 0
      """, evidence: [judged(0, -50, 1, "inside"), refused(1, "noFix"), refused(9, "noFix")])
    let lines = ExplainCommand.text(
      of: try event(.undetermined, .unknown, from: .satisfied), explanation
    ).split(separator: "\n")
    #expect(
      lines[1] == "  No usable fix came for 10 min 0 s, so it isn't known any more whether it is "
        + "inside or outside.")
    #expect(lines[2] == "  Fixes that were judged:")
    #expect(lines.last?.hasSuffix(", 2 fixes: the receiver had no position (noFix)") == true)
  }

  @Test func `forgetting for want of altitudes is told as that, whatever fixes came`() throws {
    func first(_ date: String) throws -> String {
      let explanation = try explanation(
        """
        "outcome": "decided", "state": "unknown", "previousState": "satisfied", "fixes": 0,
        "fixesNeeded": 0, "seconds": 0, "secondsNeeded": 0, "date": "\(date)"
        """, evidence: [judged(8, -50, 1, "undecided"), judged(9, -50, 1, "undecided")])
      let lines = try ExplanationText.lines(
        of: event(.undetermined, .unknown, from: .satisfied), explanation)
      return try #require(lines.first)
    }
    #expect(
      try first("2026-05-01T08:00:10.000Z")
        == "No fix came for 10 min 0 s with the altitude that the condition's band of altitudes "
        + "asks for, so it isn't known any more whether it is inside or outside.")
    #expect(
      try first("2026-05-01T08:10:09.000Z")
        == "No usable fix came for 10 min 0 s, so it isn't known any more whether it is inside or "
        + "outside.")
  }

  // MARK: The present

  private func present(
    _ state: ConditionState, _ fields: String, evidence: [String], radius: Double = 100,
    age: Double? = 0.4, limited: Bool = false
  ) throws -> [String] {
    var explanation = try explanation(
      """
      "state": "\(state.rawValue)", "previousState": "\(state.rawValue)", \(fields)
      """, evidence: evidence)
    explanation.isAccuracyLimited = limited
    var reply = Explain.Reply()
    reply.record = try record(state, radius: radius)
    reply.present = explanation
    reply.lastFixAge = age
    let lines = ExplainCommand.text(of: reply).split(separator: "\n").map(String.init)
    #expect(lines[0] == "default/home is \(state.rawValue) (circle of \(Int(radius)) m)")
    #expect(lines.last == "There was no event of it yet.")
    return lines.dropFirst().prefix { $0.hasPrefix("  ") && !$0.hasPrefix("  Fixes") }.map {
      String($0.dropFirst(2))
    }
  }

  private let none = """
    "fixes": 0, "fixesNeeded": 0, "seconds": 0, "secondsNeeded": 0
    """

  private let thresholds =
    "Inside is believed from 98 % on; outside when less than 2 % reach over the nearest edge."

  @Test func `a position too close to the edge is told with its accuracy`() throws {
    #expect(
      try present(
        .unsatisfied, "\"outcome\": \"undecided\", \(none)",
        evidence: [judged(1, -4, 0.607, "undecided", accuracy: 15, sigma: 14.9)]) == [
          "Nothing happens because the last fix is too close to the edge for its accuracy: 4 m "
            + "inside ±15 m, inside with 60.7 %.", thresholds,
        ])
    #expect(
      try present(
        .unsatisfied,
        """
        "outcome": "undecided", "candidate": "satisfied", "fixes": 1, "fixesNeeded": 2,
        "seconds": 0, "secondsNeeded": 1
        """, evidence: [judged(1, -4, 0.607, "undecided", accuracy: nil)]) == [
          "Nothing happens because the last fix is too close to the edge for its accuracy: 4 m "
            + "inside, accuracy not reported, inside with 60.7 %. A change to inside is being "
            + "confirmed, which such a fix doesn't help: 1 of 2 fixes, 0.0 of 1.0 s.",
          thresholds,
        ])
  }

  @Test func `a radius too small for the accuracy is told with one that would do`() throws {
    #expect(
      try present(
        .unsatisfied, "\"outcome\": \"undecided\", \(none)",
        evidence: [judged(1, -20, 0.46, "undecided", accuracy: 18, sigma: 18)], radius: 20,
        limited: true) == [
          "Nothing happens because the last fix is too close to the edge for its accuracy: 20 m "
            + "inside ±18 m, inside with 46 %.",
          "At this accuracy not even a position in the very centre can be believed to be inside: "
            + "the radius is 20 m, σ is 18 m. A radius of 60 m would help, or a receiver that is "
            + "more sure.", thresholds,
        ])
  }

  @Test func `a change under way, agreement and old fixes are told`() throws {
    #expect(
      try present(
        .satisfied,
        """
        "outcome": "confirming", "candidate": "unsatisfied", "fixes": 2, "fixesNeeded": 3,
        "seconds": 2, "secondsNeeded": 3
        """, evidence: [judged(1, 40, 0, "outside"), refused(2, "notNewer")]) == [
          "The last fix was 40 m outside ±4.5 m, inside with <0.1 %, and a change to outside is "
            + "being confirmed: 2 of 3 fixes, 2.0 of 3.0 s.",
          "What came since that fix was left out, see below.", thresholds,
        ])
    #expect(
      try present(
        .satisfied, "\"outcome\": \"agrees\", \(none)",
        evidence: [judged(1, -34, 1, "inside")], age: 312) == [
          "Nothing happens because the last fix agrees with the state: 34 m inside ±4.5 m, inside "
            + "with >99.9 %.",
          "The last usable fix came 5 min 12 s ago; after 10 min 0 s without one the state becomes "
            + "unknown.", thresholds,
        ])
  }

  @Test func `a fix on the other side than the speeds say is told as that`() throws {
    let fields = "\"outcome\": \"contrary\", \(none)"
    let evidence = [judged(1, 11, 0.0002, "outside")]
    #expect(
      try present(.satisfied, fields, evidence: evidence, age: 3) == [
        "Nothing happens because the last fix itself lies on the other side of the edge than the "
          + "place where the receiver's speeds say that it is: 11 m outside ±4.5 m, inside with <0.1 %.",
        thresholds,
      ])
    #expect(
      try present(.unknown, fields, evidence: evidence, age: 700)
        == ["Nothing is known because no usable fix has come for 11 min 40 s.", thresholds])
  }

  @Test func `what stands still is told what it takes to be elsewhere`() throws {
    let standing =
      "Nothing happens because the receiver's speed says that it stands still, and "
      + "standing still it takes more to believe that it crossed the edge: the last fix was "
    let fields = "\"outcome\": \"standing\", \(none)"
    #expect(
      try present(.satisfied, fields, evidence: [judged(1, 11, 0.01, "outside")]) == [
        standing + "11 m outside ±4.5 m, inside with 1 %.",
        "Standing still, outside is believed when less than 2 % reach over the nearest edge.",
      ])
    #expect(
      try present(.unsatisfied, fields, evidence: [judged(1, -11, 0.99, "inside")]) == [
        standing + "11 m inside ±4.5 m, inside with 99 %.",
        "Standing still, inside is believed from 98 % on.",
      ])
    let lost = try present(
      .unknown, fields, evidence: [judged(1, -11, 0.99, "inside")], age: 700)
    #expect(lost[0] == "Nothing is known because no usable fix has come for 11 min 40 s.")
  }

  @Test func `what was before a start is told as that`() throws {
    let last = judged(1, -34, 0.9999, "inside")
    let known = try present(
      .satisfied, "\"outcome\": \"agrees\", \(none)", evidence: [last], age: nil)
    #expect(
      known[0].hasPrefix(
        "No usable fix has come since the daemon started. What follows is of the last one that was "
          + "saved before, at 20"))
    #expect(known[1].hasPrefix("Nothing happens because the last fix agrees with the state"))
    for outcome in ["noFix", "undecided", "standing", "confirming"] {
      #expect(
        try present(
          .unknown, "\"outcome\": \"\(outcome)\", \(none)", evidence: [last], age: nil)[0]
          == "Nothing is known because no usable fix has come since the daemon started.")
    }
  }

  @Test func `what was being confirmed when the receiver fell silent is nothing that is known`()
    throws
  {
    #expect(
      try present(
        .unknown,
        """
        "outcome": "confirming", "candidate": "unsatisfied", "fixes": 1, "fixesNeeded": 3,
        "seconds": 0, "secondsNeeded": 3
        """, evidence: [judged(1, 40, 0, "outside")], age: 700)
        == ["Nothing is known because no usable fix has come for 11 min 40 s.", thresholds])
  }

  @Test func `without a fix it is told since when`() throws {
    let fields = "\"outcome\": \"noFix\", \(none)"
    #expect(
      try present(.unknown, fields, evidence: [], age: nil)
        == ["Nothing happens because no usable fix has come since the daemon started."])
    #expect(
      try present(.unknown, fields, evidence: [refused(1, "noFix")], age: nil) == [
        "Nothing happens because no usable fix has come since the daemon started.",
        "What came was left out, see below.",
      ])
    #expect(
      try present(.unknown, fields, evidence: [judged(1, -34, 1, "inside")], age: 700)
        == ["Nothing is known because no usable fix has come for 11 min 40 s.", thresholds])
    // One that couldn't tell, and then none.
    #expect(
      try present(
        .unknown, "\"outcome\": \"undecided\", \(none)",
        evidence: [judged(1, 0, 0.5, "undecided")], age: 700)
        == ["Nothing is known because no usable fix has come for 11 min 40 s.", thresholds])
    #expect(
      try present(.satisfied, fields, evidence: [], age: 3) == [
        "Nothing happens because no usable fix has come since the condition was added or the "
          + "daemon started."
      ])
  }

  @Test func `the last event of a condition stands below its present`() throws {
    var reply = Explain.Reply()
    reply.record = try record(.unsatisfied)
    reply.present = try explanation(
      "\"outcome\": \"agrees\", \"state\": \"unsatisfied\", \"previousState\": \"unsatisfied\", \(none)",
      evidence: [judged(9, 40, 0, "outside")])
    reply.event = try event(.exited, .unsatisfied, from: .satisfied)
    reply.explanation = reply.present
    let lines = ExplainCommand.text(of: reply).split(separator: "\n").map(String.init)
    let last = try #require(lines.firstIndex(of: "Its last event:"))
    #expect(lines[last + 1] == "2026-05-01T08:00:09.000Z  #4     exited        default/home")
    #expect(lines[last + 2] == "  It was inside, and is outside now.")
    #expect(lines.last == "  'geofenced ctl explain 4' shows the fixes.")
    let told = ExplainCommand.text(of: reply, to: 77).split(separator: "\n").map(String.init)
    #expect(told[0] == "1000:" + lines[0])
    #expect(told[last + 1].hasSuffix("  1000:default/home"))
  }

  @Test func `what was left out without a time is told without one`() throws {
    var explanation = try explanation(
      "\"outcome\": \"noFix\", \"state\": \"unknown\", \"previousState\": \"unknown\", \(none)",
      evidence: ["{\"rejection\": \"noFix\"}", "{\"rejection\": \"noFix\", \"count\": 5}"])
    #expect(
      EvidenceText.lines(explanation).last
        == "at an unknown time, 6 fixes: the receiver had no position (noFix)")
    explanation.evidence = []
    #expect(EvidenceText.lines(explanation).isEmpty)
  }
}
