import ControlInterface
import Geofencing
import Testing

@testable import GeofenceCommands

/// Which options are named beside the numbers that they ask for.
extension ExplanationTextTests {
  @Test(
    arguments: [
      (true, " (the condition's confidence)", " (EnterFixes=)", " (the condition's enterAfter)"),
      (false, " (Confidence=)", " (EnterFixes=)", " (EnterSec=)"),
      // Of before that was noted.
      (nil, "", "", ""),
    ] as [(Bool?, String, String, String)])
  func `an event names the options that decided, its condition's own where it has them`(
    isOwn: Bool?, confidence: String, fixes: String, time: String
  ) throws {
    var explanation = try explanation(
      """
      "outcome": "decided", "state": "satisfied", "previousState": "unsatisfied",
      "candidate": "satisfied", "fixes": 31, "fixesNeeded": 2, "seconds": 30, "secondsNeeded": 30
      """, evidence: [judged(9, -38.2, 1, "inside")])
    (explanation.hasOwnConfidence, explanation.hasOwnTime) = (isOwn, isOwn)
    let lines = try ExplanationText.lines(
      of: event(.entered, .satisfied, from: .unsatisfied), explanation, in: .utc)
    let confirmed =
      "It was confirmed by 31 fixes, where 2 are enough\(fixes), 30.0 of 30.0 s\(time)."
    #expect(lines.contains(confirmed))
    #expect(lines.contains { $0.contains("98 % or more\(confidence), and") })
  }

  @Test(
    arguments: [
      (["outside", "inside", "inside", "outside"], "2 fixes between were"),
      (["outside", "undecided", "inside", "outside"], "1 fix between was"),
      (["inside", "outside", "undecided", "outside"], nil),
    ] as [([String], String?)])
  func `a passage says why fixes inside made no entry of it`(
    verdicts: [String], told: String?
  ) throws {
    var explanation = try explanation(
      "\"outcome\": \"decided\", \"state\": \"unsatisfied\", \"previousState\": \"unsatisfied\", \(none)",
      evidence: verdicts.enumerated().map { judged($0.offset, 1, 0.5, $0.element) })
    explanation.hasOwnTime = true
    let passage = try event(.crossed, .unsatisfied, from: .unsatisfied) {
      $0.bounds = $0.date - .seconds(told == nil ? 8 : 9)...$0.date
    }
    let first = try #require(
      ExplanationText.lines(of: passage, explanation, in: .utc).first)
    let sentence = told.map {
      " \($0) inside: too few, or for too short a time, for an entry (EnterFixes=, the condition's "
        + "enterAfter)."
    }
    #expect(first.hasSuffix(" led inside." + (sentence ?? "")), "\(first)")
  }

  @Test(arguments: [(EventKind.entered, true), (.determined, false)])
  func `who was told of an entry that was none is told whom to ask`(
    kind: EventKind, isAsked: Bool
  ) throws {
    var reply = Explain.Reply()
    let told = try event(kind, .satisfied, from: .unsatisfied)
    reply.event = told
    let without = ExplainCommand.text(of: reply, in: .utc)
    reply.record = MonitorRecord(
      key: told.transition.key,
      condition: try Condition(
        shape: .circle(
          CircularGeographicCondition(
            center: Coordinate(validLatitude: 48.2, longitude: 16.3), radius: 100))),
      status: ConditionStatus(assuming: .satisfied, watchedSince: nil),
      added: Timestamp(nanoseconds: 0), lastEvent: nil)
    let advice =
      "\n  If that wasn't so, 'geofenced ctl advise default/home' may tell what would have spared it.\n"
    #expect(ExplainCommand.text(of: reply, in: .utc) == without + (isAsked ? advice : ""))
  }
}
