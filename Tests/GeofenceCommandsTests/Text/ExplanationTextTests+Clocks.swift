import Geofencing
import Testing

@testable import GeofenceCommands

/// What is told of a receiver's clock that has leapt.
extension ExplanationTextTests {
  @Test(
    arguments: [
      (-1, nil), (9, nil), (599, "9 min 59 s"), (601, nil), (1e9, nil),
    ] as [(Double, String?)])
  func `forgetting before the time is over by this machine's clock is told`(
    ahead: Double, time: String?
  ) throws {
    let explanation = try explanation(
      "\"outcome\": \"decided\", \"state\": \"unknown\", \"previousState\": \"satisfied\", "
        + none, evidence: [judged(0, -50, 1, "inside")])
    let transition = try event(.undetermined, .unknown, from: .satisfied).transition
    let early = Event(
      sequence: 4, log: "log", recorded: transition.date - .seconds(ahead), transition: transition)
    let lines = ExplanationText.lines(of: early, explanation, in: .utc)
    let sentence = time.map {
      "This machine's clock was \($0) before that time when it was logged: it is behind the receiver's, or "
        + "that has gone ahead."
    }
    #expect(lines.dropFirst().first == sentence)
  }

  @Test func `a clock that was set back between two fixes is told with both times`() throws {
    func sentences(_ seconds: [Int]) throws -> [String] {
      let explanation = try explanation(
        "\"outcome\": \"decided\", \"state\": \"unsatisfied\", \"previousState\": \"satisfied\", "
          + none,
        evidence: seconds.map { judged($0, 38.2, 0, "outside") } + [refused(0, "notNewer")])
      return try ExplanationText.lines(
        of: event(.exited, .unsatisfied, from: .satisfied), explanation, in: .utc
      ).filter { $0.contains("clock") }
    }
    #expect(
      try sentences([7, 8, 2, 3]) == [
        "The receiver's clock was set back: the fix after that of 2026-05-01T08:00:08.000Z is of "
          + "2026-05-01T08:00:02.000Z."
      ])
    #expect(try sentences([2, 3, 7, 8]) == [])
  }
}
