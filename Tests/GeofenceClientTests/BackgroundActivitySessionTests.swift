import ControlInterface
import GeofenceSimulation
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// Sessions live as long as the object, and survive the service's restarts.
@Suite(.timeLimit(.minutes(10))) struct BackgroundActivitySessionTests {
  private func names(_ geofences: SimulatedGeofences) async throws -> [String] {
    try await geofences.service.call(Sessions.self, Sessions.Parameters()).sessions
      .map { "\($0.name) \($0.holders)" }
  }

  @Test func `a session lives until it is invalidated`() async throws {
    try await SimulatedGeofences.run { geofences in
      let session = BackgroundActivitySession("trip", service: geofences.service)
      try await session.activated()
      #expect(session.isActive && session.name == "trip")
      #expect(try await names(geofences) == ["trip 1"])
      session.invalidate()
      #expect(!session.isActive)
      try await wait(for: "end of the session") { try await names(geofences) == [] }
      await #expect(throws: MonitorError.self) { try await session.activated() }
      session.invalidate()
    }
  }

  @Test func `letting go of it ends it`() async throws {
    try await SimulatedGeofences.run { geofences in
      var session: BackgroundActivitySession? = BackgroundActivitySession(
        "trip", service: geofences.service)
      try await session?.activated()
      session = nil
      try await wait(for: "end of the session") { try await names(geofences) == [] }
    }
  }

  @Test func `one that ends before the service has answered is ended after the answer`()
    async throws
  {
    let clock = ManualClock()
    let told = Mutex<[String]>([])
    let (asked, reportAsked) = AsyncStream.makeStream(of: Never.self)
    let (answering, answer) = AsyncStream.makeStream(of: Never.self)
    let methods: [String: VarlinkMethod] = [
      Session.name: .lasting(Session.self) { name, out in
        reportAsked.finish()
        for await _ in answering {}
        told.withLock { $0.append(Task.isCancelled ? "hung up" : "began") }
        try await out.send(sessionBegun(name.name))
      },
      InvalidateSession.name: .call { (_: InvalidateSession.Parameters, _) in
        told.withLock { $0.append("ended") }
        return InvalidateSession.Reply(holders: nil)
      },
    ]
    try await ScriptedService.run(clock: clock, methods) { service in
      let session = BackgroundActivitySession("brief", service: service)
      for await _ in asked {}
      session.invalidate()
      // The session waits for the answer, and not for ever.
      try await wait(for: "patience") {
        clock.deadlines.contains { $0.offset == .seconds(5) } || told.withLock { !$0.isEmpty }
      }
      answer.finish()
      try await wait(for: "end of the session") { told.withLock { $0.contains("ended") } }
    }
    #expect(told.withLock { $0 } == ["began", "ended"])
  }

  @Test func `one that takes the place of another isn't ended with it`() async throws {
    try await SimulatedGeofences.run { geofences in
      var session = BackgroundActivitySession("trip", service: geofences.service)
      for round in 0..<20 {
        try await session.activated()
        if round.isMultiple(of: 2) { session.invalidate() }
        session = BackgroundActivitySession("trip", service: geofences.service)
      }
      try await session.activated()
      try await wait(for: "end of the others") { try await names(geofences) == ["trip 1"] }
      let other = BackgroundActivitySession("trip", service: geofences.service)
      try await other.activated()
      session.invalidate()
      try await wait(for: "end of the session") { try await names(geofences) == ["trip 1"] }
      #expect(other.isActive)
      other.invalidate()
      try await wait(for: "end of the last session") { try await names(geofences) == [] }
    }
  }

  @Test func `it is begun again after a restart`() async throws {
    try await SimulatedGeofences.run { geofences in
      let session = BackgroundActivitySession("trip", service: geofences.service)
      try await session.activated()
      try await geofences.restart()
      try await wait(for: "session after the restart") { try await names(geofences) == ["trip 1"] }
      try await session.activated()
      #expect(session.isActive)
    }
  }

  @Test func `one that somebody else ends stays ended, and says so`() async throws {
    try await SimulatedGeofences.run { geofences in
      let session = BackgroundActivitySession("trip", service: geofences.service)
      try await session.activated()
      _ = try await geofences.service.call(InvalidateSession.self, .init(SessionName(name: "trip")))
      try await wait(for: "end of the session") { !session.isActive }
      await #expect(throws: MonitorError.sessionInvalidated("the session 'trip' was ended")) {
        try await session.activated()
      }
      await #expect(throws: MonitorError.sessionInvalidated("the session 'trip' was ended")) {
        try await session.ended()
      }
      // A new one of that name is none of its business.
      let next = BackgroundActivitySession("trip", service: geofences.service)
      try await next.activated()
      session.invalidate()
      #expect(next.isActive)
      #expect(try await names(geofences) == ["trip 1"])
      let end = Task { try await next.ended() }
      next.invalidate()
      try await end.value
    }
  }

  @Test func `a quota is told, and a service that is away is waited for`() async throws {
    try await SimulatedGeofences.run { geofences in
      var sessions: [BackgroundActivitySession] = []
      for number in 0..<16 {
        let session = BackgroundActivitySession("s\(number)", service: geofences.service)
        try await session.activated()
        sessions.append(session)
      }
      let error = await #expect(throws: MonitorError.self) {
        try await BackgroundActivitySession("more", service: geofences.service).activated()
      }
      guard case .quotaExceeded? = error else { throw TestFailure("\(String(describing: error))") }
      #expect(!sessions.contains { !$0.isActive })
    }
    let clock = ManualClock()
    let session = BackgroundActivitySession(
      "trip", service: .unreachable(.connectionRefused, clock: clock))
    let waiting = Task { try await session.activated() }
    await clock.pass(3)
    #expect(!session.isActive)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `one that the service refused isn't ended there`() async throws {
    let ended = SequenceSignal(latest: 0)
    let methods: [String: VarlinkMethod] = [
      Session.name: .lasting(Session.self) { _, _ in
        throw ControlError(.quotaExceeded, "too many")
      },
      InvalidateSession.name: .call { (_: InvalidateSession.Parameters, _) in
        ended.advance()
        return InvalidateSession.Reply(holders: nil)
      },
    ]
    try await ScriptedService.run(methods) { service in
      let session = BackgroundActivitySession("trip", service: service)
      await #expect(throws: MonitorError.quotaExceeded("too many")) {
        try await session.activated()
      }
      session.invalidate()
      // Whoever ends it has its turns meanwhile.
      for _ in 0..<1000 { await Task.yield() }
      #expect(ended.latest == 0)
    }
  }
}
