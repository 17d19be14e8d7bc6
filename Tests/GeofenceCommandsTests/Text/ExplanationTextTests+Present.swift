import ControlInterface
import Geofencing
import TestSupport
import Testing

@testable import GeofenceCommands

/// How the explanation of the present reads.
extension ExplanationTextTests {
  private func record(_ state: ConditionState, radius: Double = 100) throws -> MonitorRecord {
    MonitorRecord(
      key: ConditionKey(monitor: MonitorKey(user: 1000, name: "default"), identifier: "home"),
      condition: try Shapes.circle(latitude: 48.2, longitude: 16.3, radius: radius),
      status: ConditionStatus(assuming: state, watchedSince: nil),
      added: Timestamp(nanoseconds: 0), lastEvent: nil)
  }

  private func present(
    _ state: ConditionState, _ fields: String, evidence: [String], radius: Double = 100,
    age: Double? = 0.4, limited: Bool = false, minimumSigma: Double? = nil,
    nextProbe: Double? = nil, disconnection: String? = nil
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
    (reply.minimumSigma, reply.nextProbe) = (minimumSigma, nextProbe)
    reply.disconnection = disconnection
    let lines = ExplainCommand.text(of: reply, in: .utc).split(separator: "\n").map(String.init)
    #expect(lines[0] == "default/home is \(state.rawValue) (circle of \(Int(radius)) m)")
    #expect(lines.last == "There has been no event of it yet.")
    return lines.dropFirst().prefix { $0.hasPrefix("  ") && !$0.hasPrefix("  Fixes") }.map {
      String($0.dropFirst(2))
    }
  }

  var none: String {
    """
    "fixes": 0, "fixesNeeded": 0, "seconds": 0, "secondsNeeded": 0
    """
  }

  private var thresholds: String {
    "It counts as inside at a probability of 98 % or more (Confidence=), and as outside when that of being on the inner side of the nearest edge is at most 2 %."
  }

  private var noneForLong: [String] {
    ["Nothing is known because no usable fix has come for 11 min 40 s.", thresholds]
  }

  private var noneSinceTheStart: String {
    "Nothing happens because no usable fix has come since the daemon started; "
      + "'geofenced ctl status' says why."
  }

  @Test func `a fix that is taken to be elsewhere is told apart from that`() throws {
    func reason(_ outcome: String, own: Double) throws -> String? {
      try present(
        .unsatisfied, "\"outcome\": \"\(outcome)\", \(none)",
        evidence: [judged(1, -4.2, 0.919, "undecided", accuracy: 3.7, sigma: 3, own: own)]
      ).first
    }
    #expect(
      try reason("undecided", own: -12)
        == "Nothing happens because the last fix is taken to be too close to the edge for its accuracy: "
        + "12 m inside ±3.7 m; with the speeds of those before, it was taken to be 4.2 m inside "
        + "with σ 3 m, inside with 91.9 %.")
    #expect(
      try reason("undecided", own: -4.9)
        == "Nothing happens because the last fix is too close to the edge for its accuracy: 4.2 m "
        + "inside ±3.7 m, inside with 91.9 %.")
  }

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
            + "confirmed, which such a fix doesn't help: 1 of 2 fixes (EnterFixes=), 0.0 of 1.0 s "
            + "(EnterSec=).",
          thresholds,
        ])
  }

  @Test func `a radius too small for the accuracy is told with one that would do`() throws {
    #expect(
      try present(
        .unsatisfied, "\"outcome\": \"undecided\", \(none)",
        // In the middle.
        evidence: [judged(1, -20, 0.46, "undecided", accuracy: 18, sigma: 18, own: -100)],
        radius: 20, limited: true) == [
          "Nothing happens because the last fix is too close to the edge for its accuracy: 20 m "
            + "inside ±18 m, inside with 46 %.",
          "At this accuracy not even a position in the very centre can be believed to be inside: "
            + "the radius is 20 m, σ is 18 m. A radius of 60 m would help, or a receiver that is "
            + "more sure.", thresholds,
        ])
  }

  @Test func `a radius too small for MinimumSigma= alone isn't blamed on the receiver`() throws {
    func lines(limited: Bool) throws -> [String] {
      try present(
        .unknown, "\"outcome\": \"undecided\", \(none)",
        evidence: [judged(1, -5, 0.751, "undecided", accuracy: 0.02, sigma: 3, own: -100)],
        radius: 5, limited: limited, minimumSigma: 3)
    }
    #expect(
      try lines(limited: true) == [
        "Nothing happens because the last fix is too close to the edge for MinimumSigma=: 5 m inside "
          + "±2 cm, inside with 75.1 %.",
        "With MinimumSigma=3 not even a position in the very centre can be believed to be inside: the "
          + "radius is 5 m, σ is 3 m. A radius of 10 m would help, or a lower MinimumSigma= if the "
          + "receiver is that good.", thresholds,
      ])
    #expect(
      try lines(limited: false).first?.contains("too close to the edge for its accuracy") == true)
  }

  @Test func `a change under way, agreement and old fixes are told`() throws {
    #expect(
      try present(
        .satisfied,
        """
        "outcome": "confirming", "candidate": "unsatisfied", "fixes": 2, "fixesNeeded": 3,
        "seconds": 2, "secondsNeeded": 3
        """, evidence: [judged(1, 40, 0, "outside"), refused(2, "notNewer")]) == [
          "What came since the last usable fix was left out, see below.",
          "The last fix was 40 m outside ±4.5 m, inside with <0.1 %, and a change to outside is "
            + "being confirmed: 2 of 3 fixes (ExitFixes=), 2.0 of 3.0 s (ExitSec=).", thresholds,
        ])
    #expect(
      try present(
        .satisfied, "\"outcome\": \"agrees\", \(none)",
        evidence: [judged(1, -34, 1, "inside")], age: 312) == [
          "Nothing happens because the last fix agrees with the state: 34 m inside ±4.5 m, inside "
            + "with >99.9 %.",
          "The last usable fix came 5 min 12 s ago; after 10 min 0 s without one (UnknownAfterSec=) "
            + "the state becomes unknown.", thresholds,
        ])
  }

  @Test func `a fix on the other side than the speeds say is told as that`() throws {
    let fields = "\"outcome\": \"contrary\", \(none)"
    let evidence = [judged(1, 11, 0.0002, "outside")]
    #expect(
      try present(.satisfied, fields, evidence: evidence, age: 3) == [
        "Nothing happens because the last fix itself lies on the other side of the edge than the "
          + "place where the receiver's speeds say that it is: 11 m outside ±4.5 m, inside with <0.1 %. If "
          + "that place is wrong, those speeds are: look for static hold or a low-speed filter in the "
          + "receiver's settings.", thresholds,
      ])
    #expect(try present(.unknown, fields, evidence: evidence, age: 700) == noneForLong)
  }

  @Test func `what may be a reflection behind a silence is told as that`() throws {
    let fields = "\"outcome\": \"unproven\", \(none)"
    let evidence = [judged(1, 1012, 0, "outside")]
    #expect(
      try present(.unknown, fields, evidence: evidence, age: 3) == [
        "Nothing happens because the last fix may be a reflection, as no speed tells of the way there: "
          + "1012 m outside ±4.5 m, inside with <0.1 %. It is believed when it has lasted for JumpSec=, "
          + "or goes on.",
        thresholds,
      ])
    #expect(try present(.unknown, fields, evidence: evidence, age: 700) == noneForLong)
  }

  @Test func `what stands still is told what it takes to be elsewhere`() throws {
    let standing =
      "Nothing happens because the receiver's speed says that it stands still, and "
      + "standing still it takes more to believe that it crossed the edge: the last fix was "
    let fields = "\"outcome\": \"standing\", \"confidenceAtRest\": 0.995, \(none)"
    #expect(
      try present(.satisfied, fields, evidence: [judged(1, 11, 0.01, "outside")]) == [
        standing + "11 m outside ±4.5 m, inside with 1 %.",
        thresholds
          + " Standing still, at most 0.5 % is asked for before that changes (StillConfidence=): fixes "
          + "that are less sure don't count.",
      ])
    #expect(
      try present(.unsatisfied, fields, evidence: [judged(1, -11, 0.99, "inside")]) == [
        standing + "11 m inside ±4.5 m, inside with 99 %.",
        thresholds
          + " Standing still, at least 99.5 % is asked for before that changes (StillConfidence=): "
          + "fixes that are less sure don't count.",
      ])
    let lost = try present(
      .unknown, fields, evidence: [judged(1, -11, 0.99, "inside")], age: 700)
    #expect(lost[0] == noneForLong[0])
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
          == "Nothing is known because no usable fix has come since the daemon started; "
          + "'geofenced ctl status' says why.")
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
        == noneForLong)
  }

  @Test func `without a fix it is told since when`() throws {
    let fields = "\"outcome\": \"noFix\", \(none)"
    #expect(try present(.unknown, fields, evidence: [], age: nil) == [noneSinceTheStart])
    #expect(
      try present(
        .unknown, fields, evidence: [], age: nil, disconnection: "gpsd refused: No such device"
      ).first == "Nothing is heard from the receiver: gpsd refused: No such device")
    #expect(
      try present(.unknown, fields, evidence: [], age: nil, nextProbe: 134.4) == [
        noneSinceTheStart, "The receiver is released; the next look is in 134 s.",
      ])
    // Who has driven off meanwhile sees why the last fix still agrees.
    #expect(
      try present(
        .satisfied, "\"outcome\": \"agrees\", \(none)", evidence: [judged(1, -34, 1, "inside")],
        nextProbe: 29
      ).dropFirst().first == "The receiver is released; the next look is in 29 s.")
    #expect(
      try present(.unknown, fields, evidence: [refused(1, "noFix")], age: nil) == [
        "What came was left out, see below.", noneSinceTheStart,
      ])
    #expect(
      try present(.unknown, fields, evidence: [judged(1, -34, 1, "inside")], age: 700)
        == noneForLong)
    // One that couldn't tell, and then none.
    #expect(
      try present(
        .unknown, "\"outcome\": \"undecided\", \(none)",
        evidence: [judged(1, 0, 0.5, "undecided")], age: 700)
        == noneForLong)
    #expect(
      try present(.satisfied, fields, evidence: [], age: 3) == [
        "Nothing happens because no usable fix has come since the condition was added or the "
          + "daemon started.",
        "Its state may only have been assumed: nothing that is kept shows it.",
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
    let lines = ExplainCommand.text(of: reply, in: .utc).split(separator: "\n").map(String.init)
    let last = try #require(lines.firstIndex(of: "Its last event:"))
    #expect(lines[last + 1] == "2026-05-01T08:00:09.000Z  #4     exited        default/home")
    #expect(lines[last + 2] == "  It was inside, and is outside now.")
    #expect(lines.last == "  'geofenced ctl explain 4' shows the fixes.")
    let told = ExplainCommand.text(of: reply, to: 77, in: .utc).split(separator: "\n").map(
      String.init)
    #expect(told[0] == "1000:" + lines[0])
    #expect(told[last + 1].hasSuffix("  1000:default/home"))
  }
}
