import CommandLineParsing
import ControlInterface
import Geofencing
import Testing

@testable import GeofenceCommands

/// What `geofenced ctl status --check` finds.
struct StatusCheckTests {
  private func problems(
    fixWithin: Duration? = nil, waitingAtMost: Int? = nil, conditionsAtLeast: Int? = nil,
    _ monitors: [MonitorSummary] = [], _ change: (inout Status.Reply) -> Void
  ) -> [String] {
    var reply = Status.Reply.sample()
    change(&reply)
    let demands = StatusCheck.Demands(
      fixWithin: fixWithin, waitingAtMost: waitingAtMost, conditionsAtLeast: conditionsAtLeast)
    return StatusCheck(reply, monitors, demands).problems
  }

  @Test func `a daemon that does as it should has no problems`() {
    #expect(problems(fixWithin: .seconds(600)) { _ in } == [])
    #expect(StatusCheck(.sample { $0.watched = false }, []).text == "all is well\n")
  }

  @Test func `a receiver that isn't heard is a problem, unless nothing needs it or it rests`() {
    let away = ["receiver: not reached at 127.0.0.1:2947: refused"]
    #expect(problems { $0.receiver.disconnection = "refused" } == away)
    // Looks at one that rests fail, too.
    #expect(
      problems {
        ($0.receiver.disconnection, $0.receiver.released) = ("refused", true)
      } == away)
    #expect(problems { $0.receiver.silent = true }.first?.hasPrefix("receiver: gpsd 3.25") == true)
    #expect(
      problems { ($0.receiver.silent, $0.receiver.released) = (true, true) } == [])
    #expect(
      problems(fixWithin: .seconds(1)) {
        ($0.receiver.lastFixAge, $0.receiver.released) = (900, true)
      } == [])
    #expect(
      problems(fixWithin: .seconds(1)) {
        ($0.receiver.disconnection, $0.receiver.watched) = ("refused", false)
      } == [])
  }

  @Test(
    arguments: [
      (nil, nil, 900, nil), (nil, 700, 900, nil), (600, 599.5, 900, nil),
      (600, 700, 900, "receiver: no fix for 11 min 40 s"), (600, 700, 1, nil),
      (600, nil, 601, "receiver: no fix since the daemon started"), (600, nil, 1, nil),
      (600, nil, nil, "receiver: no fix since the daemon started"),
      (600, 1e300, 900, "receiver: no fix for 106751 d 23 h"),
    ] as [(Int?, Double?, Double?, String?)])
  func `no fix is a problem where somebody says within which time of use there has to be one`(
    within: Int?, age: Double?, used: Double?, problem: String?
  ) {
    let found = problems(fixWithin: within.map { .seconds($0) }) {
      ($0.receiver.lastFixAge, $0.receiver.usedFor) = (age, used)
    }
    #expect(found == (problem.map { [$0] } ?? []))
  }

  @Test func `clocks of which one must be wrong are a problem where the receiver is needed`() {
    #expect(problems { $0.receiver.clockOffset = 86_399 } == [])
    let found = problems { $0.receiver.clockOffset = -619_315_200 }
    #expect(
      found == [
        "clock: the receiver's clock is 7168 d 0 h behind; events bear its time: set this machine's "
          + "clock, or restart or replace the receiver"
      ])
    #expect(
      problems { ($0.receiver.clockOffset, $0.receiver.watched) = (-619_315_200, false) } == [])
  }

  @Test(
    arguments: [
      (92, 90, nil), (3, 91, nil),
      (
        92, 91,
        "receiver: for 1 min 31 s positions 39.0 km from the last fix have been refused "
          + "(impossibleSpeed); they contradict each other, or are faster than MaximumSpeed="
      ),
    ] as [(Int, Double, String?)])
  func `positions that are refused for longer than it takes to believe them are a problem`(
    positions: Int, seconds: Double, problem: String?
  ) {
    let found = problems {
      $0.receiver.doubt = Status.Doubt(
        reason: "impossibleSpeed", positions: positions, seconds: seconds, distance: 39_000,
        believedAfter: 30)
    }
    #expect(found == (problem.map { [$0] } ?? []))
  }

  @Test func `what a consumer has missed is a problem, but not of who may want nothing any more`() {
    let found = problems { reply in
      reply.consumers = ["journal", "events-socket/7", "mqtt"].map {
        var consumer = Status.Consumer(name: $0, cursor: 9, waiting: 0)
        consumer.lagged = Lagged(first: 1, last: 9, events: 4)
        return consumer
      }
      reply.consumers[1].connected = false
      (reply.consumers[2].user, reply.consumers[2].connected) = (7, false)
    }
    #expect(
      found == [
        "consumer journal: missed 4 events from #1 to #9",
        "consumer mqtt of user 7, all monitors: missed 4 events from #1 to #9",
      ])
    var journal = Status.Consumer(name: "journal", cursor: 0, waiting: 0)
    (journal.disabled, journal.lagged) = (true, Lagged(first: 1, last: 9, events: 4))
    #expect(problems { $0.consumers = [journal] } == [])
  }

  @Test(
    arguments: [
      (nil, []), (2016, []),
      (
        2015,
        [
          "consumer journal: 2016 events behind",
          "consumer http of user 7, monitor trip: 2016 events behind, away",
        ]
      ),
    ] as [(Int?, [String])])
  func `what waits for a consumer with a name is a problem, where somebody says how much may`(
    most: Int?, expected: [String]
  ) {
    let found = problems(waitingAtMost: most) { reply in
      reply.consumers = ["journal", "events-socket/7", "http", "journal"].map {
        Status.Consumer(name: $0, cursor: 9, waiting: 2016)
      }
      reply.consumers[1].connected = false
      (reply.consumers[2].user, reply.consumers[2].monitor) = (7, "trip")
      reply.consumers[2].connected = false
      reply.consumers[3].disabled = true
    }
    #expect(found == expected)
  }

  @Test(
    arguments: [(nil, []), (3, []), (4, ["conditions: 3 watched, fewer than 4"])]
      as [(Int?, [String])])
  func `too few conditions are a problem, where somebody says how many there have to be`(
    least: Int?, expected: [String]
  ) {
    #expect(problems(conditionsAtLeast: least) { _ in } == expected)
  }

  @Test(arguments: [
    (["--waiting-at-most", "9"], "--waiting-at-most needs --check"),
    (["--conditions-at-least", "9"], "--conditions-at-least needs --check"),
    (["--fix-within", "9s"], "--fix-within needs --check"),
    (
      ["--check", "--waiting-at-most", "-1"],
      "--waiting-at-most wants a whole number from 0, got -1"
    ),
  ])
  func `what it doesn't take is told before anything is asked`(
    words: [String], message: String
  ) async throws {
    let arguments = try arguments(["ctl", "status"] + words)
    let error = await #expect(throws: UsageError.self) { try await StatusCommand.run(arguments) }
    #expect(error?.description == "geofenced ctl status: " + message)
  }

  @Test func `what fails, what was lost, and a damaged log that is still there are problems`() {
    var monitor = MonitorSummary(MonitorKey(user: 7, name: "trip"))
    monitor.launchFailure = "no such unit"
    let sound = MonitorSummary(MonitorKey(user: 7, name: "sound"))
    let found = problems([sound, monitor]) {
      $0.consumers = [
        Status.Consumer(name: "journal", cursor: 0, waiting: 9),
        Status.Consumer(name: "events-socket/0", cursor: 0, waiting: 9),
      ]
      $0.consumers[0].failure = "journald is away"
      ($0.storage.failure, $0.storage.pending, $0.storage.lost) = ("full", 2, 1)
      $0.storage.setAside = "/state/geofenced.db.damaged"
    }
    #expect(
      found == [
        "consumer journal: journald is away",
        "unit of monitor trip of user 7: no such unit",
        "storage: /state/geofenced.db FAILS: full; 2 events wait in memory",
        "storage: 1 event was lost since the daemon started",
        "storage: a damaged log was set aside as /state/geofenced.db.damaged: remove it once you "
          + "have dealt with it",
      ])
  }
}
