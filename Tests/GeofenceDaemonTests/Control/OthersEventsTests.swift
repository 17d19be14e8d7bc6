import ControlInterface
import Geofencing
import SQLite
import Testing
import Varlink

/// What the events of other monitors cost somebody who waits for those of one.
@Suite(.timeLimit(.minutes(10))) struct OthersEventsTests {
  private let served: ConsumersServed

  init() throws { served = try ConsumersServed() }

  /// Makes all reading of events fail for a while, in which somebody waits who was told of all.
  private func hideEvents() async throws {
    let connection = try Connection(path: served.machine.directory + "/geofenced.db")
    try connection.execute("ALTER TABLE event RENAME TO hidden_event")
    // Who reads again and again has its turns while others are answered. These are of another log, so
    // nothing is read or written for them.
    let name = ConsumerName(monitor: "default", consumer: "reader")
    for _ in 0..<20 {
      try await served.call(
        Acknowledge.self, Acknowledge.Parameters(name, sequence: 1, log: "another"))
    }
    try connection.execute("ALTER TABLE hidden_event RENAME TO event")
  }

  @Test func `a consumer doesn't read them again and again`() async throws {
    try await served.monitoring.append(1, monitor: "work")
    try await served.run {
      let holder = try await served.hold(ConsumerName(monitor: "default", consumer: "reader"))
      #expect(try await holder.next().events == [])
      try await hideEvents()
      try await served.monitoring.append(1)
      #expect(try await holder.next().events.map(\.sequence) == [2])
    }
  }

  @Test func `who follows the events of a monitor doesn't either`() async throws {
    try await served.monitoring.append(1)
    try await served.monitoring.append(1, monitor: "work")
    try await served.run {
      let replies = try await served.connect()
        .stream(Events.self, Events.Parameters(monitor: "default")).makeAsyncIterator()
      #expect(try await replies.next()?.events.map(\.sequence) == [1])
      try await hideEvents()
      try await served.monitoring.append(1)
      #expect(try await replies.next()?.events.map(\.sequence) == [3])
    }
  }
}
