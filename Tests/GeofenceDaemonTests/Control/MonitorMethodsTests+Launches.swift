import ControlInterface
import Geofencing
import LinuxSystem
import MonitorStorage
import Systemd
import Testing
import Varlink

@testable import GeofenceDaemon

/// When the units of monitors are started.
extension MonitorMethodsTests {
  @Test func `an event starts the unit of its monitor once, and no other's`() async throws {
    try await serving { client in
      // What happened before the wish is no reason.
      try await makeEvent()
      _ = try await set("a.service", client)
      _ = try await set("b.service", client, monitor: "other")
      try await makeEvent()
      try await wait { $0.outcome(of: own).launched != nil }
      #expect(started.units == ["a.service"])
      let shown = try #require(try await list(client).first { $0.monitor == "default" })
      #expect(shown.launched != nil)
      #expect(shown.launchFailure == nil)
      #expect(shown.waiting == 0)
      try await makeEvent("other")
      try await started.count.wait(after: 1)
      #expect(started.units == ["a.service", "b.service"])
    }
    // A restart doesn't start them again for the same events.
    let settings = try await monitoring.launchSettings(configured: [:])
    #expect(settings[own]?.since == 2)
  }

  @Test func `who reads all monitors stands in for no consumer of one`() async throws {
    let reads = ConsumerName(monitor: "default", consumer: "app")
    try await serving { client in
      try await client.call(Consume.self, Consume.Parameters(reads))
      let logger = ConsumerKey(owner: own.user, monitor: nil, name: "logger")
      let holder = try connected.hold(logger)
      _ = try await set("a.service", client)
      #expect(try await list(client).map(\.connected) == [false])
      try await makeEvent()
      try await wait { $0.outcome(of: own).launched != nil }
      #expect(started.units == ["a.service"])
      // Without one of its own, whoever reads all monitors is the one.
      #expect(connected.isConnected(to: own, includingAll: true))
      connected.release(holder, of: logger)
    }
  }

  @Test func `no unit is started for events that have left the log`() async throws {
    let name = ConsumerName(monitor: "default", consumer: "app")
    let key = ConsumerKey(owner: own.user, monitor: "default", name: "app")
    try await serving { client in
      for (unit, monitor) in [("a", "default"), ("b", "second"), ("c", "third")] {
        _ = try await set("\(unit).service", client, monitor: monitor)
      }
      try await client.call(Consume.self, Consume.Parameters(name))
      let holder = try connected.hold(key)
      try await makeEvent()
      // That the second is started says that the first was seen.
      try await makeEvent("second")
      try await started.count.wait(after: 0)
      try await monitoring.keep(0)
      connected.release(holder, of: key)
      try await makeEvent("third")
      try await started.count.wait(after: 1)
      #expect(started.units == ["b.service", "c.service"])
    }
  }

  @Test func `what a consumer had read is no reason to start the unit when it is removed`()
    async throws
  {
    let name = ConsumerName(monitor: "default", consumer: "app")
    let key = ConsumerKey(owner: own.user, monitor: "default", name: "app")
    try await serving { client in
      _ = try await set("a.service", client)
      try await client.call(Consume.self, Consume.Parameters(name))
      let holder = try connected.hold(key)
      for sequence in 1...2 as ClosedRange<Int64> {
        try await makeEvent()
        try await client.call(Acknowledge.self, Acknowledge.Parameters(name, sequence: sequence))
      }
      connected.release(holder, of: key)
      try await client.call(RemoveConsumer.self, name)
      #expect(try await list(client).map(\.waiting) == [0])
      // What comes now is one.
      try await makeEvent()
      try await wait { $0.outcome(of: own).launched != nil }
      #expect(launches.current.value.through(of: own) == 3)
      #expect(started.units == ["a.service"])
    }
  }

  @Test func `a failure is shown until the start works`() async throws {
    configuration.replace(
      with: {
        var quick = Configuration()
        quick.launch.interval = .milliseconds(1)
        return quick
      }())
    started.fail(with: LaunchFailure(.noSuchUnit, "there is no a.service"))
    try await serving { client in
      _ = try await set("a.service", client)
      try await makeEvent()
      try await wait { $0.outcome(of: own).failure != nil }
      let shown = try #require(try await list(client).first)
      #expect(shown.launchFailure == "there is no a.service")
      #expect(shown.launched == nil)
      #expect(shown.waiting == 1)
      // What was taken back isn't tried again.
      _ = try await set(nil, client)
      #expect(try await list(client).first?.launchFailure == nil)
      _ = try await set("a.service", client)
      try await makeEvent()
      started.fail(with: nil)
      try await wait { $0.outcome(of: own).launched != nil }
      #expect(try await list(client).first?.launchFailure == nil)
    }
  }

  @Test func `setting the same unit again forgets no event that waits`() async throws {
    let unit = try #require(UnitName("a.service"))
    for _ in 1...2 {
      try await monitoring.setLaunchUnit(unit, of: own)
      #expect(try await monitoring.launchSettings(configured: [:])[own]?.since == 0)
      try await makeEvent()
    }
  }

  @Test func `a unit that is set while others are starts for what waits from before`() async throws
  {
    try await serving { client in
      try await client.call(
        Consume.self, Consume.Parameters(ConsumerName(monitor: "other", consumer: "app")))
      try await makeEvent("other")
      _ = try await set("a.service", client)
      try await makeEvent()
      try await started.count.wait(after: 0)
      _ = try await set("b.service", client, monitor: "other")
      try await started.count.wait(after: 1)
      #expect(started.units == ["a.service", "b.service"])
    }
  }
}
