import ControlInterface
import Geofencing
import SQLite
import Testing

@testable import GeofenceDaemon
@testable import MonitorStorage

/// How the oldest events leave the log.
@Suite(.timeLimit(.minutes(10))) struct DroppedEventsTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  /// An event of each of so many conditions, in a log that is to keep four.
  private func fill(_ count: Int, pending: Int) async throws -> Monitoring {
    let monitoring = try machine.start {
      $0.storage.maximumPending = pending
      $0.storage.eventRetention = 4
    }
    for number in 0..<count {
      _ = try await monitoring.add(
        circle(), identifier: "c\(number)", to: own, assuming: .unknown)
    }
    try await drive(monitoring, "i", from: 0)
    return monitoring
  }

  @Test func `drops old events some at a time`() async throws {
    let monitoring = try await fill(35, pending: 10)
    await monitoring.dropOldEvents()
    // The rest waits until somebody has time.
    #expect(try await machine.events().map(\.sequence) == Array(11...35))
    while await monitoring.hasOldEvents { await monitoring.dropOldEvents() }
    #expect(try await machine.events().map(\.sequence) == [32, 33, 34, 35])
    #expect(
      try await monitoring.page(maximumBytes: .max).records
        .compactMap { $0.lastEvent?.sequence }.sorted() == Array(1...35))
  }

  @Test func `drops none with the last checkpoint, after which nobody is told who misses them`()
    async throws
  {
    let monitoring = try await fill(35, pending: 100)
    await monitoring.checkpoint()
    #expect(try await machine.events().count == 35)
    machine.wait(.seconds(60))
    await monitoring.tick()
    #expect(try await machine.events().count == 4)
  }

  @Test func `drops old events also while new ones keep coming`() async throws {
    let monitoring = try machine.start { $0.storage.eventRetention = 10 }
    // Each is written with the last fix, so that no checkpoint falls due in between.
    for round in 0..<120 {
      _ = try await monitoring.add(
        circle(), identifier: "place-\(round)", to: own, assuming: .satisfied)
      _ = try await monitoring.remove(key("place-\(round)"))
      machine.wait(.seconds(30))
      await monitoring.tick()
    }
    #expect(try await machine.events().map(\.sequence) == Array(111...120))
  }

  @Test func `that none can be dropped is told for itself`() async throws {
    let monitoring = try await fill(300, pending: 1_000)
    let broken = try machine.breakTable("event", on: "DELETE")
    await monitoring.dropOldEvents()
    while await monitoring.hasOldEvents { await monitoring.dropOldEvents() }
    func trouble() async -> String? { await monitoring.summary(ofUser: nil).storageFailure }
    #expect(await trouble()?.hasPrefix("old events can't be removed: no room left") == true)
    #expect(await monitoring.storageFailure == nil)
    // What is new is stored all the same, which doesn't mend that.
    try await drive(monitoring, "oooo", from: 1)
    #expect(try await machine.events().count == 600)
    #expect(await trouble() != nil)
    try broken.mend()
    repeat { await monitoring.dropOldEvents() } while await monitoring.hasOldEvents
    #expect(await trouble() == nil)
    #expect(try await machine.events().map(\.sequence) == [597, 598, 599, 600])
  }

  @Test func `fewer are dropped at a time where there is no room for more`() async throws {
    let monitoring = try await fill(300, pending: 1_000)
    let connection = try Connection(path: machine.directory + "/geofenced.db")
    // A disk that is full after a hundred rows, until what was written is where it belongs.
    try connection.execute(
      """
      CREATE TABLE written (row);
      CREATE TRIGGER filling AFTER DELETE ON event
      BEGIN INSERT INTO written VALUES (zeroblob(40000)); END
      """)
    try await monitoring.leaveRoom(forPages: 1_000)
    var rounds = 0
    repeat {
      rounds += 1
      try connection.execute("DELETE FROM written")
      await monitoring.dropOldEvents()
      #expect(await monitoring.retentionFailure == nil)
    } while await monitoring.hasOldEvents
    #expect(rounds > 4)
    #expect(try await machine.events().map(\.sequence) == [297, 298, 299, 300])
  }
}

extension Monitoring {
  /// Lets the database grow by no more than so many pages, as on a disk that is nearly full.
  fileprivate func leaveRoom(forPages count: Int64) throws {
    let pages = try #require(log.connection.query("PRAGMA page_count").first?.first?.integer)
    try log.connection.execute("PRAGMA max_page_count=\(pages + count)")
  }
}
