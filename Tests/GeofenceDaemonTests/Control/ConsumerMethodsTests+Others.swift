import ControlInterface
import Geofencing
import Glibc
import MonitorStorage
import SQLite
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// Consumers of root, of another log, and while none can be read.
extension ConsumerMethodsTests {
  @Test func `an acknowledgement of another log says nothing of this one`() async throws {
    try await served.monitoring.append(2)
    try await served.run {
      let log = try await served.consume(name).log
      for (told, cursor) in [("other", Int64(0)), (log, 1)] {
        try await served.call(
          Acknowledge.self, Acknowledge.Parameters(name, sequence: 1, log: told))
        #expect(try await served.shown(name)?.cursor == cursor)
      }
    }
  }

  @Test func `an acknowledgement is refused while none can be read, and isn't stored later`()
    async throws
  {
    let (monitoring, connected) = (served.monitoring, served.methods.connected)
    let keys = ["reader", "other"].map {
      ConsumerKey(owner: ConsumersServed.user, monitor: "default", name: $0)
    }
    for key in keys {
      _ = try await monitoring.consumer(
        key, reading: .init(user: key.owner, monitor: "default"), since: nil)
    }
    try await monitoring.append(5)
    let connection = try Connection(path: machine.directory + "/geofenced.db")
    try connection.execute("ALTER TABLE consumer RENAME TO away")
    connected.note(4, of: keys[0])
    let refusal = await #expect(throws: ControlError.self) {
      try await monitoring.acknowledge(4, by: keys[0], connected)
    }
    #expect(refusal?.name == .persistenceUnavailable)
    #expect(refusal?.description.hasPrefix("nothing was acknowledged, reading failed: ") == true)
    try connection.execute("ALTER TABLE away RENAME TO consumer")
    try await monitoring.acknowledge(1, by: keys[1], connected)
    let places = try await monitoring.consumers(of: nil)
    #expect(keys.map { key in places.first { $0.key == key }?.cursor } == [0, 1])
  }

  @Test func `a consumer of a user that root names gets that user's events alone`() async throws {
    guard getuid() == 0 else { try Test.cancel("only root names a consumer of somebody else") }
    try await served.monitoring.append(2)
    try await served.monitoring.append(2, user: ConsumersServed.user + 1)
    try await served.run {
      let other = ConsumerName(user: ConsumersServed.user + 1, consumer: "reader")
      let reply = try await served.consume(other)
      #expect(reply.events.map(\.sequence) == [3, 4])
    }
  }

  @Test(arguments: [0, nil] as [UInt32?])
  func `a consumer of root's own events isn't one of everybody's`(first: UInt32?) async throws {
    guard getuid() == 0 else { try Test.cancel("only root reads everybody's events") }
    try await served.run {
      func parameters(_ user: UInt32?) -> Consume.Parameters {
        Consume.Parameters(ConsumerName(user: user, consumer: "logger"))
      }
      let other: UInt32? = first == nil ? 0 : nil
      try await served.call(Consume.self, parameters(first))
      #expect(
        try await served.error(of: Consume.self, parameters(other)) == "InvalidParameter")
      #expect(try await served.error(of: Consume.self, parameters(first)) == nil)
    }
  }

  @Test func `a hundred events that aren't acknowledged cost no processor time`() async {
    // In a process of its own: the time of all its threads is counted.
    await #expect(processExitsWith: .success) {
      let served = try ConsumersServed()
      try await served.monitoring.append(101)
      try await served.run {
        let holder = try await served.hold(ConsumerName(monitor: "default", consumer: "reader"))
        let events = try await holder.events(100)
        #expect(events.count == 100)
        #expect(processorTimeOfOtherThreads(while: .milliseconds(300)) < .milliseconds(100))
      }
    }
  }
}
