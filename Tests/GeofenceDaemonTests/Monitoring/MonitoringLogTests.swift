import ControlInterface
import EventDelivery
import Geofencing
import LinuxSystem
import MonitorStorage
import Testing

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(10))) struct `The event log of the monitoring actor`: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  @Test func `a clock that is set doesn't make the events of this run old`() async throws {
    func start() throws -> Monitoring {
      try machine.start { $0.storage.eventRetentionTime = .seconds(90 * 86_400) }
    }
    machine.setClock(wrongBy: .seconds(-20 * 365 * 86_400))
    let monitoring = try start()
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .satisfied)
    _ = try await monitoring.remove(key("home"))
    machine.setClock(wrongBy: .zero)
    await monitoring.dropOldEvents()
    #expect(try await machine.events().count == 1)
    // In the next run it is as old as it says, when the clock has had time to be set.
    let next = try start()
    machine.wait(.seconds(3599))
    await next.dropOldEvents()
    #expect(try await machine.events().count == 1)
    machine.wait(.seconds(1))
    await next.dropOldEvents()
    #expect(try await machine.events() == [])
  }

  @Test(arguments: [true, false])
  func `a clock that is set wrong later makes nothing old that the receiver says is new`(
    hasFix: Bool
  ) async throws {
    func start() throws -> Monitoring {
      try machine.start { $0.storage.eventRetentionTime = .seconds(90 * 86_400) }
    }
    let before = try start()
    _ = try await before.add(circle(), identifier: "home", to: own, assuming: .satisfied)
    _ = try await before.remove(key("home"))
    let monitoring = try start()
    machine.wait(.seconds(7200))
    if hasFix { try await drive(monitoring, "i", from: 8200) }
    machine.setClock(wrongBy: .seconds(5 * 365 * 86_400))
    await monitoring.dropOldEvents()
    #expect(try await machine.events().count == (hasFix ? 1 : 0))
  }

  @Test func `a clock that was ahead once doesn't keep old events for ever`() async throws {
    let monitoring = try machine.start { $0.storage.eventRetentionTime = .seconds(1000) }
    for (index, error) in [20 * 365 * 86_400, 0].enumerated() {
      machine.setClock(wrongBy: .seconds(error))
      _ = try await monitoring.add(
        circle(), identifier: "place-\(index)", to: own, assuming: .satisfied)
      _ = try await monitoring.remove(key("place-\(index)"))
    }
    machine.wait(.seconds(999))
    await monitoring.dropOldEvents()
    #expect(try await machine.events().count == 2)
    machine.wait(.seconds(2))
    await monitoring.dropOldEvents()
    #expect(try await machine.events() == [])
  }

  @Test func `drops events that are too many or too old, but not their numbers`() async throws {
    let monitoring = try machine.start {
      $0.storage.eventRetention = 4
      $0.storage.eventRetentionTime = .seconds(1000)
    }
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unsatisfied)
    for round in 0..<3 { try await drive(monitoring, "iioooo", from: Double(round) * 6) }
    await monitoring.dropOldEvents()
    #expect(try await machine.events().map(\.sequence) == [3, 4, 5, 6])
    machine.wait(.seconds(999))
    await monitoring.dropOldEvents()
    #expect(try await machine.events().map(\.sequence) == [6])
    machine.wait(.seconds(10))
    await monitoring.dropOldEvents()
    #expect(try await machine.events() == [])
    #expect(try await monitoring.record(for: key("home")).lastEvent?.sequence == 6)
    #expect(await monitoring.summary(ofUser: nil).lastSequence == 6)
  }

  @Test func `keeps the places of consumers`() async throws {
    let monitoring = try machine.start()
    let journal = EventConsumer(name: "journal")
    let socket = EventConsumer(name: "events-socket/7", user: 7)
    #expect(try await monitoring.register(journal) == 0)
    #expect(try await monitoring.register(socket) == 0)
    try await monitoring.setCursor(of: journal, to: 17)
    let again = try machine.start()
    #expect(try await again.register(journal) == 17)
    #expect(
      try await again.places(visibleTo: nil).map(\.name) == ["events-socket/7", "journal"])
    #expect(try await again.places(visibleTo: 7).map(\.filter.user) == [7])
    #expect(try await again.places(visibleTo: 8) == [])
  }

  @Test func `an orderly end leaves all in one file, also while somebody reads`() async throws {
    let monitoring = try await watching(assuming: .satisfied)
    _ = try await monitoring.remove(key("home"))
    let reader = EventReader(path: await monitoring.path)
    #expect(try await reader.page(after: 0, limit: 9).events.count == 1)
    await monitoring.finish()
    #expect(try FileStatus(path: await monitoring.path + "-wal").bytes == 0)
    #expect(try await reader.page(after: 0, limit: 9).events.count == 1)
  }

  /// How far a new start has the journal go on; it keeps for sure what it has for a minute.
  private func place() async throws -> Int64 {
    try await machine.start().register(Self.journal)
  }

  private static let journal = EventConsumer(name: "journal", syncDelay: .seconds(60))

  @Test func `what a power cut may have taken is told again, and nothing after a restart alone`()
    async throws
  {
    let monitoring = try machine.start()
    #expect(try await monitoring.register(Self.journal) == 0)
    try await monitoring.setCursor(of: Self.journal, to: 3)
    machine.wait(.seconds(59))
    try await monitoring.setCursor(of: Self.journal, to: 5)
    #expect(try await place() == 5)
    machine.reboot()
    #expect(try await place() == 0)
    // All of it is in the log, so nothing is missed.
    #expect(try await monitoring.places(visibleTo: nil).map(\.lagged) == [nil])
  }

  @Test func `what was told long enough before a power cut isn't told again`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.register(Self.journal)
    try await monitoring.setCursor(of: Self.journal, to: 3)
    machine.wait(.seconds(30))
    try await monitoring.setCursor(of: Self.journal, to: 5)
    machine.wait(.seconds(30))
    try await monitoring.setCursor(of: Self.journal, to: 6)
    machine.reboot()
    #expect(try await place() == 3)
    // Nothing that is told again is taken for kept before its time, however often the power fails.
    for _ in 1...3 {
      let next = try machine.start()
      #expect(try await next.register(Self.journal) == 3)
      machine.wait(.seconds(50))
      try await next.setCursor(of: Self.journal, to: 6)
      machine.wait(.seconds(50))
      await next.checkpoint()
      #expect(try await place() == 6)
      machine.reboot()
    }
    // Also when nothing happens any more.
    let last = try machine.start()
    _ = try await last.register(Self.journal)
    try await last.setCursor(of: Self.journal, to: 6)
    machine.wait(.seconds(60))
    await last.checkpoint()
    machine.reboot()
    #expect(try await place() == 6)
  }

  @Test func `what a power cut took and the log has no more is told as missed`() async throws {
    let monitoring = try machine.start { $0.storage.eventRetention = 2 }
    _ = try await monitoring.register(Self.journal)
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unsatisfied)
    try await drive(monitoring, "iioooo", from: 0)
    try await monitoring.setCursor(of: Self.journal, to: 1)
    machine.wait(.seconds(60))
    await monitoring.checkpoint()
    try await drive(monitoring, "iioooo", from: 60)
    try await monitoring.setCursor(of: Self.journal, to: 4)
    await monitoring.dropOldEvents()
    #expect(try await machine.events().map(\.sequence) == [3, 4])
    let reader = EventReader(path: machine.directory + "/geofenced.db")
    func page(after place: Int64) async throws -> EventReader.Page {
      try await reader.page(after: place, matching: EventReader.Filter(), limit: 10, of: "journal")
    }
    #expect(try await place() == 4)
    #expect(try await page(after: 4).lagged == nil)
    machine.reboot()
    #expect(try await place() == 1)
    #expect(try await page(after: 1).lagged == Lagged(first: 2, last: 2))
    #expect(try await page(after: 1).events.map(\.sequence) == [3, 4])
  }

  @Test func `who loses nothing with the power goes on where it was`() async throws {
    let socket = EventConsumer(name: "events-socket/0")
    try await machine.start().setCursor(of: socket, to: 5)
    machine.reboot()
    #expect(try await machine.start().register(socket) == 5)
  }
}
