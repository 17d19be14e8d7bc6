import Foundation
import LinuxSystem
import TestSupport
import Testing
import Varlink

/// The client's end.
@Suite(.timeLimit(.minutes(10))) struct VarlinkConnectionTests {
  private typealias Number = ExampleService.Number
  private typealias Text = ExampleService.Text

  private let example = ExampleService()

  /// Lets the body call while a script plays the service.
  private func withService(
    replyTimeout: Duration? = .untilItHangs, maximumReplyBytes: Int = 16 << 20,
    _ script: @escaping @Sendable (RawCaller) async throws -> Void,
    _ body: (VarlinkConnection) async throws -> Void
  ) async throws {
    let (ours, theirs) = try StreamSocket.pair()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let service = RawCaller(theirs)
        defer { theirs.shutDown() }
        try await script(service)
      }
      defer { ours.shutDown() }
      try await body(
        VarlinkConnection(ours, replyTimeout: replyTimeout, maximumReplyBytes: maximumReplyBytes))
      ours.shutDown()
      try await group.waitForAll()
    }
  }

  @Test
  func `a call returns what the service answers`() async throws {
    try await withService { service in
      #expect(
        try await service.receive() == #"{"method":"a.b.C","parameters":{"text":"x/é"}}"#)
      try await service.send(#"{"parameters":{"text":"y","new":[1]}}"#)
      #expect(try await service.receive() == #"{"method":"a.b.D","parameters":{}}"#)
      try await service.send("{}")
    } _: { connection in
      let text = try await connection.call("a.b.C", Text(text: "x/é"), returning: Text.self)
      #expect(text == Text(text: "y"))
      _ = try await connection.call("a.b.D", returning: NoParameters.self)
    }
  }

  @Test
  func `an error is thrown with its parameters, and the connection goes on`() async throws {
    try await withCaller(of: example.server()) { caller in
      let connection = VarlinkConnection(caller.socket, replyTimeout: .untilItHangs)
      let error = await #expect(throws: VarlinkError.self) {
        _ = try await connection.call(
          "org.example.things.Fail", ["how": "typed"], returning: NoParameters.self)
      }
      #expect(error?.name == "org.example.things.TooSmall")
      let parameters = try error?.parameters(as: ExampleService.Minimum.self)
      #expect(parameters == ExampleService.Minimum(minimum: 3))
      #expect(error?.message == nil)
      #expect(error?.description == "org.example.things.TooSmall")
      await #expect(throws: VarlinkError("org.varlink.service.PermissionDenied")) {
        _ = try await connection.call(
          "org.example.things.Fail", ["how": "refused"], returning: NoParameters.self)
      }
    }
  }

  @Test
  func `the handler sees who calls`() async throws {
    try await withCaller(of: example.server()) { caller in
      let error = await #expect(throws: VarlinkError.self) {
        _ = try await VarlinkConnection(caller.socket, replyTimeout: .untilItHangs).call(
          "org.example.things.Fail", ["how": "peer"], returning: NoParameters.self)
      }
      let parameters = try error?.parameters(as: [String: UInt32].self)
      #expect(parameters == ["uid": getuid()])
    }
  }

  @Test
  func `a stream gives every reply and leaves the connection usable`() async throws {
    try await withCaller(of: example.server()) { caller in
      let connection = VarlinkConnection(caller.socket, replyTimeout: .untilItHangs)
      for count in [1, 3, 1000] {
        var numbers: [Int] = []
        for try await reply in connection.stream(
          "org.example.things.Count", ExampleService.Count(to: count), returning: Number.self)
        {
          numbers.append(reply.number)
        }
        #expect(numbers == Array(1...count))
      }
    }
  }

  @Test
  func `a stream's error ends it and leaves the connection usable`() async throws {
    try await withCaller(of: example.server()) { caller in
      let connection = VarlinkConnection(caller.socket, replyTimeout: .untilItHangs)
      let error = await #expect(throws: VarlinkError.self) {
        for try await _ in connection.stream(
          "org.example.things.Count", ExampleService.Count(to: 0), returning: Number.self)
        {}
      }
      #expect(error?.name == "org.example.things.TooSmall")
      let text = Text(text: "still here")
      let echo = try await connection.call("org.example.things.Echo", text, returning: Text.self)
      #expect(echo == text)
    }
  }

  @Test
  func `leaving a stream early ends the service's handler and closes the connection`()
    async throws
  {
    try await withCaller(of: example.server()) { caller in
      let connection = VarlinkConnection(caller.socket, replyTimeout: .untilItHangs)
      for try await _ in connection.stream("org.example.things.Wait", returning: Number.self) {
        await #expect(throws: VarlinkConnectionError.busy) {
          _ = try await connection.call("org.varlink.service.GetInfo", returning: NoParameters.self)
        }
        break
      }
      await #expect(throws: VarlinkConnectionError.closed) {
        _ = try await connection.call("org.varlink.service.GetInfo", returning: NoParameters.self)
      }
      #expect(try await caller.receive() == nil)
    }
    #expect(example.diary.all == ["stopped waiting"])
  }

  @Test
  func `a second call for a stream's next reply is refused, and the first one gets it`()
    async throws
  {
    actor Reader {
      private let replies: VarlinkReplySequence<Number, NoParameters>.AsyncIterator

      init(_ socket: StreamSocket) {
        replies = VarlinkConnection(socket, replyTimeout: .untilItHangs)
          .stream("a.b.C", returning: Number.self, prompt: .all).makeAsyncIterator()
      }

      func next() async throws -> Int? { try await replies.next(isolation: self)?.number }
    }
    let (ours, theirs) = try StreamSocket.pair()
    let (reader, service) = (Reader(ours), RawCaller(theirs))
    for number in 1...3 {
      try await withThrowingTaskGroup(of: Int?.self) { group in
        for _ in 0..<2 { group.addTask { try await reader.next() } }
        // The service hasn't said anything yet.
        await #expect(throws: VarlinkConnectionError.busy) { try await group.next() }
        if number == 1 { _ = try await service.receive() }
        try await service.send(#"{"parameters":{"number":\#(number)},"continues":true}"#)
        #expect(try await group.next() == number)
      }
    }
  }

  @Test
  func `a cancelled stream throws CancellationError`() async throws {
    try await withCaller(of: example.server()) { caller in
      let (received, reportReceived) = AsyncStream.makeStream(of: Void.self)
      let reader = Task {
        for try await _ in VarlinkConnection(caller.socket, replyTimeout: .untilItHangs).stream(
          "org.example.things.Wait", returning: Number.self)
        {
          reportReceived.yield()
        }
      }
      for await _ in received.prefix(1) {}
      reader.cancel()
      await #expect(throws: CancellationError.self) { try await reader.value }
    }
  }

  @Test
  func `a service that says nothing is given up`() async throws {
    try await withService(replyTimeout: .milliseconds(50)) { service in
      _ = try await service.receiveAll()
    } _: { connection in
      await #expect(throws: VarlinkConnectionError.timedOut) {
        _ = try await connection.call("a.b.C", returning: NoParameters.self)
      }
      // The reply may still come, and would be taken for another's.
      await #expect(throws: VarlinkConnectionError.closed) {
        _ = try await connection.call("a.b.C", returning: NoParameters.self)
      }
    }
  }

  @Test
  func `a stream that should begin at once is given up when it doesn't`() async throws {
    try await withService(replyTimeout: .milliseconds(50)) { service in
      _ = try await service.receiveAll()
    } _: { connection in
      await #expect(throws: VarlinkConnectionError.timedOut) {
        for try await _ in connection.stream("a.b.C", returning: Number.self, prompt: .first) {}
      }
    }
  }

  @Test func `a stream that should come at once is given up between two replies`() async throws {
    try await withService(replyTimeout: .seconds(1)) { service in
      _ = try await service.receive()
      try await service.send(#"{"parameters":{},"continues":true}"#)
      _ = try await service.receiveAll()
    } _: { connection in
      await #expect(throws: VarlinkConnectionError.timedOut) {
        for try await _ in connection.stream("a.b.C", returning: NoParameters.self, prompt: .all) {}
      }
    }
  }

  @Test(
    arguments: [
      ("hello", "it is not a JSON object"),
      ("[]", "it is not a JSON object"),
      (String(repeating: "[", count: 100_000), "it is not a JSON object"),
      (#"{"continues":true,"parameters":{}}"#, "more replies than one to a.b.C"),
    ])
  func `a reply that can't be understood is told and closes the connection`(
    reply: String, problem: String
  ) async throws {
    try await withService { service in
      _ = try await service.receive()
      try await service.send(reply)
    } _: { connection in
      await #expect(throws: VarlinkConnectionError.malformedReply(problem)) {
        _ = try await connection.call("a.b.C", returning: NoParameters.self)
      }
      await #expect(throws: VarlinkConnectionError.closed) {
        _ = try await connection.call("a.b.C", returning: NoParameters.self)
      }
    }
  }

  @Test
  func `a reply of other types is told, and the connection goes on`() async throws {
    try await withService { service in
      for reply in [#"{"parameters":{"text":7}}"#, #"{"parameters":{"text":"y"}}"#] {
        _ = try await service.receive()
        try await service.send(reply)
      }
    } _: { connection in
      let error = await #expect(throws: VarlinkConnectionError.self) {
        _ = try await connection.call("a.b.C", returning: Text.self)
      }
      guard case .malformedReply = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      let next = try await connection.call("a.b.C", returning: Text.self)
      #expect(next.text == "y")
    }
  }

  @Test
  func `a reply longer than the limit is refused`() async throws {
    try await withService(maximumReplyBytes: 1000) { service in
      _ = try await service.receive()
      try await service.send(#"{"parameters":{"text":"\#(String(repeating: "x", count: 1000))"}}"#)
    } _: { connection in
      await #expect(throws: VarlinkConnectionError.replyTooLong(maximumBytes: 1000)) {
        _ = try await connection.call("a.b.C", returning: NoParameters.self)
      }
    }
  }

  @Test
  func `a service that closes is told from one that answers`() async throws {
    try await withService { _ in
    } _: { connection in
      await #expect(throws: VarlinkConnectionError.closed) {
        _ = try await connection.call("a.b.C", returning: NoParameters.self)
      }
    }
  }
}
