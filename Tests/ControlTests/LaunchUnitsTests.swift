import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage
import Systemd
import Testing

@testable import GeofenceDaemon

/// Since when events wait for the unit of a monitor, and what changes that.
@Suite(.timeLimit(.minutes(10))) struct LaunchUnitsTests: MonitoringSuite {
  let machine: MonitoringMachine
  private let unit: UnitName

  init() throws {
    machine = try MonitoringMachine()
    unit = try #require(UnitName("greeter.service"))
  }

  private func since(_ monitoring: Monitoring) async throws -> Int64? {
    try await monitoring.launchSettings(configured: [:])[own]?.since
  }

  @Test func `a consumer that was far behind makes no old event wait when it is removed`()
    async throws
  {
    let monitoring = try machine.start()
    try await monitoring.append(5, user: 1000)
    let key = ConsumerKey(owner: 1000, monitor: own.name, name: "reader")
    _ = try await monitoring.consumer(key, reading: .init(user: 1000), since: 2)
    try await monitoring.setLaunchUnit(unit, of: own)
    #expect(try await since(monitoring) == 5)
    try await monitoring.removeConsumer(key)
    #expect(try await since(monitoring) == 5)
  }

  @Test func `a unit that is configured again isn't started for what came meanwhile`() async throws
  {
    let monitoring = try machine.start()
    let units = [own: unit]
    #expect(try await monitoring.takeLaunchUnits(configured: units)[own]?.since == 0)
    try await monitoring.append(2, user: 1000)
    #expect(try await monitoring.takeLaunchUnits(configured: units)[own]?.since == 0)
    #expect(try await monitoring.takeLaunchUnits(configured: [:]).isEmpty)
    try await monitoring.append(1, user: 1000)
    #expect(try await monitoring.takeLaunchUnits(configured: units)[own]?.since == 3)
  }

  @Test func `a wish stays when that of the configuration is stored late`() async throws {
    let monitoring = try machine.start()
    let broken = try machine.breakTable("monitor")
    #expect(try await monitoring.takeLaunchUnits(configured: [own: unit])[own]?.since == 0)
    try broken.mend()
    let other = try #require(UnitName("reader.service"))
    try await monitoring.setLaunchUnit(other, of: own)
    await monitoring.checkpoint()
    #expect(try await monitoring.launchSettings(configured: [:])[own]?.unit == other)
  }

  @Test func `who waits to start units hears of a consumer that was removed`() async throws {
    let served = try ConsumersServed(on: machine)
    let name = ConsumerName(monitor: own.name, consumer: "reader")
    try await served.run {
      try await served.call(Consume.self, Consume.Parameters(name))
      let before = served.methods.launches.changes.latest
      try await served.call(RemoveConsumer.self, name)
      #expect(served.methods.launches.changes.latest > before)
    }
  }
}
