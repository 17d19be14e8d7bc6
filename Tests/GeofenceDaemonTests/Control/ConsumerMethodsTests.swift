import ControlInterface
import Geofencing
import MonitorStorage
import Testing
import Varlink

@testable import GeofenceDaemon

/// Named consumers over the control socket.
@Suite(.timeLimit(.minutes(10))) struct ConsumerMethodsTests {
  let served: ConsumersServed
  var machine: MonitoringMachine { served.machine }
  let name = ConsumerName(monitor: "default", consumer: "reader")
  private var key: ConsumerKey {
    ConsumerKey(owner: ConsumersServed.user, monitor: "default", name: "reader")
  }

  init() throws { served = try ConsumersServed() }

  @Test func `a consumer gets what it has not acknowledged, and nothing else`() async throws {
    try await served.monitoring.append(3)
    try await served.monitoring.append(2, monitor: "work")
    try await served.monitoring.append(2, user: ConsumersServed.user + 1)
    try await served.run {
      let first = try await served.consume(name)
      #expect(first.events.map(\.sequence) == [1, 2, 3] && first.lagged == nil)
      #expect(first.log == (await served.monitoring.logID))
      try await served.acknowledge(2, by: name)
      #expect(try await served.consume(name).events.map(\.sequence) == [3])
      let shown = try #require(try await served.shown(name))
      #expect(shown.cursor == 2 && shown.waiting == 1 && !shown.connected && shown.lagged == nil)

      // Another of that name reads all monitors, root's those of everybody.
      let all = ConsumerName(consumer: "reader")
      let everything = ConsumersServed.user == 0 ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5]
      #expect(
        try await served.consume(all).events.map(\.sequence) == everything.map(Int64.init))
    }
  }

  @Test func `a new consumer begins where it says, one that exists goes on`() async throws {
    try await served.monitoring.append(4)
    try await served.run {
      let begun = try await served.consume(name, since: 3)
      #expect(begun.events.map(\.sequence) == [4])
      let again = try await served.consume(name, since: 0)
      #expect(again.events.map(\.sequence) == [4])
      let future = ConsumerName(monitor: "default", consumer: "future")
      #expect(try await served.consume(future, since: 99).events == [])
      #expect(try await served.shown(future)?.cursor == 4)
    }
  }

  @Test
  func `who holds a consumer gets 100 at a time, in order, and the next when it has acknowledged`()
    async throws
  {
    try await served.monitoring.append(250)
    try await served.run {
      let holder = try await served.hold(name)
      #expect(try await holder.next().events.map(\.sequence) == Array(1...100))
      try await served.acknowledge(40, by: name)
      #expect(try await holder.next().events.map(\.sequence) == Array(101...140))
      try await served.acknowledge(140, by: name)
      #expect(try await holder.next().events.map(\.sequence) == Array(141...240))
      try await served.acknowledge(240, by: name)
      #expect(try await holder.next().events.map(\.sequence) == Array(241...250))
      // Now as they happen.
      try await served.monitoring.append(1)
      #expect(try await holder.next().events.map(\.sequence) == [251])
      #expect(try await served.shown(name)?.connected == true)
      #expect(try await served.shown(name)?.waiting == 11)
    }
  }

  @Test func `what is acknowledged before it was sent is not sent`() async throws {
    try await served.monitoring.append(150)
    try await served.run {
      let holder = try await served.hold(name)
      #expect(try await holder.events(100) == Array(1...100))
      try await served.acknowledge(145, by: name)
      #expect(try await holder.events(5) == Array(146...150))
      #expect(
        try await served.error(of: Acknowledge.self, .init(name, sequence: 151))
          == "InvalidParameter")
      #expect(
        try await served.error(of: Acknowledge.self, .init(name, sequence: -1))
          == "InvalidParameter")
    }
  }

  @Test func `the first reply comes at once, also without events`() async throws {
    try await served.run {
      let holder = try await served.hold(name)
      let reply = try await holder.next()
      #expect(reply.events.isEmpty && reply.lagged == nil)
    }
  }

  @Test func `a consumer whose removal can't be stored stays`() async throws {
    try await served.run {
      try await served.consume(name)
      let broken = try machine.breakTable("consumer", on: "DELETE")
      #expect(try await served.error(of: RemoveConsumer.self, name) == "PersistenceUnavailable")
      #expect(try await served.shown(name) != nil)
      try broken.mend()
      #expect(try await served.error(of: RemoveConsumer.self, name) == nil)
      #expect(try await served.shown(name) == nil)
    }
  }

  @Test func `nobody else reads as a consumer that is held`() async throws {
    try await served.monitoring.append(2)
    try await served.run {
      var holder: ConsumersServed.Holder? = try await served.hold(name)
      #expect(try await holder?.events(2) == [1, 2])
      let second = try await served.hold(name)
      let error = await #expect(throws: VarlinkError.self) { try await second.next() }
      #expect(error?.name == "io.geofenced.ConsumerInUse")
      #expect(try await served.error(of: Consume.self, .init(name)) == "ConsumerInUse")
      // Another monitor's consumer of that name is another one.
      let other = try await served.hold(ConsumerName(monitor: "work", consumer: "reader"))
      #expect(try await other.next().events == [])

      // What the holder has not acknowledged comes again to the next.
      try await served.acknowledge(1, by: name)
      holder = nil
      try await served.waitUntilAway(key)
      #expect(try await served.hold(name).events(1) == [2])
    }
  }

  @Test func `a consumer that is removed ends its reader, and begins anew`() async throws {
    try await served.monitoring.append(3)
    try await served.run {
      let holder = try await served.hold(name)
      _ = try await holder.events(3)
      try await served.acknowledge(2, by: name)
      try await served.call(RemoveConsumer.self, name)
      let error = await #expect(throws: VarlinkError.self) { try await holder.next() }
      #expect(error?.name == "io.geofenced.NoSuchConsumer")
      #expect(try await served.error(of: RemoveConsumer.self, name) == "NoSuchConsumer")
      #expect(
        try await served.error(of: Acknowledge.self, .init(name, sequence: 3)) == "NoSuchConsumer")
      // That acknowledgement came to nothing, also for the next of that name.
      #expect(try await served.hold(name).events(3) == [1, 2, 3])
      try await served.acknowledge(1, by: name)
      #expect(try await served.shown(name)?.cursor == 1)
    }
  }

  /// Root's removal waits for its turn, and another reader begins meanwhile.
  @Test func `who begins to read while the consumer is removed is told with the next event`()
    async throws
  {
    try await served.run {
      let holder = try await served.hold(name)
      #expect(try await holder.next().events == [])
      try await served.monitoring.removeConsumer(key)
      served.methods.connected.remove(key, from: nil)
      try await served.monitoring.append(1)
      let error = await #expect(throws: VarlinkError.self) { try await holder.next() }
      #expect(error?.name == "io.geofenced.NoSuchConsumer")
    }
  }

  @Test func `what was acknowledged is known after a crash, and the rest comes again`()
    async throws
  {
    try await served.monitoring.append(5)
    try await served.run {
      _ = try await served.hold(name).events(5)
      try await served.acknowledge(3, by: name)
    }
    let again = try ConsumersServed(on: machine)
    try await again.run {
      let rest = try await again.hold(name).events(2)
      #expect(rest == [4, 5])
    }
  }

  @Test func `many acknowledgements that come together cost one commit`() async throws {
    try await served.monitoring.append(9)
    let names = (0..<50).map { ConsumerName(monitor: "default", consumer: "c\($0)") }
    let keys = names.map {
      ConsumerKey(owner: ConsumersServed.user, monitor: "default", name: $0.consumer)
    }
    try await served.run {
      for name in names { try await served.consume(name) }
    }
    let connected = served.methods.connected
    for (index, key) in keys.enumerated() { connected.note(Int64(index % 9 + 1), of: key) }
    try await served.monitoring.acknowledge(1, by: keys[0], connected)
    let cursors = try await served.monitoring.consumers(of: nil).map { consumer in
      "\(consumer.key?.name ?? "-") \(consumer.cursor)"
    }
    #expect(Set(cursors) == Set((0..<50).map { "c\($0) \($0 % 9 + 1)" }))
    // Nothing is left for the others to write.
    connected.writePending { _ in Issue.record("something was left to write") }
  }

  @Test func `an acknowledgement that can't be stored is refused, and isn't stored later`()
    async throws
  {
    try await served.monitoring.append(5)
    let other = ConsumerName(monitor: "default", consumer: "other")
    try await served.run {
      let holder = try await served.hold(name)
      #expect(try await holder.events(5) == [1, 2, 3, 4, 5])
      try await served.consume(other)
      let broken = try machine.breakTable("consumer", on: "UPDATE")
      #expect(
        try await served.error(of: Acknowledge.self, .init(name, sequence: 4))
          == "PersistenceUnavailable")
      #expect(try await served.shown(name)?.cursor == 0)
      // Nor is one of two at a time taken for stored because the other was forgotten.
      let connected = served.methods.connected
      for sequence in [Int64(4), 3] { connected.note(sequence, of: key) }
      for sequence in [Int64(4), 3] {
        await #expect(throws: ControlError.self) {
          try await served.monitoring.acknowledge(sequence, by: key, connected)
        }
      }
      try broken.mend()
      try await served.acknowledge(1, by: other)
      #expect(try await served.shown(name)?.cursor == 0)
      #expect(try await served.shown(other)?.cursor == 1)
    }
  }

  @Test func `a user may name so many consumers`() async throws {
    let served = try ConsumersServed {
      $0.limits.maximumConsumersPerUser = 2
    }
    try await served.run {
      for consumer in ["a", "b", "a"] {
        try await served.consume(ConsumerName(consumer: consumer))
      }
      let third = Consume.Parameters(ConsumerName(consumer: "c"))
      #expect(try await served.error(of: Consume.self, third) == "QuotaExceeded")
      let refused = try await served.hold(ConsumerName(consumer: "c"))
      let error = await #expect(throws: VarlinkError.self) { try await refused.next() }
      #expect(
        error?.message
          == "user \(ConsumersServed.user) has 2 consumers, the most that "
          + "MaximumConsumersPerUser= allows; 'geofenced ctl consumer remove' removes one")
      try await served.call(RemoveConsumer.self, ConsumerName(consumer: "a"))
      try await served.call(Consume.self, third)
    }
  }

  @Test func `a new consumer is refused when it can't be stored`() async throws {
    let broken = try machine.breakTable("consumer")
    try await served.run {
      #expect(try await served.error(of: Consume.self, .init(name)) == "PersistenceUnavailable")
      try broken.mend()
      #expect(try await served.error(of: Consume.self, .init(name)) == nil)
    }
  }

  @Test(arguments: ["", "a/b", "ä", String(repeating: "x", count: 129)])
  func `a name that can't be one is refused`(text: String) async throws {
    try await served.run {
      let consumer = ConsumerName(consumer: text)
      let monitor = ConsumerName(monitor: text, consumer: "reader")
      let errors = [
        try await served.error(of: Consume.self, .init(consumer)),
        try await served.error(of: Consume.self, .init(monitor)),
        try await served.error(of: RemoveConsumer.self, monitor),
      ]
      #expect(errors == ["InvalidParameter", "InvalidCondition", "InvalidCondition"])
    }
  }
}
