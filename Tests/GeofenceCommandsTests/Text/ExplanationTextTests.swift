import Geofencing
import JSONCoding
import Testing

@testable import GeofenceCommands

/// How explanations read.
@Suite struct ExplanationTextTests {
  func event(
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
  func explanation(_ fields: String, evidence: [String]) throws -> Explanation {
    try CanonicalJSON.decode(
      Explanation.self,
      from: """
        {"confidence": 0.98, "hasOwnConfidence": false, "hasOwnTime": false,
         "unknownAfterSeconds": 600, "isAccuracyLimited": false,
         "evidence": [\(evidence.joined(separator: ","))], \(fields)}
        """.utf8)
  }

  /// A fix that was judged, north of the middle of a circle of 100 m.
  ///
  /// - Parameter own: how far from the line the fix itself was; where it was taken to be, unless it is said.
  func judged(
    _ second: Int, _ distance: Double, _ probability: Double, _ verdict: String,
    accuracy: Double? = 4.53, sigma: Double = 4.5, own: Double? = nil
  ) -> String {
    let latitude = 48.2 + (100 + (own ?? distance)) / 111_198
    let reported = accuracy.map { "\"horizontalAccuracy\": \($0)," } ?? ""
    return """
      {"timestamp": "2026-05-01T08:00:0\(second).000Z", "latitude": \(latitude), "longitude": 16.3,
       \(reported) "distance": \(distance), "sigma": \(sigma), "probability": \(probability),
       "verdict": "\(verdict)"}
      """
  }

  func refused(_ second: Int, _ code: String, count: Int? = nil) -> String {
    let count = count.map { ", \"count\": \($0)" } ?? ""
    return """
      {"timestamp": "2026-05-01T08:00:0\(second).000Z", "rejection": "\(code)"\(count)}
      """
  }

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
      of: try event(.exited, .unsatisfied, from: .satisfied) { $0.distance = 38.2 }, explanation,
      in: .utc)
    #expect(
      text == """
        2026-05-01T08:00:09.000Z  #4     exited        default/home  (38 m outside)

          It was inside, and is outside now.
          It was confirmed by 3 of 3 fixes (ExitFixes=), 4.0 s, where 3.0 s is enough (ExitSec=).
          The fix that decided was 38 m outside ±4.5 m, inside with <0.1 %.
          It counts as inside at a probability of 98 % or more (Confidence=), and as outside when that of being on the inner side of the nearest edge is at most 2 %.

          Fixes that were judged:
          TIME                      ACCURACY  DISTANCE      SIGMA  P(INSIDE)  VERDICT
          2026-05-01T08:00:03.000Z  ±4.5 m    138 m inside  4.5 m  >99.9 %    inside
          2026-05-01T08:00:04.000Z  ±4.5 m    4.1 m inside  4.5 m  81.6 %     undecided
          2026-05-01T08:00:05.000Z  -         10 m outside  4.5 m  1.3 %      outside
          2026-05-01T08:00:08.000Z  ±4.5 m    24 m outside  4.5 m  <0.1 %     outside
          2026-05-01T08:00:09.000Z  ±4.5 m    38 m outside  4.5 m  <0.1 %     outside

          Fixes that were left out:
          2026-05-01T08:00:06.000Z to 2026-05-01T08:00:08.000Z, 3 fixes: the receiver had no position (noFix)
          2026-05-01T08:00:08.000Z: it was farther from the fix before than MaximumSpeed= allows (impossibleSpeed)

        """)
  }

  @Test(
    arguments: [
      (1, 0, "1 fix instead of 3 fixes over 3 s"),
      (3, 2, "3 fixes over 2 s instead of 3 fixes over 3 s"),
      (30, 2.946, "30 fixes over 2.946 s instead of 3 fixes over 3 s"),
      (2, 5, "2 fixes over 5 s instead of 3 fixes over 3 s"), (3, 3, nil),
    ] as [(Int, Double, String?)])
  func `one that was beyond doubt says why it didn't wait`(
    fixes: Int, seconds: Double, instead: String?
  ) throws {
    let explanation = try explanation(
      """
      "outcome": "decided", "state": "unsatisfied", "previousState": "satisfied",
      "candidate": "unsatisfied", "fixes": \(fixes), "fixesNeeded": 3, "seconds": \(seconds),
      "secondsNeeded": 3
      """, evidence: [judged(9, 38.2, 0, "outside")])
    let text = ExplainCommand.text(
      of: try event(.exited, .unsatisfied, from: .satisfied) { $0.distance = 38.2 }, explanation,
      in: .utc)
    let sentence =
      instead.map {
        "As it was moving and past the edge with at least CertainConfidence=, fewer were needed: "
          + "\($0) (ExitFixes=, ExitSec=)."
      } ?? "It was confirmed by 3 of 3 fixes (ExitFixes=), 3.0 of 3.0 s (ExitSec=)."
    #expect(text.contains("\n  \(sentence)\n"), "\(text)")
  }

  @Test func `more that was asked for than the settings say is told with its reason`() throws {
    let explanation = try explanation(
      """
      "outcome": "decided", "state": "unsatisfied", "previousState": "satisfied",
      "candidate": "unsatisfied", "fixes": 12, "fixesNeeded": 3, "seconds": 11,
      "secondsNeeded": 11, "isUnproven": true, "confidenceAtRest": 0.995
      """, evidence: [judged(9, 38.2, 0, "outside")])
    let lines = try ExplanationText.lines(
      of: event(.exited, .unsatisfied, from: .satisfied), explanation, in: .utc)
    #expect(
      lines[1]
        == "It was confirmed by 12 fixes, where 3 are enough, 11.0 of 11.0 s. No speed told "
        + "of the way there, so it waited to see whether that was a reflection (JumpSec=).")
    #expect(
      lines[3].hasSuffix(
        " at most 2 %. As it stood still, at most 0.5 % was asked for (StillConfidence=): fixes that "
          + "were less sure don't count."))
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
        explanation, in: .utc
      ).first { $0.hasPrefix("The fix that decided") }
    }
    #expect(
      try sentence(2.1)
        == "The fix that decided was 2.1 m outside ±4.5 m; with the speeds of those before, it was "
        + "taken to be 8.8 m outside with σ 4.5 m, inside with 0.1 %.")
    #expect(
      try sentence(8.3) == "The fix that decided was 8.8 m outside ±4.5 m, inside with 0.1 %.")
  }

  @Test func `every kind of event says what came about, also without an explanation`() throws {
    let date = try #require(Timestamp(rfc3339: "2026-05-01T08:00:00Z"))
    func first(
      _ kind: EventKind, _ state: ConditionState, from previous: ConditionState,
      _ change: (inout Transition) -> Void = { _ in }
    ) throws -> String {
      try ExplanationText.lines(of: event(kind, state, from: previous, change), nil, in: .utc)
        .joined(separator: "\n")
    }
    func measured(_ transition: inout Transition) {
      (transition.distance, transition.probability) = (-12.3, 0.991)
    }
    let rest =
      "\nThe position was 12 m inside, inside with 99.1 %.\nNo more was kept about this one."
    #expect(
      try first(.entered, .satisfied, from: .unsatisfied, measured)
        == "It was outside, and is inside now." + rest)
    #expect(
      try first(.entered, .satisfied, from: .unknown, measured)
        == "It was last known to be outside, and is inside now." + rest)
    for (previous, outside, was) in [
      (ConditionState.unsatisfied, "outside", "was"),
      (.unsatisfied, "undecided", "was taken to be"), (.unknown, "outside", "was last known to be"),
      (.unknown, "undecided", "was last known or assumed to be"),
    ] {
      let explanation = try explanation(
        #""outcome": "decided", "state": "satisfied", "previousState": "unknown", \#(none)"#,
        evidence: [judged(1, 5, 0.1, outside), judged(2, -9, 0.99, "inside")])
      let lines = try ExplanationText.lines(
        of: event(.entered, .satisfied, from: previous), explanation, in: .utc)
      #expect(lines.first == "It \(was) outside, and is inside now.")
      var seen = explanation
      seen.wasSeen = true
      let known = try ExplanationText.lines(
        of: event(.entered, .satisfied, from: previous), seen, in: .utc)
      let before = previous == .unknown ? "was last known to be" : "was"
      #expect(known.first == "It \(before) outside, and is inside now.")
    }
    #expect(
      try first(.exited, .unsatisfied, from: .satisfied) { $0.bounds = date...date + .seconds(9) }
        == """
        It was inside, and is outside now.
        It happened between 2026-05-01T08:00:00.000Z and 2026-05-01T08:00:09.000Z; nothing that \
        was believed says when.
        No more was kept about this one.
        """)
    #expect(
      try first(.exited, .unsatisfied, from: .satisfied) { $0.visit = nil }
        == "It was taken to be inside, and is outside now.\nNo more was kept about this one.")
    let held = try explanation(
      #""outcome": "decided", "state": "unsatisfied", "previousState": "satisfied", \#(none)"#,
      evidence: [judged(1, -9, 0.99, "inside"), judged(2, 9, 0.01, "outside")])
    let left = try event(.exited, .unsatisfied, from: .satisfied) { $0.visit = nil }
    #expect(
      ExplanationText.lines(of: left, held, in: .utc).first
        == "It was inside, and is outside now.")
    #expect(
      try first(.determined, .unsatisfied, from: .unknown).hasPrefix(
        "Its state was unknown; it is outside.\n"))
    #expect(
      try first(.crossed, .unsatisfied, from: .unsatisfied) {
        ($0.probability, $0.bounds) = (0.9999, date...date)
      }.hasPrefix(
        "It passed through between 2026-05-01T08:00:00.000Z and 2026-05-01T08:00:00.000Z. The fixes "
          + "before and after are both outside: the way from one to the other led inside with >99.9 %.\n"
      ))
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
      of: try event(.undetermined, .unknown, from: .satisfied), explanation, in: .utc
    ).split(separator: "\n")
    #expect(
      lines[1] == "  No usable fix came for 10 min 0 s (UnknownAfterSec=), so it isn't known any "
        + "more whether it is inside or outside.")
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
        of: event(.undetermined, .unknown, from: .satisfied), explanation, in: .utc)
      return try #require(lines.first)
    }
    #expect(
      try first("2026-05-01T08:00:10.000Z")
        == "No fix came for 10 min 0 s (UnknownAfterSec=) with the altitude that the condition's band "
        + "of altitudes asks for, so it isn't known any more whether it is inside or outside.")
    #expect(
      try first("2026-05-01T08:10:09.000Z")
        == "No usable fix came for 10 min 0 s (UnknownAfterSec=), so it isn't known any more whether "
        + "it is inside or outside.")
  }

  @Test func `what was left out without a time is told without one`() throws {
    var explanation = try explanation(
      "\"outcome\": \"noFix\", \"state\": \"unknown\", \"previousState\": \"unknown\", \(none)",
      evidence: ["{\"rejection\": \"noFix\"}", "{\"rejection\": \"noFix\", \"count\": 5}"])
    #expect(
      EvidenceText.lines(explanation, in: .utc).last
        == "at an unknown time, 6 fixes: the receiver had no position (noFix)")
    explanation.evidence = []
    #expect(EvidenceText.lines(explanation, in: .utc).isEmpty)
  }
}
