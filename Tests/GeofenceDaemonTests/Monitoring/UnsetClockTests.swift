import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What a clock does that isn't set yet when the daemon starts.
struct UnsetClockTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  /// What is ended is gone: a clock that was years ahead at a start can be set, and a condition not be
  /// watched again.
  @Test(arguments: [false, true])
  func `a clock that is ahead at a start ends no condition`(hasFixes: Bool) async throws {
    let first = try await watching(circle(expires: at(50_000)), assuming: .unknown)
    try await drive(first, "iiiii", from: 0)
    await first.checkpoint()

    machine.setClock(wrongBy: .seconds(13 * 365 * 86_400))
    let second = try machine.start()
    if hasFixes { try await drive(second, "iiiii", from: 10) }
    await second.tick()
    machine.wait(.seconds(3500))
    await second.tick()
    #expect(try await second.page(limit: 9).records.count == 1)
    // In an hour it has had time to be set.
    machine.wait(.seconds(100))
    await second.tick()
    #expect(try await second.page(limit: 9).records == [])
  }

  @Test func `a condition whose time is over ends with the first fix after a long absence`()
    async throws
  {
    let first = try await watching(circle(expires: at(90_000)), assuming: .unknown)
    try await drive(first, "ooooo", from: 0)
    await first.checkpoint()
    machine.wait(.seconds(200_000))
    let second = try machine.start()
    await second.tick()
    #expect(try await second.page(limit: 9).records.count == 1)
    try await drive(second, "iiiii", from: 200_010)
    #expect(try await second.page(limit: 9).records == [])
    let events = try await machine.events().map(\.transition)
    #expect(events.allSatisfy { $0.kind != .entered })
    #expect(events.last?.reason == .expired)
  }

  @Test func `what was logged since the start isn't too old because the clock was set`()
    async throws
  {
    let monitoring = try machine.start()
    try await monitoring.append(1)
    let years = 50 * 365 * 86_400
    machine.setClock(wrongBy: .seconds(years))
    try await drive(monitoring, "oo", from: 1000 + Double(years))
    await monitoring.dropOldEvents()
    #expect(try await machine.events().map(\.sequence) == [1])
  }
}
