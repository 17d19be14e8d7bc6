import Geofencing
import Testing

@testable import GeofenceCommands

/// What is told of fixes that were left out.
extension ExplanationTextTests {
  /// A fix that was refused so many metres from the line of the circle, one of several.
  private func refused(
    _ second: Int, at distance: Double, count: Int? = nil, as reason: String = "contradictsMotion"
  ) -> String {
    let count = count.map { ", \"count\": \($0)" } ?? ""
    return """
      {"timestamp": "2026-05-01T08:00:0\(second).000Z", "longitude": 16.3,
       "latitude": \(48.2 + (100 + distance) / 111_198), "rejection": "\(reason)"\(count)}
      """
  }

  @Test(
    arguments: [
      ("contradictsMotion", ""),
      ("impossibleSpeed", ", and if they aren't faster than MaximumSpeed="),
    ])
  func `what contradicts the last fix is told first, with its distance and what it needs`(
    reason: String, condition: String
  ) throws {
    let explanation = try explanation(
      "\"outcome\": \"agrees\", \"state\": \"satisfied\", \"previousState\": \"satisfied\", \(none)",
      evidence: [
        judged(1, -50, 1, "inside"), refused(2, at: 150), refused(3, at: 0, as: "noFix"),
        refused(5, at: 150, count: 3, as: reason), refused(6, at: 0, as: "noFix"),
      ])
    let lines = ExplanationText(explanation).linesOfPresent(lastFixAge: 4, in: .utc)
    #expect(
      lines.first
        == "What came since the last usable fix was left out, see below. 4 fixes contradicted it, the last "
        + "of them 200 m away. Such fixes count when they have agreed with one another for long enough, "
        + "at most for JumpSec=\(condition); the first was of 2026-05-01T08:00:02.000Z.")
  }

  @Test(arguments: [(150.0, true), (-40, false)])
  func `an event of what was refused at first says so`(distance: Double, isTold: Bool) throws {
    let explanation = try explanation(
      "\"outcome\": \"decided\", \"state\": \"unsatisfied\", \"previousState\": \"satisfied\", \(none)",
      evidence: [
        judged(1, -50, 1, "inside"), refused(2, at: distance),
        refused(5, at: distance, count: 3), judged(6, 150, 0, "outside"),
      ])
    let exit = try event(.exited, .unsatisfied, from: .satisfied)
    let sentences = ExplanationText.sentences(of: exit, explanation, in: .utc)
    let sentence =
      "were refused until they had agreed with one another for long enough (at most JumpSec=), as they "
      + "might have been a reflection."
    let whole = "The 4 fixes before, from 2026-05-01T08:00:02.000Z on, \(sentence)"
    #expect(sentences.contains(whole) == isTold)
    // Of a longer row the beginning isn't kept.
    var later = explanation
    later.evidence.removeFirst()
    let cut = ExplanationText.sentences(of: exit, later, in: .utc)
    #expect(cut.contains("Fixes before \(sentence)"))
    // A report has no list of them.
    #expect(sentences.last == "Left out: 4 fixes (contradictsMotion 4).")
    #expect(ExplanationText.lines(of: exit, explanation, in: .utc) == Array(sentences.dropLast()))
  }
}
