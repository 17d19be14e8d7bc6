import ControlInterface
import Geofencing
import Testing

@testable import GeofenceCommands

/// What is said where something expires by a clock that may not be set, or is where a receiver is that has another.
struct ClockNoteTests {
  private func note(_ now: String, logged: String?, offset: Double? = nil) throws -> String? {
    var storage = Status.Storage(path: "")
    storage.oldest = logged.flatMap { Timestamp(rfc3339: $0) }
    var status = Status.Reply(receiver: Status.Receiver(address: ""), storage: storage)
    status.receiver.clockOffset = offset
    return LikelyMistakes.clockNote(status, now: try #require(Timestamp(rfc3339: now)))
  }

  @Test func `a clock that isn't set is noticed before a fix`() throws {
    let logged = "2026-05-04T08:00:00Z"
    for (now, log) in [
      ("1970-01-01T00:03:00Z", nil), ("1970-01-01T00:03:00Z", logged),
      ("2026-05-03T07:59:00Z", logged),
    ] as [(String, String?)] {
      let note = try note(now, logged: log)
      #expect(note?.hasSuffix(", and that expires by it: is it set?") == true, "\(now)")
    }
    #expect(try note("2026-05-04T07:00:00Z", logged: logged) == nil)
    #expect(try note("2026-05-04T07:00:00Z", logged: nil) == nil)
    // A receiver knows better.
    #expect(try note("2026-04-04T08:00:00Z", logged: logged, offset: 5) == nil)
  }

  @Test(
    arguments: [
      (nil, nil), (86_399, nil),
      (
        -619_315_200,
        "the receiver's clock is 7168 d 0 h behind; if this machine's is set, what the receiver says "
          + "of its place may be as wrong"
      ),
    ] as [(Double?, String?)])
  func `a place is as doubtful as the clock of who tells it`(offset: Double?, text: String?) {
    let status = Status.Reply.sample { $0.clockOffset = offset }
    #expect(LikelyMistakes.placeNote(status) == text)
  }
}
