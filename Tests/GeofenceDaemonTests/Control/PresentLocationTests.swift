import ControlInterface
import Geofencing
import Synchronization
import TestSupport
import Testing

@testable import GeofenceDaemon
@testable import Positioning

/// What somebody is told who asks for the location once.
@Suite(.timeLimit(.minutes(10))) struct PresentLocationTests: MonitoringSuite {
  /// When the fixes were that callers were told of.
  private final class Answers: Sendable {
    private let times = Mutex<[Timestamp?]>([])

    var all: [Timestamp?] { times.withLock { $0 } }

    func append(_ reply: Locations.Reply) {
      times.withLock { $0.append(reply.location?.timestamp) }
    }
  }

  private let served: ConsumersServed
  var machine: MonitoringMachine { served.machine }

  init() throws { served = try ConsumersServed() }

  private func ask() async throws -> Locations.Reply {
    try await served.call(Locations.self, Locations.Parameters())
  }

  @Test func `all who ask before the first fix wait for it`() async throws {
    let (need, broadcast) = (served.methods.need, served.methods.broadcast)
    let answers = Answers()
    try await served.run {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 1...2 {
          group.addTask { answers.append(try await ask()) }
          try await wait { need.reasons.subscribers == caller || !answers.all.isEmpty }
          // The receiver has begun to say that it has no fix yet.
          broadcast.send(LocationUpdate(location: nil))
        }
        broadcast.send(LocationUpdate(location: try fix(1, inside: true)))
        try await group.waitForAll()
      }
    }
    #expect(answers.all == [at(1), at(1)])
    #expect(!need.reasons.isNeeded)
  }

  @Test func `who asks in a pause is told when the receiver is lost`() async throws {
    let broadcast = served.methods.broadcast
    served.methods.need.setConditions(1)
    var paused = LocationUpdate(location: try fix(1, inside: true))
    paused.isPaused = true
    broadcast.take(paused)
    broadcast.send(paused)
    try await served.run {
      #expect(try await ask().location?.timestamp == at(1))
      var lost = LocationUpdate(location: nil)
      lost.receiverDisconnected = true
      // A pause keeps silent about it.
      broadcast.take(lost)
      let reply = try await ask()
      #expect(reply.location == nil && reply.receiverDisconnected)
      let listener = broadcast.listen()
      #expect(try await listener.next().update.location == nil)
      broadcast.leave(listener)
      broadcast.take(LocationUpdate(location: try fix(2, inside: true)))
      #expect(try await ask().location?.timestamp == at(2))
    }
  }

  @Test func `who asks in a pause is told the newest location, and that it is a pause`()
    async throws
  {
    let broadcast = served.methods.broadcast
    served.methods.need.setConditions(1)
    var paused = LocationUpdate(location: try fix(1, inside: true))
    paused.isStationary = true
    paused.isPaused = true
    broadcast.take(paused)
    broadcast.send(paused)
    // A look that finds nothing is silent.
    broadcast.take(LocationUpdate(location: try fix(181, inside: true)))
    try await served.run {
      let reply = try await ask()
      #expect(reply.location?.timestamp == at(181))
      #expect(reply.stationary && reply.paused)
      let listener = broadcast.listen()
      defer { broadcast.leave(listener) }
      let first = try await listener.next().update
      #expect(first.location?.timestamp == at(181))
      #expect(first.isStationary && first.isPaused)
    }
  }

  @Test func `who asks of a receiver that finds nothing is told so after twenty seconds`()
    async throws
  {
    let (time, diagnostics) = (ManualClock(), ReceiverDiagnostics())
    let served = try ConsumersServed(
      on: machine, clock: DaemonClock(sleeping: time, uptime: { .zero }, now: { at(0) }),
      diagnostics: diagnostics)
    diagnostics.setWatched(true)
    var status = ReceiverStatus()
    status.isSilent = true
    diagnostics.publish(status)
    try await served.run {
      async let answer = served.call(Locations.self, Locations.Parameters())
      await time.waitForSleepers(1)
      #expect(time.deadlines.map(\.offset) == [.seconds(20)])
      #expect(served.methods.need.reasons.subscribers == 1)
      time.advance(by: .seconds(20))
      let reply = try await answer
      #expect(reply.location == nil && !reply.receiverDisconnected)
      #expect(reply.disconnection == ReceiverStatus.silence(of: []))
    }
    #expect(!served.methods.need.reasons.isNeeded)
  }

  @Test func `what was known before a sleep of the machine is no present location`() async throws {
    let time = ManualClock()
    let served = try ConsumersServed(
      on: machine, clock: DaemonClock(sleeping: time, uptime: { .zero }, now: { at(0) }))
    let broadcast = served.methods.broadcast
    served.methods.need.setConditions(1)
    var paused = LocationUpdate(location: try fix(1, inside: true))
    paused.isPaused = true
    await served.monitoring.process(paused)
    broadcast.take(paused)
    broadcast.send(paused)
    try await served.run {
      func ask() async throws -> Locations.Reply {
        try await served.call(Locations.self, Locations.Parameters())
      }
      machine.wait(.seconds(600))
      let known = try await ask()
      #expect(known.location?.timestamp == at(1))
      machine.wait(.seconds(1))
      async let nothing = served.call(Locations.self, Locations.Parameters())
      await time.waitForSleepers(1)
      time.advance(by: .seconds(20))
      let none = try await nothing
      #expect(none.location == nil && none.paused)
      async let answer = served.call(Locations.self, Locations.Parameters())
      await time.waitForSleepers(1)
      // The look that the end of the sleep begins keeps silent, and gpsd may begin with what it had before.
      for second in [1.5, 602] {
        let update = LocationUpdate(location: try fix(second, inside: true))
        await served.monitoring.process(update)
        broadcast.take(update)
      }
      let found = try await answer
      #expect(found.location?.timestamp == at(602))
    }
  }

  @Test func `who asks when the receiver is lost is told so at once`() async throws {
    var lost = LocationUpdate(location: nil)
    lost.receiverDisconnected = true
    served.methods.need.setConditions(1)
    served.methods.broadcast.send(lost)
    try await served.run {
      let reply = try await ask()
      #expect(reply.location == nil && reply.receiverDisconnected)
    }
  }
}
