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
      try await served.consume(name)
      let before = served.methods.launches.changes.latest
      try await served.call(RemoveConsumer.self, name)
      #expect(served.methods.launches.changes.latest > before)
    }
  }

  @Test func `no unit is set when that can't be stored`() async throws {
    let monitoring = try machine.start()
    let broken = try machine.breakTable("monitor")
    let error = await #expect(throws: ControlError.self) {
      try await monitoring.setLaunchUnit(unit, of: own)
    }
    #expect(error?.name == .persistenceUnavailable)
    #expect(await monitoring.summary(ofUser: nil).storageFailure != nil)
    #expect(try await monitoring.launchSettings(configured: [:])[own] == nil)
    try broken.mend()
    try await monitoring.setLaunchUnit(unit, of: own)
    #expect(try await monitoring.launchSettings(configured: [:])[own]?.unit == unit)
  }

  @Test func `units of the configuration are there also where that can't be stored`() async throws {
    let monitoring = try machine.start()
    let units = [own: unit]
    let broken = try machine.breakTable("monitor")
    let first = try await monitoring.takeLaunchUnits(configured: units)
    _ = try await monitoring.add(circle(), identifier: "x", to: own, assuming: .satisfied)
    _ = try await monitoring.remove(key("x"))
    let second = try await monitoring.takeLaunchUnits(configured: units)
    #expect(first[own]?.since == 0 && second[own]?.since == 0)
    try broken.mend()
    await monitoring.tick()
    #expect(await monitoring.summary(ofUser: nil).storageFailure == nil)
    let again = try machine.start()
    #expect(try await again.takeLaunchUnits(configured: units)[own]?.since == 0)
  }

  @Test func `who looks at units by an older configuration changes nothing`() async throws {
    let monitoring = try machine.start()
    let units = [own: unit]
    _ = try await monitoring.takeLaunchUnits(configured: units)
    _ = try await monitoring.add(circle(), identifier: "x", to: own, assuming: .satisfied)
    _ = try await monitoring.remove(key("x"))
    #expect(try await monitoring.launchSettings(configured: [:]).isEmpty)
    #expect(try await monitoring.launchSettings(configured: units)[own]?.since == 0)
  }
}
