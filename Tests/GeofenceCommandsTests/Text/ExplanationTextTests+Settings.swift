import Geofencing
import Testing

@testable import GeofenceCommands

/// What is told where settings have changed since the last fix.
extension ExplanationTextTests {
  /// Why nothing happens, in the first line.
  private func reason(
    _ state: ConditionState, _ fields: String, _ fix: String, age: Double? = 3
  ) throws -> String? {
    let explanation = try explanation(
      """
      "state": "\(state.rawValue)", "previousState": "\(state.rawValue)", \(fields)
      """, evidence: [fix])
    let lines = ExplanationText(explanation).linesOfPresent(lastFixAge: age, in: .utc)
    return lines.first { !$0.hasPrefix("No usable fix has come since the daemon started.") }
  }

  @Test(arguments: [3, nil] as [Double?])
  func `a fix that would count by the present settings is told as that`(age: Double?) throws {
    #expect(
      try reason(
        .unsatisfied, "\"outcome\": \"noFix\", \(none)", judged(1, -9, 0.95, "inside"), age: age)
        == "By the present settings the last fix would count as inside: 9 m inside ±4.5 m, inside with "
        + "95 %. The next fixes decide.")
  }

  @Test func `a change that the present settings have confirmed waits for the next fix`() throws {
    func change(_ outcome: String, needed: Int) -> String {
      """
      "outcome": "\(outcome)", "candidate": "satisfied", "fixes": 11, "fixesNeeded": 2,
      "seconds": 10, "secondsNeeded": \(needed)
      """
    }
    #expect(
      try reason(.unsatisfied, change("confirming", needed: 5), judged(1, -50, 1, "inside"))?
        .contains(
          ", and by the present settings a change to inside is confirmed; the next fix decides: "
            + "11 fixes") == true)
    #expect(
      try reason(.unsatisfied, change("undecided", needed: 5), judged(1, 0, 0.5, "undecided"))?
        .contains(
          " By the present settings a change to inside is confirmed, and the next fix that is surely "
            + "inside decides: 11 fixes") == true)
    #expect(
      try reason(.unsatisfied, change("confirming", needed: 60), judged(1, -50, 1, "inside"))?
        .contains(", and a change to inside is being confirmed: 11 fixes") == true)
  }
}
