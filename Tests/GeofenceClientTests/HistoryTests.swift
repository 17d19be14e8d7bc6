import ControlInterface
import Foundation
import GeofenceSimulation
import Geofencing
import LinuxSystem
import Synchronization
import Testing
import Varlink

@testable import GeofenceClient

/// Looking back at what happened.
@Suite(.timeLimit(.minutes(10))) struct HistoryTests {
  @Test(arguments: [0, 3, 230])
  func `all that happened comes in order, and nothing is acknowledged by that`(count: Int)
    async throws
  {
    try await SimulatedGeofences.withMonitor(crossing: count) { monitor, geofences throws in
      for _ in 0..<2 {
        #expect(try await sequences(monitor.history()) == Array(1..<(count + 1)))
      }
      #expect(try await geofences.consumer()?.waiting == count)
      #expect(try await sequences(monitor.history(of: "elsewhere")) == [])
      #expect(try await sequences(monitor.history(of: "home")).count == count)
    }
  }

  @Test func `what isn't asked for is left out`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 6) { monitor, geofences in
      let other = try await Monitor("other", service: geofences.service)
      try await other.add(circle(), identifier: "home", assuming: .unsatisfied)
      try await geofences.move(to: home)
      let all = try await monitor.history().reduce(into: []) { $0.append($1) }
      #expect(all.count == 7 && all.allSatisfy { $0.monitor == monitor.name })
      let exits = all.filter { $0.kind == .exited }.map(\.sequence)
      #expect(try await sequences(monitor.history(kinds: [.exited])) == exits)
      #expect(try await sequences(monitor.history(kinds: [])) == [])
      let (from, until) = (all[2].date, all[4].date)
      #expect(
        try await sequences(monitor.history(from: from, until: until))
          == all[2...4].map(\.sequence))
      #expect(try await sequences(monitor.history(from: .distantPast)).count == 7)
      #expect(try await sequences(monitor.history(until: .distantFuture)).count == 7)
      #expect(try await sequences(monitor.history(from: .distantFuture)) == [])
      #expect(try await sequences(monitor.history(until: .distantPast)) == [])
      let visits = all.filter { $0.kind == .exited }.compactMap(\.visit)
      #expect(visits.count == 3)
      for visit in visits { #expect(try #require(visit.ended) > visit.began) }
    }
  }

  @Test func `what can't be an identifier is refused, and a cancelled loop ends`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 1) { monitor, geofences in
      for history in [
        monitor.history(of: "a b"), Monitor.history(ofMonitor: "", service: geofences.service),
      ] {
        await #expect(throws: MonitorError.self) { try await sequences(history) }
      }
      let count = await withTaskGroup(of: Int?.self) { group in
        group.cancelAll()
        group.addTask { try? await sequences(monitor.history()).count }
        return await group.next() ?? nil
      }
      #expect(count == 0)
    }
  }

  @Test func `a loop ends in the midst of what was read when its task is cancelled`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 5) { monitor, _ in
      let count = await withTaskGroup(of: Int.self) { group in
        group.addTask {
          var iterator = monitor.history().makeAsyncIterator()
          var count = 0
          while (try? await iterator.next()) != nil {
            count += 1
            withUnsafeCurrentTask { unsafe $0?.cancel() }
          }
          return count
        }
        return await group.next() ?? 0
      }
      #expect(count == 1)
    }
  }

  @Test func `who opens no monitor looks back too, and leaves no consumer`() async throws {
    try await SimulatedGeofences.run { geofences in
      _ = try await crossed(3, geofences)
      let consumers = try await geofences.service.call(
        Consumers.self, Consumers.Parameters(user: getuid())
      ).consumers.count
      let service = geofences.service
      #expect(
        try await sequences(Monitor.history(ofMonitor: "trip", service: service)) == [1, 2, 3])
      #expect(try await sequences(Monitor.history(ofMonitor: "none", service: service)) == [])
      let now = try await service.call(Consumers.self, Consumers.Parameters(user: getuid()))
      #expect(now.consumers.count == consumers)
    }
  }

  @Test func `a look goes on behind an event, or from the beginning of another log`() async throws {
    try await SimulatedGeofences.withMonitor(crossing: 5) { monitor, _ in
      let all = try await monitor.history().reduce(into: []) { $0.append($1) }
      #expect(try await sequences(monitor.history(after: all[2])) == [4, 5])
      #expect(try await sequences(monitor.history(after: all[4])) == [])
      var foreign = all[2]
      foreign.log = "another"
      for number in [3, 99] {
        foreign.sequence = number
        #expect(try await sequences(monitor.history(after: foreign)) == [1, 2, 3, 4, 5])
      }
    }
  }

  /// A service that answers questions for events by what is told, in order.
  private func look(
    at pages: [Result<Consume.Reply, ControlError>],
    _ body: (inout Monitor.History.Iterator) async throws -> Void
  ) async throws -> [Int64?] {
    let rest = Mutex(pages[...])
    let asked = Mutex<[Int64?]>([])
    let method = VarlinkMethod.call {
      (parameters: Events.Parameters, _: VarlinkCall) throws -> Events.Reply in
      asked.withLock { $0.append(parameters.since) }
      let page = try rest.withLock { $0.popFirst() }?.get()
      return Events.Reply(events: page?.events ?? [], lagged: page?.lagged)
    }
    try await ScriptedService.run([Events.name: method]) { service in
      var iterator = Monitor.history(ofMonitor: "trip", service: service).makeAsyncIterator()
      try await body(&iterator)
    }
    return asked.withLock { $0 }
  }

  @Test func `who asks again when the service is back goes on`() async throws {
    let pages: [Result<Consume.Reply, ControlError>] = [
      .success(reply([1, 2])), .failure(ControlError(.internalError, "broken")),
      .success(reply([3])),
    ]
    let asked = try await look(at: pages) { iterator in
      #expect(try await iterator.next()?.sequence == 1)
      #expect(try await iterator.next()?.sequence == 2)
      await #expect(throws: MonitorError.self) { try await iterator.next() }
      #expect(try await iterator.next()?.sequence == 3)
      let end = try await iterator.next()
      #expect(end == nil)
    }
    #expect(asked == [0, 2, 2, 3])
  }

  @Test func `what has left the log is told by the first event behind it`() async throws {
    let pages: [Result<Consume.Reply, ControlError>] = [
      .success(reply([1, 2])), .success(reply([], lagged: Lagged(first: 3, last: 9, events: 4))),
      .success(reply([12, 13], lagged: Lagged(first: 10, last: 11))), .success(reply([14])),
    ]
    var missed: [Monitor.Event.Missed?] = []
    _ = try await look(at: pages) { iterator in
      while let event = try await iterator.next() { missed.append(event.missed) }
    }
    #expect(missed == [nil, nil, Monitor.Event.Missed(sequences: 3...11), nil, nil])
  }

  @Test func `a look at another log begins anew also where the service goes away meanwhile`()
    async throws
  {
    let rest = Mutex<[Result<Consume.Reply, ControlError>]>([
      .failure(ControlError(.internalError, "broken")), .success(reply([1, 2])),
    ])
    let asked = Mutex<[Int64?]>([])
    let methods: [String: VarlinkMethod] = [
      Status.name: .call { (_: Status.Parameters, _: VarlinkCall) -> Status.Reply in
        var status = Status.Reply(
          receiver: Status.Receiver(address: ""), storage: Status.Storage(path: ""))
        status.log = "L"
        return status
      },
      Events.name: .call { (parameters: Events.Parameters, _: VarlinkCall) throws -> Events.Reply in
        asked.withLock { $0.append(parameters.since) }
        let page = try rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.get()
        return Events.Reply(events: page?.events ?? [])
      },
    ]
    try await ScriptedService.run(methods) { service in
      let event = Monitor.Event(
        identifier: "home", state: .satisfied, kind: .entered, date: .now, sequence: 99, log: "K")
      var iterator = Monitor.history(ofMonitor: "trip", after: event, service: service)
        .makeAsyncIterator()
      await #expect(throws: MonitorError.self) { try await iterator.next() }
      let first = try await iterator.next()
      #expect(first?.sequence == 1)
    }
    #expect(asked.withLock { $0 } == [0, 0])
  }

  @Test func `numbers of a log that was put away say nothing of the next one`() async throws {
    let pages = ["K", "L", "L"].map { log -> Result<Consume.Reply, ControlError> in
      .success(reply(log == "K" ? [7, 8] : [9], log: log))
    }
    let asked = try await look(at: pages) { iterator in
      var read: [Int] = []
      while let event = try await iterator.next() { read.append(event.sequence) }
      #expect(read == [7, 8, 9])
    }
    #expect(asked == [0, 8, 0, 9])
  }

  /// Root would be told everybody's.
  @Test func `root asks for its own`() async throws {
    let asked = Mutex<[UInt32?]>([])
    let method = VarlinkMethod.call {
      (parameters: Events.Parameters, _: VarlinkCall) -> Events.Reply in
      asked.withLock { $0.append(parameters.user) }
      return Events.Reply(events: [])
    }
    try await ScriptedService.run([Events.name: method]) { service in
      let found = try await sequences(Monitor.history(ofMonitor: "trip", service: service))
      #expect(found == [])
    }
    #expect(asked.withLock { $0 } == [geteuid() == 0 ? 0 : nil])
  }
}
