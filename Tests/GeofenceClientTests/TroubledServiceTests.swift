import ControlInterface
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceClient

/// What a program goes through without noticing while the service comes and goes.
@Suite(.timeLimit(.minutes(10))) struct TroubledServiceTests {
  /// What is answered to each attempt to read, one after the other; the last answer is kept up.
  private static func reader(_ answers: [Result<Consume.Reply, VarlinkError>]) -> VarlinkMethod {
    let left = Mutex(answers)
    return .lasting(Consume.self) { _, out in
      let (answer, isLast) = left.withLock { left in
        defer { if left.count > 1 { left.removeFirst() } }
        return (left.first, left.count == 1)
      }
      guard let answer else { throw failure }
      try await out.send(answer.get())
      // A service that is stopped ends what it had begun.
      guard isLast else { throw failure }
    }
  }

  private static let failure = VarlinkError("io.geofenced.InternalError", message: "stopped")
  private static let taken = VarlinkError("io.geofenced.ConsumerInUse", message: "taken")
  private static let busy = VarlinkError("io.geofenced.TooManyRequests", message: "slower")

  /// A service to which a program that was connected may not connect the next so many times.
  private static func denying(_ times: Int, _ service: GeofenceService) -> GeofenceService {
    let connections = Atomic(0)
    return GeofenceService(identity: service.identity, clock: service.clock) {
      let number = connections.add(1, ordering: .relaxed).oldValue
      if (1...times).contains(number) { throw Errno.permissionDenied }
      return try await service.open()
    }
  }

  @Test func `a monitor is opened with the patience of any call`() async throws {
    let clock = ManualClock()
    let reader = Self.reader([.failure(Self.busy), .failure(Self.busy), .success(reply([]))])
    try await ScriptedService.run(clock: clock, [Consume.name: reader]) { service in
      let opening = Task { try await Monitor("trip", service: service) }
      await clock.pass(2)
      let monitor = try await opening.value
      #expect(monitor.name == "trip")
    }
  }

  @Test func `after a long absence a reader that is about to go is waited for, as ever`()
    async throws
  {
    let clock = ManualClock()
    let reader = Self.reader(
      [.success(reply([]))] + Array(repeating: .failure(Self.failure), count: 8)
        + Array(repeating: .failure(Self.taken), count: 6) + [.success(reply([1]))])
    try await ScriptedService.withMonitor(clock: clock, [Consume.name: reader]) { monitor throws in
      let first = Task {
        var events = await monitor.events.makeAsyncIterator()
        return try await events.next()?.sequence
      }
      await clock.pass(15)
      #expect(try await first.value == 1)
    }
  }

  @Test func `one that doesn't go ends the loop`() async throws {
    let clock = ManualClock()
    let reader = Self.reader(
      [.success(reply([]))] + Array(repeating: .failure(Self.taken), count: 7))
    try await ScriptedService.withMonitor(clock: clock, [Consume.name: reader]) { monitor in
      let loop = Task { for try await _ in await monitor.events {} }
      await clock.pass(7)
      await #expect(throws: MonitorError.consumerInUse("taken")) { try await loop.value }
    }
  }

  @Test func `loops that come and go aren't told that their own monitor is another reader`()
    async throws
  {
    let clock = ManualClock()
    let (readings, began) = AsyncStream.makeStream(of: Void.self)
    let attempts = Atomic(0)
    let reader = VarlinkMethod.lasting(Consume.self) { _, out in
      let attempt = attempts.add(1, ordering: .relaxed).newValue
      if attempt == 1 {
        // The one that opens the monitor.
        try await out.send(reply([]))
        throw Self.failure
      }
      // Each time, the service still knows the reader before.
      if attempt.isMultiple(of: 2) { throw Self.taken }
      began.yield()
    }
    try await ScriptedService.run(clock: clock, [Consume.name: reader]) { service in
      var reading = readings.makeAsyncIterator()
      let monitor = try await Monitor("trip", service: service)
      for round in 0..<60 {
        let loop = Task { for try await _ in await monitor.events {} }
        await clock.pass(round == 0 ? 2 : 1)
        await reading.next()
        loop.cancel()
        try await loop.value
      }
      // So often it isn't this one.
      await #expect(throws: MonitorError.consumerInUse("taken")) {
        for try await _ in await monitor.events {}
      }
    }
  }

  @Test(arguments: [6, 7])
  func `a permission that is missing for a moment is waited for`(times: Int) async throws {
    let clock = ManualClock()
    let reader = Self.reader([.success(reply([])), .success(reply([1]))])
    try await ScriptedService.run(clock: clock, [Consume.name: reader]) { service in
      let monitor = try await Monitor("trip", service: Self.denying(times, service))
      let first = Task {
        var events = await monitor.events.makeAsyncIterator()
        return try await events.next()?.sequence
      }
      await clock.pass(7)
      guard times > 6 else { return #expect(try await first.value == 1) }
      await #expect {
        try await first.value
      } throws: { error in
        if case MonitorError.authorizationDenied = error { true } else { false }
      }
    }
  }

  @Test func `a session waits for it too`() async throws {
    let clock = ManualClock()
    let calls = Atomic(0)
    let methods: [String: VarlinkMethod] = [
      Session.name: .lasting(Session.self) { _, out in
        let call = calls.add(1, ordering: .relaxed).newValue
        try await out.send(sessionBegun())
        guard call > 1 else { throw Self.failure }
      }
    ]
    try await ScriptedService.run(clock: clock, methods) { service in
      let session = BackgroundActivitySession("trip", service: Self.denying(3, service))
      await clock.pass(4)
      try await wait(for: "session") { calls.load(ordering: .relaxed) == 2 && session.isActive }
    }
  }

  @Test func `updates wait for it too, and tell of no denial`() async throws {
    let clock = ManualClock()
    let calls = Atomic(0)
    let methods: [String: VarlinkMethod] = [
      Locations.name: .lasting(Locations.self) { _, out in
        let call = calls.add(1, ordering: .relaxed).newValue
        try await out.send(Locations.Reply(location: nil, accuracyLimited: call > 1))
        guard call > 1 else { throw Self.failure }
      }
    ]
    try await ScriptedService.run(clock: clock, methods) { service in
      let updates = LocationUpdates.liveUpdates(service: Self.denying(3, service))
      // A loop that tells of a denial ends before all of them.
      let passing = Task { await clock.pass(4) }
      let told = try await updates.prefix(3).reduce(into: []) { $0.append($1) }
      passing.cancel()
      #expect(told.map(\.receiverDisconnected) == [false, true, false])
      #expect(told.map(\.accuracyLimited) == [false, false, true])
      #expect(!told.contains { $0.authorizationDenied })
    }
  }

  @Test func `an event is acknowledged with those of the log before`() throws {
    var queue = EventQueue()
    let loop = queue.join()
    try queue.append(reply([4, 5]))
    try queue.append(reply([1, 2], log: "new"))
    let events = (0..<4).compactMap { _ in queue.take(by: loop) }
    #expect(events.map(\.sequence) == [4, 5, 1, 2])
    queue.removeAll(through: events[2])
    let next = queue.join()
    #expect(queue.take(by: next)?.sequence == 2)
    queue.removeAll(through: events[0])
    #expect(queue.take(by: queue.join())?.sequence == 2)
  }

  @Test func `each time that the service goes away is told`() async throws {
    let methods: [String: VarlinkMethod] = [
      Locations.name: .lasting(Locations.self) { _, out in
        try await out.send(Locations.Reply(location: nil))
        throw Self.failure
      }
    ]
    try await ScriptedService.run(methods) { service in
      let told = try await LocationUpdates.liveUpdates(service: service).prefix(4)
        .reduce(into: []) { $0.append($1.receiverDisconnected) }
      #expect(told == [false, true, false, true])
    }
  }

  @Test func `a session isn't active while the service is away`() async throws {
    let clock = ManualClock()
    let methods: [String: VarlinkMethod] = [
      Session.name: .lasting(Session.self) { _, out in
        try await out.send(sessionBegun())
        throw Self.failure
      }
    ]
    try await ScriptedService.run(clock: clock, methods) { service in
      let session = BackgroundActivitySession("trip", service: service)
      await clock.waitForSleepers(1)
      #expect(!session.isActive)
    }
  }

  @Test(arguments: [false, true])
  func `root is told of its own conditions, also where the service takes it for another user`(
    isOther: Bool
  ) async throws {
    let methods: [String: VarlinkMethod] = [
      List.name: .stream {
        (parameters: List.Parameters, _, replies: VarlinkReplies<List.Reply>) -> List.Reply in
        if isOther, parameters.user != nil {
          throw ControlError(.permissionDenied, "another user's")
        }
        #expect(parameters.user == (geteuid() == 0 && !isOther ? 0 : nil))
        return List.Reply(records: [], revision: 0)
      },
      Consume.name: Script([reply([])]).consume,
    ]
    try await ScriptedService.withMonitor(methods) { monitor throws in
      #expect(try await monitor.identifiers == [])
    }
  }
}
