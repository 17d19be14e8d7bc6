import Foundation
import LinuxSystem
import TestSupport
import Testing
import Varlink

/// Servers on a socket in the file system.
@Suite(.timeLimit(.minutes(10))) struct ListeningServerTests {
  let example = ExampleService()

  /// Runs a server at a path while the body uses it.
  private func withListener(
    maximumConnections: Int = 100, _ body: (String) async throws -> Void
  ) async throws {
    let server = try example.server { $0.maximumConnections = maximumConnections }
    try await withTemporaryDirectory { directory in
      let path = directory + "/socket"
      try await serve(server, on: ListeningSocket(path: path)) { try await body(path) }
    }
  }

  @Test
  func `many callers are served at the same time`() async throws {
    try await withListener { path in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...40 {
          group.addTask {
            let connection = try await VarlinkConnection.connect(
              toPath: path, replyTimeout: .untilItHangs)
            var sum = 0
            for try await reply in connection.stream(
              "org.example.things.Count", ExampleService.Count(to: number),
              returning: ExampleService.Number.self)
            {
              sum += reply.number
            }
            return sum
          }
        }
        var sums: [Int] = []
        for try await sum in group { sums.append(sum) }
        #expect(sums.sorted() == (1...40).map { $0 * ($0 + 1) / 2 })
      }
    }
  }

  @Test
  func `cancelling the server ends streams, idle connections and half messages`() async throws {
    var callers: [RawCaller] = []
    try await withListener { path in
      for message in [
        #"{"method":"org.example.things.Wait","more":true}"# + "\0", "", #"{"method":"#,
      ] {
        let caller = RawCaller(try await StreamSocket.connect(toPath: path))
        try await caller.socket.write(Array(message.utf8))
        callers.append(caller)
      }
      #expect(
        try await callers[0].receive() == #"{"continues":true,"parameters":{"number":1}}"#)
    }
    #expect(example.diary.all == ["stopped waiting"])
    for caller in callers { #expect(try await caller.receive() == nil) }
  }

  @Test
  func `a caller too many is told so, and keeps nobody from being served`() async throws {
    try await withListener(maximumConnections: 2) { path in
      let first = try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs)
      let second = try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs)
      // Both are surely being served once they were answered.
      for connection in [first, second] { try await echo(on: connection) }
      let error = await #expect(throws: VarlinkError.self) {
        try await echo(
          on: try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs))
      }
      #expect(error?.name == "org.example.things.TooManyConnections")
      #expect(error?.message == "2 connections are open already; try again later")
      try await echo(on: first)
    }
  }

  @Test
  func `of a hundred callers too many each is told so`() async throws {
    try await withListener(maximumConnections: 1) { path in
      let first = try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs)
      try await echo(on: first)
      // None of them reads or leaves before all have come.
      var callers: [RawCaller] = []
      for _ in 0..<100 {
        callers.append(RawCaller(try await StreamSocket.connect(toPath: path)))
      }
      for caller in callers {
        #expect(try #require(try await caller.receive()).contains("TooManyConnections"))
      }
    }
  }

  @Test func `nobody keeps root out, and root keeps nobody out`() {
    var limits = VarlinkLimits()
    limits.maximumConnections = 2
    limits.maximumConnectionsPerUser = 2
    let connections = ConnectionCounter(limits)
    #expect((1...2).allSatisfy { connections.enter(uid: 1000 + $0) == .served })
    #expect(connections.enter(uid: 1003) != .served)
    #expect((1...2).allSatisfy { _ in connections.enter(uid: 0) == .served })
    #expect(connections.enter(uid: 0) != .served)
    connections.leave(uid: 0, .served)
    #expect(connections.enter(uid: 1003) != .served)
    connections.leave(uid: 1001, .served)
    #expect(connections.enter(uid: 1003) == .served)
  }

  @Test
  func `one user other than root can't take every place`() async throws {
    guard getuid() == 0 else { try Test.cancel("only root can become another user") }
    await #expect(processExitsWith: .success) {
      try #require(setuid(65_534) == 0)
      let server = try ExampleService().server { $0.maximumConnectionsPerUser = 1 }
      try await withTemporaryDirectory { directory in
        let listener = try ListeningSocket(path: directory + "/socket")
        try await serve(server, on: listener) {
          let first = RawCaller(try await StreamSocket.connect(toPath: listener.path))
          let second = RawCaller(try await StreamSocket.connect(toPath: listener.path))
          #expect(
            try await second.receive() == """
              {"error":"org.example.things.TooManyConnections","parameters":\
              {"message":"user 65534 has 1 connections open already; close one first"}}
              """)
          try await first.send(
            #"{"method":"org.example.things.Echo","parameters":{"text":"1"}}"#)
          #expect(try await first.receive() == #"{"parameters":{"text":"1"}}"#)
        }
      }
    }
  }

  @Test
  func `a place that becomes free is given to the next caller`() async throws {
    try await withListener(maximumConnections: 1) { path in
      while example.diary.all.count < 10 {
        let caller = RawCaller(try await StreamSocket.connect(toPath: path))
        try await caller.send(#"{"method":"org.example.things.Echo","parameters":{"text":"a"}}"#)
        let reply = try await caller.receive()
        // The one before may be on its way out still.
        if reply?.contains("TooManyConnections") == true { continue }
        #expect(reply == #"{"parameters":{"text":"a"}}"#)
        caller.socket.finishWriting()
        #expect(try await caller.receive() == nil)
      }
    }
  }

  @Test
  func `a server that can't accept anybody rests, and goes on when it can`() async throws {
    // In a process of its own: the time of all its threads is counted.
    await #expect(processExitsWith: .success) {
      let server = try ExampleService().server()
      try await withTemporaryDirectory { directory in
        let path = directory + "/socket"
        // Not by a lack of descriptors: libdispatch needs some itself, and ends the process where it gets none.
        let descriptor = try bindWithoutListening(to: path)
        let listener = try ListeningSocket(
          adopting: FileDescriptor(adopting: descriptor), path: path)
        try await serve(server, on: listener) {
          while listener.failure == nil { await Task.yield() }
          #expect(listener.failure == Errno(EINVAL))
          #expect(processorTimeOfOtherThreads(while: .milliseconds(300)) < .milliseconds(100))
          try #require(listen(descriptor, 5) == 0)
          let caller = RawCaller(try await StreamSocket.connect(toPath: path))
          try await caller.send(
            #"{"method":"org.example.things.Echo","parameters":{"text":"late"}}"#)
          #expect(try await caller.receive() == #"{"parameters":{"text":"late"}}"#)
        }
      }
    }
  }

  @Test
  func `callers that leave in any way leave no socket behind`() async throws {
    // In a process of its own: other tests open and close descriptors too.
    await #expect(processExitsWith: .success) {
      let server = try ExampleService().server()
      try await withTemporaryDirectory { directory in
        let listener = try ListeningSocket(path: directory + "/socket")
        try await serve(server, on: listener) {
          let first = RawCaller(try await StreamSocket.connect(toPath: listener.path))
          try await first.send(#"{"method":"org.varlink.service.GetInfo"}"#)
          _ = try await first.receive()
          let before = try socketsInUse()
          for round in 1...100 {
            let caller = RawCaller(try await StreamSocket.connect(toPath: listener.path))
            switch round % 5 {
            case 0: try await caller.send(#"{"method":"org.example.things.Wait","more":true}"#)
            case 1: try await caller.send(#"{"method":"org.example.things.Flood","more":true}"#)
            case 2: try await caller.socket.write(Array(#"{"method":"#.utf8))
            case 3: try await caller.send("rubbish")
            default: break
            }
            if round % 2 == 0, (0...1).contains(round % 5) { _ = try await caller.receive() }
          }
          // The server notices each of them in its own time.
          let deadline = ContinuousClock.now.advanced(by: .untilItHangs)
          while try socketsInUse() != before {
            try #require(ContinuousClock.now < deadline)
            try await Poller.shared.sleep(for: .milliseconds(5))
          }
          first.socket.shutDown()
        }
      }
    }
  }

  private func echo(on connection: VarlinkConnection) async throws {
    let text = ExampleService.Text(text: "echo")
    #expect(
      try await connection.call(
        "org.example.things.Echo", text, returning: ExampleService.Text.self) == text)
  }
}

/// Runs a server while the body uses it, and until it has ended.
private func serve(
  _ server: VarlinkServer, on listener: ListeningSocket, _ body: () async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await server.run(on: listener) }
    defer { group.cancelAll() }
    try await body()
    group.cancelAll()
    try await group.waitForAll()
  }
}

private func socketsInUse() throws -> Int {
  try openDescriptors().values.count { $0.hasPrefix("socket:") }
}
