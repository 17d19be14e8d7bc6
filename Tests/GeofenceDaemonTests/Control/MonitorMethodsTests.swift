import ControlInterface
import Foundation
import Geofencing
import LinuxSystem
import MonitorStorage
import SQLite
import Synchronization
import Systemd
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// The methods about monitors, and the service that starts their units, with a launcher that is played.
@Suite(.timeLimit(.minutes(10))) struct MonitorMethodsTests {
  private let folder: TemporaryFolder
  let configuration: ConfigurationStore
  let connected = ConnectedConsumers()
  let launches = WatchedState(LaunchPolicy(interval: .zero))
  let monitoring: Monitoring
  private let server: VarlinkServer
  let started = Started()
  let own = MonitorKey(user: getuid(), name: "default")

  private var path: String { folder.path + "/io.geofenced" }

  init() throws {
    folder = try TemporaryFolder()
    // No unit is started a second time because the machine is busy.
    var rare = Configuration()
    rare.launch.interval = .seconds(3600)
    let configuration = ConfigurationStore(rare)
    self.configuration = configuration
    let database = try MonitorDatabase(
      directory: folder.path, now: DaemonClock.system.now())
    monitoring = try Monitoring(database, settings: Configuration(), clock: .system)
    let methods = ControlMethods(
      monitoring, in: folder.path, configuration: { configuration.current }, connected: connected,
      launches: launches)
    server = try methods.server()
  }

  /// Takes the place of the service managers: notes what it was asked for, and fails when told to.
  final class Started: Sendable {
    private let state = Mutex<(units: [String], failure: LaunchFailure?)>(([], nil))
    let count = SequenceSignal(latest: 0)

    func start(_ unit: UnitName, of user: UInt32) throws(LaunchFailure) {
      let failure = state.withLock { state in
        state.units.append("\(user == getuid() ? "" : "?")\(unit)")
        return state.failure
      }
      count.advance()
      if let failure { throw failure }
    }

    func fail(with failure: LaunchFailure?) {
      state.withLock { $0.failure = failure }
    }

    var units: [String] { state.withLock { $0.units } }
  }

  /// Serves, and starts units, while the body runs.
  func serving(_ body: (VarlinkConnection) async throws -> Void) async throws {
    let service = LaunchService(
      monitoring: monitoring, reader: EventReader(path: folder.path + "/geofenced.db"),
      connected: connected, launches: launches, configuration: configuration, log: OperatorLog(),
      clock: .system
    ) { [started] unit, user async throws(LaunchFailure) in
      try started.start(unit, of: user)
    }
    try await server.run(at: path, beside: service.run) {
      try await body(try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs))
    }
  }

  func set(
    _ unit: String?, _ client: VarlinkConnection, monitor: String = "default", user: UInt32? = nil
  ) async throws -> MonitorSummary {
    try await client.call(
      SetMonitor.self, SetMonitor.Parameters(user: user, monitor: monitor, launchUnit: unit)
    ).monitor
  }

  func list(_ client: VarlinkConnection) async throws -> [MonitorSummary] {
    try await client.call(Monitors.self, Monitors.Parameters(user: getuid())).monitors
  }

  /// Makes an event: the end of a condition.
  func makeEvent(_ monitor: String = "default") async throws {
    let key = MonitorKey(user: getuid(), name: monitor)
    _ = try await monitoring.add(circle(), identifier: "x", to: key, assuming: .satisfied)
    _ = try await monitoring.remove(ConditionKey(monitor: key, identifier: "x"))
  }

  /// Waits for a change of the launches until something holds.
  func wait(until isFulfilled: (LaunchPolicy) -> Bool) async throws {
    try await launches.changes.wait { isFulfilled(launches.current.value) }
  }

  @Test func `a unit that was set is told as that where nothing can be read`() async throws {
    try await serving { client async throws in
      let connection = try Connection(path: folder.path + "/geofenced.db")
      try connection.execute("ALTER TABLE event RENAME TO hidden_event")
      #expect(try await set("greeter.service", client).launchUnit == "greeter.service")
      await #expect(throws: VarlinkError.self) { try await list(client) }
      try connection.execute("ALTER TABLE hidden_event RENAME TO event")
      #expect(try await list(client).map(\.launchUnit) == ["greeter.service"])
    }
  }

  @Test func `a unit is set, shown, replaced and taken back`() async throws {
    try await serving { client async throws in
      #expect(try await list(client) == [])
      var expected = MonitorSummary(own)
      expected.launchUnit = "a.service"
      #expect(try await set("a.service", client) == expected)
      #expect(try await list(client) == [expected])
      expected.launchUnit = "b@1.target"
      #expect(try await set("b@1.target", client) == expected)
      #expect(try await set(nil, client) == MonitorSummary(own))
      #expect(try await list(client) == [])
    }
  }

  @Test func `what was set comes before the configuration, and without it that holds again`()
    async throws
  {
    try await serving { client in
      var changed = Configuration()
      changed.launch.units[own] = UnitName("configured.service")
      configuration.replace(with: changed)
      #expect(try await list(client).map(\.launchUnit) == ["configured.service"])
      #expect(try await list(client).map(\.configured) == [true])
      #expect(try await set("set.service", client).configured == false)
      #expect(try await list(client).map(\.launchUnit) == ["set.service"])
      let back = try await set(nil, client)
      #expect(back.launchUnit == "configured.service")
      #expect(back.configured)
      configuration.replace(with: Configuration())
      #expect(try await list(client) == [])
    }
  }

  @Test(arguments: ["", "a", "/etc/a.service", "a.service\n", "a@.service", "../a.service"])
  func `what can't be a unit is refused`(unit: String) async throws {
    try await serving { client async throws in
      let error = await #expect(throws: VarlinkError.self) { _ = try await set(unit, client) }
      #expect(error?.standard == .invalidParameter)
      #expect(error?.message?.hasPrefix("this wants the name of a unit") == true)
      #expect(try await list(client) == [])
    }
  }

  @Test func `a monitor's name is checked, and the number of units has a limit`() async throws {
    var settings = Configuration()
    settings.limits.maximumMonitorsPerUser = 2
    await monitoring.apply(settings)
    try await serving { client in
      await #expect(throws: VarlinkError.self) {
        _ = try await set("a.service", client, monitor: "a/b")
      }
      _ = try await set("a.service", client, monitor: "a")
      _ = try await set("a.service", client, monitor: "b")
      let error = await #expect(throws: VarlinkError.self) {
        _ = try await set("a.service", client, monitor: "c")
      }
      #expect(error?.name == ControlError.Name.quotaExceeded.qualified)
      // One that is there may be changed, and one that goes makes room.
      _ = try await set("b.service", client, monitor: "b")
      _ = try await set(nil, client, monitor: "a")
      _ = try await set("a.service", client, monitor: "c")
    }
  }

  @Test func `monitors are counted with their conditions, consumers and what waits`() async throws {
    try await serving { client in
      try await makeEvent()
      let name = ConsumerName(monitor: "default", consumer: "app")
      let reply = try await client.call(Consume.self, Consume.Parameters(name))
      #expect(reply.events.count == 1)
      var expected = MonitorSummary(own)
      expected.consumers = 1
      expected.waiting = 1
      #expect(try await list(client) == [expected])
      let holder = try connected.hold(
        ConsumerKey(owner: own.user, monitor: "default", name: "app"))
      expected.connected = true
      #expect(try await list(client) == [expected])
      connected.release(
        holder, of: ConsumerKey(owner: own.user, monitor: "default", name: "app"))
    }
  }

  @Test func `a unit that root sets for another user is that user's alone`() async throws {
    guard getuid() == 0 else { try Test.cancel("only root may name another user") }
    try await serving { client in
      let summary = try await set("a.service", client, user: 4711)
      #expect(summary.user == 4711)
      let theirs = try await client.call(Monitors.self, Monitors.Parameters(user: 4711)).monitors
      #expect(theirs == [summary])
      #expect(try await list(client) == [])
    }
  }
}
