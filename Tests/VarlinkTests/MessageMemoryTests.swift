import LinuxSystem
import TestSupport
import Testing

@testable import Varlink

/// The bound on what one user's long messages take in memory, over all its connections.
@Suite(.timeLimit(.minutes(10))) struct MessageMemoryTests {
  private let example = ExampleService()

  @Test func `what is beyond the ordinary counts, and is given back`() {
    let memory = MessageMemory(limit: 1_000)
    let free = MessageMemory.free
    let first = MessageMemory.Share(of: memory, user: 7)
    #expect(first.hold(free) && memory.bytes(ofUser: 7) == 0)
    #expect(first.hold(free + 600) && memory.bytes(ofUser: 7) == 600)
    do {
      let second = MessageMemory.Share(of: memory, user: 7)
      #expect(!second.hold(free + 401))
      #expect(memory.bytes(ofUser: 7) == 600)
      // Ordinary ones always fit, and another user has its own.
      #expect(second.hold(free) && MessageMemory.Share(of: memory, user: 8).hold(free + 1_000))
      #expect(second.hold(free + 400) && memory.bytes(ofUser: 7) == 1_000)
      #expect(!first.hold(free + 601) && first.hold(free + 10))
    }
    #expect(memory.bytes(ofUser: 7) == 10)
    #expect(first.hold(0) && memory.bytes(ofUser: 7) == 0)
  }

  @Test func `a reply that can't be shorter has room where nothing else is`() {
    let memory = MessageMemory(limit: 1_000)
    let size = MessageMemory.free + 5_000
    let first = MessageMemory.Share(of: memory, user: 7)
    let second = MessageMemory.Share(of: memory, user: 7)
    #expect(!first.hold(size) && first.hold(size, isReply: true))
    #expect(!second.hold(size, isReply: true))
    #expect(MessageMemory.Share(of: memory, user: 8).hold(size, isReply: true))
    #expect(first.hold(0) && memory.bytes(ofUser: 7) == 0 && second.hold(size, isReply: true))
  }

  @Test func `a user whose unfinished messages are too many is refused on the next connection`()
    async throws
  {
    let server = try example.server {
      $0.maximumMessageBytes = 1_000_000
      $0.maximumMessageBytesPerUser = 1_500_000
    }
    let part = [UInt8](repeating: UInt8(ascii: "x"), count: 900_000)
    try await withCaller(of: server) { first in
      try await first.socket.write(part, timeout: .untilItHangs)
      // It has been read when it counts.
      let user = try first.socket.user
      while server.memory.bytes(ofUser: user) < part.count - MessageMemory.free {
        await Task.yield()
      }
      try await withCaller(of: server) { second in
        do {
          try await second.socket.write(part, timeout: .untilItHangs)
        } catch {
          // It is turned away in the middle.
        }
        let reply = try await second.receive()
        #expect(reply?.contains("TooManyRequests") == true, "\(reply ?? "-")")
        #expect(reply?.contains("too many long messages under way") == true)
        #expect(try await second.receive() == nil)
      }
      try await withCaller(of: server) { third in
        try await third.send(#"{"method":"org.varlink.service.GetInfo"}"#)
        #expect(try await third.receive()?.contains("Example") == true)
      }
    }
    #expect(server.memory.bytes(ofUser: try StreamSocket.pair().0.user) == 0)
  }

  @Test func `a long message that was answered counts no more`() async throws {
    let server = try example.server {
      $0.maximumMessageBytes = 1_000_000
      $0.maximumMessageBytesPerUser = 1_500_000
    }
    let text = String(repeating: "x", count: 300_000)
    let request = #"{"method":"org.example.things.Echo","parameters":{"text":"\#(text)"}}"#
    try await withCaller(of: server) { first in
      try await first.send(request)
      #expect(try await first.receive()?.contains(text) == true)
      let user = try first.socket.user
      while server.memory.bytes(ofUser: user) > 0 { await Task.yield() }
      try await first.send(#"{"method":"org.varlink.service.GetInfo"}"#)
      #expect(try await first.receive()?.contains("Example") == true)
    }
  }

  @Test func `a reply for which there is no room is an error instead`() async throws {
    let server = try example.server {
      $0.maximumMessageBytes = 1_000_000
      $0.maximumMessageBytesPerUser = 1_000_000
    }
    let text = String(repeating: "x", count: 900_000)
    try await withCaller(of: server) { caller in
      // The request is in memory until its reply was taken, and both are too much.
      try await caller.send(
        #"{"method":"org.example.things.Echo","parameters":{"text":"\#(text)"}}"#)
      #expect(try await caller.receive()?.contains("TooManyRequests") == true)
      try await caller.send(#"{"method":"org.example.things.Echo","parameters":{"text":"x"}}"#)
      #expect(try await caller.receive() == #"{"parameters":{"text":"x"}}"#)
    }
  }
}
