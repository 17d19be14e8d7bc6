import ControlInterface
import Geofencing
import Glibc
import Testing
import Varlink

@testable import GeofenceDaemon

/// Named consumers of root, who may read the events of others.
@Suite(.timeLimit(.minutes(10)))
struct ConsumersOfRootTests {
  private let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  @Test func `a consumer of a user that root names gets that user's events alone`() async throws {
    guard getuid() == 0 else { try Test.cancel("only root names a consumer of somebody else") }
    let served = try ConsumersServed(on: machine)
    try await served.monitoring.append(2)
    try await served.monitoring.append(2, user: ConsumersServed.user + 1)
    try await served.run {
      let other = ConsumerName(user: ConsumersServed.user + 1, consumer: "reader")
      let reply = try await served.call(Consume.self, Consume.Parameters(other))
      #expect(reply.events.map(\.sequence) == [3, 4])
    }
  }

  @Test(arguments: [0, nil] as [UInt32?])
  func `a consumer of root's own events isn't one of everybody's`(first: UInt32?) async throws {
    guard getuid() == 0 else { try Test.cancel("only root reads everybody's events") }
    let served = try ConsumersServed(on: machine)
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
}
