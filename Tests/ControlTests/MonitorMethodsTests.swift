import ControlInterface
import Foundation
import Geofencing
import LinuxSystem
import MonitorStorage
import Synchronization
import Systemd
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// The methods about monitors, and the service that starts their units, with a launcher that is played.
@Suite(.timeLimit(.minutes(10)))
struct MonitorMethodsTests {
  private let folder: TemporaryFolder
  private let configuration: ConfigurationStore
  private let connected = ConnectedConsumers()
  private let launches = MonitorLaunches(interval: .seconds(3600))
  private let monitoring: Monitoring
  private let server: VarlinkServer
  private let started = Started()
  private let own = MonitorKey(user: getuid(), name: "default")

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
    monitoring = try Monitoring(database, settings: Monitoring.Settings(), clock: .system)
    let methods = ControlMethods(
      monitoring, in: folder.path, configuration: { configuration.current }, connected: connected,
      launches: launches)
    server = try methods.server()
  }

  /// Takes the place of the service managers: notes what it was asked for, and fails when told to.
  private final class Started: Sendable {
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
  private func serving(_ body: (VarlinkConnection) async throws -> Void) async throws {
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

  private func set(
    _ unit: String?, _ client: VarlinkConnection, monitor: String = "default", user: UInt32? = nil
  ) async throws -> MonitorSummary {
    try await client.call(
      SetMonitor.qualifiedName,
      SetMonitor.Parameters(user: user, monitor: monitor, launchUnit: unit),
      returning: SetMonitor.Reply.self
    ).monitor
  }

  private func list(_ client: VarlinkConnection) async throws -> [MonitorSummary] {
    try await client.call(
      Monitors.qualifiedName, Monitors.Parameters(user: getuid()), returning: Monitors.Reply.self
    ).monitors
  }

  /// Makes an event: the end of a condition.
  private func makeEvent(_ monitor: String = "default") async throws {
    let key = MonitorKey(user: getuid(), name: monitor)
    let condition = try Condition(
      shape: .circle(
        CircularGeographicCondition(
          center: Coordinate(validLatitude: 47, longitude: 8), radius: 100)))
    _ = try await monitoring.add(condition, identifier: "x", to: key, assuming: .satisfied)
    _ = try await monitoring.remove(ConditionKey(monitor: key, identifier: "x"))
  }

  /// Waits for a change of the launches until something holds.
  private func wait(
    until isFulfilled: (MonitorLaunches) -> Bool
  ) async throws {
    while true {
      let seen = launches.changes.latest
      if isFulfilled(launches) { return }
      try await launches.changes.wait(after: seen)
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
    var settings = Monitoring.Settings()
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
      let reply = try await client.call(
        Consume.qualifiedName, Consume.Parameters(name), returning: Consume.Reply.self)
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
      _ = try await client.call(
        Consume.qualifiedName, Consume.Parameters(reads), returning: Consume.Reply.self)
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
      _ = try await client.call(
        Consume.qualifiedName, Consume.Parameters(name), returning: Consume.Reply.self)
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
      _ = try await client.call(
        Consume.qualifiedName, Consume.Parameters(name), returning: Consume.Reply.self)
      let holder = try connected.hold(key)
      for sequence in 1...2 as ClosedRange<Int64> {
        try await makeEvent()
        _ = try await client.call(
          Acknowledge.qualifiedName, Acknowledge.Parameters(name, sequence: sequence),
          returning: Acknowledge.Reply.self)
      }
      connected.release(holder, of: key)
      _ = try await client.call(
        RemoveConsumer.qualifiedName, name, returning: RemoveConsumer.Reply.self)
      #expect(try await list(client).map(\.waiting) == [0])
      // What comes now is one.
      try await makeEvent()
      try await wait { $0.outcome(of: own).launched != nil }
      #expect(launches.through(of: own) == 3)
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
      started.fail(with: nil)
      try await wait { $0.outcome(of: own).launched != nil }
      #expect(try await list(client).first?.launchFailure == nil)
    }
  }

  @Test func `nobody sets or sees another user's monitors`() async throws {
    guard getuid() == 0 else { try Test.cancel("needs root, to be somebody else too") }
    try await serving { client in
      // Root may name another user.
      let summary = try await set("a.service", client, user: 4711)
      #expect(summary.user == 4711)
      #expect(try await list(client) == [])
    }
  }

  @Test func `the launcher refuses who isn't the socket's owner, and what is no unit`() async throws
  {
    let (near, far) = try StreamSocket.pair()
    await withTaskGroup { group in
      // Root is trusted always, so it can't play a stranger.
      group.addTask { try? await Launcher(owner: getuid() &+ 1).serve(far) }
      let client = VarlinkConnection(near, replyTimeout: .untilItHangs)
      let error = await #expect(throws: VarlinkError.self) {
        let _: NoParameters = try await client.call(
          LauncherInterface.start, LauncherInterface.Start(user: 0, unit: "no/unit"))
      }
      let expected = getuid() == 0 ? "InvalidParameter" : "PermissionDenied"
      #expect(error?.name.split(separator: ".").last.map(String.init) == expected)
      group.cancelAll()
    }
  }

  @Test func `without a launcher the failure says what to do`() async throws {
    let launching = UnitLaunching(besideSocket: path, ownUser: 4711)
    let unit = try #require(UnitName("a.service"))
    let failure = await #expect(throws: LaunchFailure.self) {
      try await launching.start(unit, of: 0)
    }
    #expect(failure?.kind == .noLauncher)
    #expect(failure?.description.contains(" \(folder.path)/launch ") == true)
    #expect(failure?.description.contains("systemctl enable --now geofenced-launch.socket") == true)
    let lonely = UnitLaunching(besideSocket: path, ownUser: 4_000_000_000)
    let second = await #expect(throws: LaunchFailure.self) {
      try await lonely.start(unit, of: 4_000_000_000)
    }
    #expect(second?.kind == .noManager)
    #expect(second?.description.contains("loginctl enable-linger") == true)
  }

  @Test func `a launcher that ends without an answer isn't said to be missing`() async throws {
    let listener = try ListeningSocket(path: folder.path + "/launch")
    let unit = try #require(UnitName("a.service"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await listener.accept().shutDown() }
      let failure = await #expect(throws: LaunchFailure.self) {
        try await UnitLaunching(besideSocket: path, ownUser: 4711).start(unit, of: 0)
      }
      #expect(failure?.kind == .failed)
      #expect(failure?.description.contains("journalctl -u \"geofenced-launch@*\"") == true)
      try await group.waitForAll()
    }
  }

  @Test func `every failure of the launcher comes back as what it was`() {
    for kind in LaunchFailure.Kind.allCases {
      let failure = LaunchFailure(kind, "sentence")
      #expect(LauncherInterface.failure(LauncherInterface.error(failure)) == failure)
    }
    let strange = VarlinkError(
      "org.example.Strange", message: "a\nb" + String(repeating: "x", count: 900))
    #expect(LauncherInterface.failure(strange).kind == .failed)
    #expect(LauncherInterface.failure(strange).description.utf8.count == 500)
    #expect(LauncherInterface.failure(strange).description.hasPrefix("a bx"))
  }
}
