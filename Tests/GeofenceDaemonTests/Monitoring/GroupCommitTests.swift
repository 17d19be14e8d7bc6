import ControlInterface
import EventDelivery
import Geofencing
import Glibc
import JSONCoding
import LinuxSystem
import Positioning
import SQLite
import Testing

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(10))) struct `Fixes that came together`: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  private func update(_ second: Double, inside: Bool) throws -> LocationUpdate {
    LocationUpdate(location: try fix(second, inside: inside))
  }

  /// One fix a letter, of which nothing is written.
  private func judge(_ monitoring: Monitoring, _ letters: String) async throws {
    for (index, letter) in letters.enumerated() {
      await monitoring.judge(try update(Double(index), inside: letter == "i"))
    }
  }

  private let expected = ["1 home entered 1", "2 home exited 5", "3 home entered 7"]

  @Test func `have their events written in one transaction, in order`() async throws {
    let monitoring = try await watching(assuming: .unsatisfied)
    try await judge(monitoring, "iiooooii")
    #expect(try await machine.events() == [])
    #expect(monitoring.signal.latest == 0)
    await monitoring.commitJudged()
    let events = try await machine.events()
    #expect(short(events) == expected)
    #expect(Set(events.map(\.recorded)).count == 1)
    #expect(monitoring.signal.latest == 3)
    // Those who are up to date are told the same from memory.
    let recent = try #require(monitoring.recent.events(after: 1, of: own.user, limit: 9))
    #expect(try recent.map(\.body) == events.dropFirst().map { try CanonicalJSON.text($0) })
    #expect(monitoring.recent.events(after: 0, of: 1, limit: 9) == [])
  }

  @Test func `lose and reorder nothing when they can't be written at once`() async throws {
    let monitoring = try await watching(assuming: .unsatisfied)
    let broken = try machine.breakTable("event")
    try await judge(monitoring, "iioooo")
    await monitoring.commitJudged()
    #expect(await monitoring.summary(ofUser: nil).pending == 2)
    #expect(monitoring.recent.events(after: 0, of: nil, limit: 9) == nil)
    try broken.mend()
    for second in [6.0, 7] { await monitoring.judge(try update(second, inside: true)) }
    await monitoring.commitJudged()
    #expect(short(try await machine.events()) == expected)
  }

  /// Of 80, the disk takes the first 64.
  @Test func `are decided anew from where the log ends, when only some were written`() async throws
  {
    let monitoring = try await watching(assuming: .unsatisfied)
    let broken = try machine.breakTable("event")
    try await judge(monitoring, String(repeating: "iioooo", count: 40) + "ii")
    await monitoring.commitJudged()
    #expect(await monitoring.summary(ofUser: nil).pending == 81)
    try broken.mend()
    let connection = try Connection(path: machine.directory + "/geofenced.db")
    try connection.execute(
      """
      CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.sequence > 64
      BEGIN SELECT RAISE(ABORT, 'no room left'); END
      """)
    await monitoring.commitJudged()
    #expect(await monitoring.summary(ofUser: nil).pending == 17)
    #expect(try await machine.events().last?.transition.state == .unsatisfied)
    try connection.execute("DROP TRIGGER full")
    let next = try machine.start()
    let key = ConditionKey(monitor: own, identifier: "home")
    #expect(try await next.record(for: key).state == .unsatisfied)
    try await drive(next, "ii", from: 300)
    #expect(try await machine.events().dropFirst(64).map(\.transition.kind) == [.entered])
  }

  @Test func `aren't told from memory once they have left the log`() async throws {
    let monitoring = try await watching(assuming: .unsatisfied) { $0.storage.eventRetention = 1 }
    try await drive(monitoring, "iioooo", from: 0)
    await monitoring.dropOldEvents()
    #expect(monitoring.recent.events(after: 0, of: nil, limit: 9) == nil)
    #expect(try await machine.events().map(\.sequence) == [2])
  }

  @Test func `are read, judged and told on one thread`() async throws {
    let monitoring = try machine.start()
    let judging = await monitoring.thread
    let reading = await monitoring.loop.run {
      try? await monitoring.loop.poller.sleep(for: .milliseconds(1))
      return pthread_self()
    }
    #expect(reading == judging)
  }
}

extension Monitoring {
  fileprivate var thread: pthread_t { pthread_self() }
}
