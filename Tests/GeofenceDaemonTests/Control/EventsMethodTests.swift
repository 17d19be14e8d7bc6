import ControlInterface
import Geofencing
import TestSupport
import Testing
import Varlink

/// Which of the log's events are told, over a socket.
@Suite(.timeLimit(.minutes(10))) struct EventsMethodTests {
  private let served: ConsumersServed

  init() throws { served = try ConsumersServed() }

  private func sequences(_ parameters: Events.Parameters) async throws -> [Int64] {
    try await served.call(Events.self, parameters).events.map(\.sequence)
  }

  @Test func `the newest come in order, and none after them twice`() async throws {
    try await served.monitoring.append(3)
    try await served.monitoring.append(1, monitor: "work")
    try await served.monitoring.append(1)
    try await served.run {
      #expect(try await sequences(.init(last: 2)) == [4, 5])
      #expect(try await sequences(.init(monitor: "default", last: 2)) == [3, 5])
      #expect(try await sequences(.init(since: 4, last: 2)) == [5])
      #expect(try await sequences(.init(last: 100)) == Array(1...5))
      let replies = try await served.connect()
        .stream(Events.self, Events.Parameters(monitor: "default", last: 1)).makeAsyncIterator()
      #expect(try await replies.next()?.events.map(\.sequence) == [5])
      try await served.monitoring.append(2)
      #expect(try await replies.next()?.events.map(\.sequence) == [6, 7])
    }
  }

  @Test func `a number beyond the newest event counts as that one`() async throws {
    try await served.monitoring.append(3)
    try await served.run {
      #expect(try await sequences(.init(since: 1_000)) == [])
      let first: Int64? = try await withThrowingTaskGroup(of: Int64?.self) { group in
        group.addTask { [served] in
          let replies = try await served.connect()
            .stream(Events.self, Events.Parameters(since: 1_000)).makeAsyncIterator()
          return try await replies.next()?.events.first?.sequence
        }
        // What is logged before it is asked isn't new.
        group.addTask { [served] in
          while !Task.isCancelled { try await served.monitoring.append(1) }
          return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
      let sequence = try #require(first)
      #expect(sequence < 1_000)
    }
  }

  @Test func `kinds and dates that are given hold for all that comes`() async throws {
    try await served.monitoring.append(2)
    try await served.run {
      let either = try await sequences(.init(kinds: [.entered, .exited]))
      #expect(either == [1, 2])
      #expect(try await sequences(.init(kinds: [])) == [1, 2])
      #expect(try await sequences(.init(kinds: [.exited])) == [])
      #expect(try await sequences(.init(until: at(0))) == [1, 2])
      #expect(try await sequences(.init(until: at(-1))) == [])
    }
  }

  @Test(arguments: [0, -1])
  func `no events can't be asked for`(_ last: Int) async throws {
    try await served.run {
      let error = try await served.error(of: Events.self, .init(last: last))
      #expect(error == "InvalidParameter")
    }
  }

  @Test func `a kind that is none is refused with its name`() async throws {
    struct Question: Encodable {
      let kinds: [String]
    }
    try await served.run {
      let error = await #expect(throws: VarlinkError.self) {
        try await served.connect().call(
          Events.qualifiedName, Question(kinds: ["left"]), returning: Events.Reply.self)
      }
      #expect(error?.standard == .invalidParameter)
      #expect(
        error?.description.hasSuffix("crossed, undetermined or unmonitored, not 'left'") == true,
        "\(String(describing: error))")
    }
  }
}
