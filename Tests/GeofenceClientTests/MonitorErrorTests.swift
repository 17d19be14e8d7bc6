import ControlInterface
import Foundation
import GeofenceSimulation
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// What is refused, with the sentence for the person.
@Suite(.timeLimit(.minutes(10))) struct MonitorErrorTests {
  /// A condition of a program's own making.
  private struct Indoors: GeofenceClient.Condition {
    var options = ConditionOptions()
  }

  @Test func `a monitor is open once in a process, until it is gone`() async throws {
    try await SimulatedGeofences.run { geofences in
      let clock = ManualClock()
      let service = geofences.service.on(clock)
      let first = try await Monitor("trip", service: service)
      let second = Task { try await Monitor("trip", service: service) }
      await clock.pass(6)
      await #expect(
        throws: MonitorError.alreadyOpen(
          "the monitor 'trip' is open in this process as consumer 'default': share that one, or "
            + "name another consumer")
      ) { try await second.value }
      let other = try await Monitor("trip", consumer: "other", service: service)
      #expect(other.consumer == "other")
      #expect(first.consumer == "default")
    }
  }

  @Test func `cancelling ends the wait for a monitor that is open`() async throws {
    try await SimulatedGeofences.run { geofences in
      let clock = ManualClock()
      let service = geofences.service.on(clock)
      let first = try await Monitor("trip", service: service)
      let second = Task { try await Monitor("trip", service: service) }
      await clock.waitForSleepers(1)
      second.cancel()
      await #expect(throws: CancellationError.self) { try await second.value }
      #expect(first.name == "trip")
    }
  }

  @Test func `one whose loop was cancelled a moment ago is waited for`() async throws {
    try await SimulatedGeofences.run { geofences in
      let clock = ManualClock()
      let service = geofences.service.on(clock)
      var first: Monitor? = try await Monitor("trip", service: service)
      let loop = Task { [first] in
        guard let first else { return }
        for try await _ in await first.events {}
      }
      let second = Task { try await Monitor("trip", service: service) }
      // It has found the first one open.
      await clock.waitForSleepers(1)
      loop.cancel()
      first = nil
      try await loop.value
      try await wait(for: "end of the first one") {
        try await geofences.consumer()?.connected == false
      }
      await clock.pass(1)
      #expect(try await second.value.name == "trip")
    }
  }

  @Test func `a service that never answers is given up`() async throws {
    try await withTemporaryDirectory { directory in
      let listener = try ListeningSocket(path: directory + "/socket")
      let service = GeofenceService(identity: listener.path, replyTimeout: .milliseconds(50)) {
        try await StreamSocket.connect(toPath: listener.path)
      }
      await #expect(
        throws: MonitorError.serviceUnavailable("the daemon did not answer in time")
      ) { try await Monitor("trip", service: service) }
    }
  }

  @Test func `a monitor that couldn't be opened can be tried again`() async throws {
    try await SimulatedGeofences.run { geofences in
      let service = geofences.service
      let broken = GeofenceService(identity: service.identity) { throw Errno.noSuchFile }
      await #expect(throws: MonitorError.self) { try await Monitor("trip", service: broken) }
      _ = try await Monitor("trip", service: service)
    }
  }

  @Test func `another process that reads as the same consumer keeps this one out`() async throws {
    try await SimulatedGeofences.run { geofences in
      let first = try await Monitor("trip", service: geofences.service)
      let clock = ManualClock()
      async let second = Monitor("trip", service: geofences.service.elsewhere(clock: clock))
      await clock.pass(6)
      do {
        _ = try await second
        Issue.record("the second one was opened")
      } catch MonitorError.consumerInUse(let sentence) {
        #expect(sentence.contains("'default'"))
      }
      #expect(first.name == "trip")
    }
  }

  @Test func `one that has just gone is waited for`() async throws {
    try await SimulatedGeofences.run { geofences in
      for _ in 0..<20 {
        let monitor = try await Monitor("trip", service: geofences.service)
        #expect(monitor.name == "trip")
      }
    }
  }

  @Test(arguments: [
    (
      Errno.noSuchFile,
      MonitorError.serviceUnavailable("nothing answers on PATH; is geofenced running?")
    ),
    (.connectionRefused, .serviceUnavailable("nothing answers on PATH; is geofenced running?")),
    (
      .permissionDenied,
      .authorizationDenied(
        "permission to connect to PATH was denied: only root may, and the group of the socket, which is 'geofenced' for the system's service (who has just joined it has to log in again; where that isn't enough, a reboot is)"
      )
    ),
    (
      .nameTooLong,
      .protocolViolation("'PATH' can't be the path of a socket: it is empty or too long")
    ),
  ])
  func `a service that can't be reached is told of at once`(
    _ errno: Errno, _ expected: MonitorError
  ) async throws {
    let service = GeofenceService(identity: "PATH") { throw errno }
    await #expect(throws: expected) { try await Monitor("trip", service: service) }
  }

  @Test func `the events socket is refused for the control socket`() async {
    let path = "/run/geofenced/events"
    let expected = MonitorError.protocolViolation(
      "\(path) is the events socket; the control socket is io.geofenced beside it")
    await #expect(throws: expected) { try await Monitor("trip", service: .socket(path)) }
  }

  @Test(arguments: ["", "with space", "a/b", "é", String(repeating: "x", count: 129)])
  func `names are checked`(_ name: String) async throws {
    try await SimulatedGeofences.run { geofences in
      let service = geofences.service
      func refuses(_ what: String, _ body: () async throws -> Void) async {
        let error = await #expect(throws: MonitorError.self) { try await body() }
        guard case .invalidName(let sentence)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(sentence.hasPrefix("\(what) '"))
        #expect(sentence.hasSuffix("use 1 to 128 characters of A-Z a-z 0-9 . _ -"))
      }
      await refuses("monitor") { _ = try await Monitor(name, service: service) }
      await refuses("consumer") { _ = try await Monitor("a", consumer: name, service: service) }
      let monitor = try await Monitor("a", service: service)
      await refuses("identifier") { try await monitor.add(circle(), identifier: name) }
      await refuses("identifier") { try await monitor.remove(name) }
      await refuses("identifier") { _ = try await monitor.record(for: name) }
      let session = BackgroundActivitySession(name, service: service)
      await refuses("session") { try await session.activated() }
    }
  }

  @Test(arguments: [
    (
      circle(Coordinate(latitude: 91, longitude: 0)),
      "latitude 91.0 is out of range: give degrees from -90 to 90"
    ),
    (
      circle(Coordinate(latitude: 0, longitude: .nan)),
      "longitude nan is out of range: give degrees from -180 to 180"
    ),
    (circle(radius: 0), "radius 0.0 is out of range: give metres from 1 to 2000000"),
    (
      CircularGeographicCondition(center: home, radius: 9, enterAfter: .seconds(-1)),
      "enterAfter -1.0 is out of range: give seconds from 0 to 86400"
    ),
    (
      CircularGeographicCondition(center: home, radius: 9, confidence: 1),
      "confidence 1.0 is out of range: give a probability from 0.5 to 0.9999"
    ),
    (
      CircularGeographicCondition(
        center: home, radius: 9, expires: Date(timeIntervalSince1970: 1e300)),
      "expires is out of range: give a date between 1678 and 2262"
    ),
    (
      CircularGeographicCondition(
        center: home, radius: 9, expires: Date(timeIntervalSince1970: 1)),
      "expires 1970-01-01T00:00:01.000Z is in the past"
    ),
  ])
  func `numbers of a condition are checked, and the sentence says what would be right`(
    _ condition: CircularGeographicCondition, _ sentence: String
  ) async throws {
    try await SimulatedGeofences.withMonitor { monitor, _ throws in
      await #expect(throws: MonitorError.conditionInvalid(sentence)) {
        try await monitor.add(condition, identifier: "home")
      }
      #expect(try await monitor.identifiers == [])
      #expect("\(MonitorError.conditionInvalid(sentence))" == sentence)
    }
  }

  @Test func `a condition of one's own kind, and unmonitored as an assumption, are refused`()
    async throws
  {
    try await SimulatedGeofences.withMonitor { monitor, _ throws in
      await #expect(
        throws: MonitorError.conditionUnsupported(
          "Indoors is no kind of condition that the service knows; use a "
            + "CircularGeographicCondition, a PolygonalGeographicCondition or a "
            + "CorridorGeographicCondition")
      ) { try await monitor.add(Indoors(), identifier: "home") }
      await #expect(throws: MonitorError.self) {
        try await monitor.add(circle(), identifier: "home", assuming: .unmonitored)
      }
      #expect(try await monitor.identifiers == [])
    }
  }

  @Test func `a call that is refused as too much is tried for a while`() async throws {
    let clock = ManualClock()
    let attempts = Mutex(0)
    let methods: [String: VarlinkMethod] = [
      Sessions.name: .call { (_: Sessions.Parameters, _) -> Sessions.Reply in
        attempts.withLock { $0 += 1 }
        throw VarlinkError("io.geofenced.TooManyRequests", message: "slower")
      }
    ]
    try await ScriptedService.run(clock: clock, methods) { service in
      let call = Task { try await service.call(Sessions.self, Sessions.Parameters()) }
      await clock.pass(8)
      await #expect(throws: MonitorError.tooManyRequests("slower")) { try await call.value }
      #expect(attempts.withLock { $0 } == 9)
    }
  }

  @Test func `errors of the service keep their kind and their sentence`() async throws {
    let errors: [(any Error & Sendable, MonitorError)] = [
      (ControlError(.quotaExceeded, "full"), .conditionLimitExceeded("full")),
      (ControlError(.permissionDenied, "no"), .authorizationDenied("no")),
      (ControlError(.persistenceUnavailable, "disk"), .persistenceUnavailable("disk")),
      (
        VarlinkError("org.varlink.service.PermissionDenied"),
        .authorizationDenied("org.varlink.service.PermissionDenied")
      ),
      (
        VarlinkError("io.geofenced.InternalError", message: "odd"),
        .serviceUnavailable("geofenced failed: odd")
      ),
      (
        VarlinkError("io.geofenced.Newer", message: "a new error"),
        .protocolViolation("a new error")
      ),
      (
        VarlinkError.methodNotFound("io.geofenced.Add"),
        .protocolViolation(
          "org.varlink.service.MethodNotFound; geofenced may be of another version")
      ),
      (
        VarlinkError.invalidParameter("sequence", message: "there is no event #9"),
        .protocolViolation("there is no event #9")
      ),
    ]
    for (thrown, expected) in errors {
      try await ScriptedService.run([
        Consume.name: Script([reply([])]).consume,
        Add.name: .call { (_: Add.Parameters, _) -> Add.Reply in throw thrown },
        Change.name: .call { (_: Change.Parameters, _) -> Change.Reply in throw thrown },
      ]) { service in
        let monitor = try await Monitor("trip", service: service)
        await #expect(throws: expected) { try await monitor.add(contentsOf: ["home": circle()]) }
        await #expect(throws: expected) { try await monitor.add(circle(), identifier: "home") }
      }
    }
  }
}
