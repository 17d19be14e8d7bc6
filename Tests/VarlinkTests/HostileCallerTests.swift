import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct HostileCallerTests {
  let example = ExampleService()

  /// Something that isn't a message, and what the refusal must say.
  struct Rubbish: CustomTestStringConvertible {
    let name: String
    let message: String
    let sentence: String
    var testDescription: String { name }
  }

  private static let noMethod = "a message must be a JSON object with a 'method'"
  private static let tooDeep = "the message is nested more than 32 deep"

  static let rubbish: [Rubbish] = [
    Rubbish(
      name: "nothing", message: "", sentence: noMethod + ": expected a value, but the text ends"),
    Rubbish(
      name: "not JSON", message: "GET / HTTP/1.1",
      sentence: noMethod + ": expected a value, not 'G'"),
    Rubbish(name: "an array", message: #"[{"method":"a.b.C"}]"#, sentence: noMethod),
    Rubbish(name: "a string", message: #""org.example.things.Echo""#, sentence: noMethod),
    Rubbish(name: "null", message: "null", sentence: noMethod),
    Rubbish(name: "no method", message: #"{"parameters":{}}"#, sentence: noMethod),
    Rubbish(
      name: "a method of 3", message: #"{"method":3}"#, sentence: noMethod + ": expected a text"),
    Rubbish(
      name: "more is a word", message: #"{"method":"a.b.C","more":"y"}"#,
      sentence: "'more' must be true or false"),
    Rubbish(
      name: "half an object", message: #"{"method":"a.b.C""#,
      sentence: noMethod + ": expected ',' or '}', but the text ends"),
    Rubbish(
      name: "two objects", message: #"{"method":"a.b.C"}{"method":"a.b.C"}"#, sentence: noMethod),
    Rubbish(
      name: "100,000 brackets", message: String(repeating: "[", count: 100_000), sentence: tooDeep),
    Rubbish(
      name: "100,000 objects", message: String(repeating: #"{"a":"#, count: 100_000),
      sentence: tooDeep),
    Rubbish(
      name: "a flag that is none", message: #"{"method":"a.b.C","more":1}"#,
      sentence: "'more' must be true or false"),
    Rubbish(
      name: "33 arrays in the parameters",
      message: #"{"method":"a.b.C","parameters":{"x":"#
        + String(repeating: "[", count: 33) + String(repeating: "]", count: 33) + "}}",
      sentence: tooDeep),
  ]

  @Test(arguments: rubbish)
  func `what isn't a message is refused with a sentence, and the connection closed`(
    rubbish: Rubbish
  ) async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(rubbish.message)
      #expect(
        try await caller.receive() == """
          {"error":"org.example.things.MalformedMessage",\
          "parameters":{"message":"\(rubbish.sentence)"}}
          """)
      #expect(try await caller.receive() == nil)
    }
  }

  @Test
  func `bytes that are no UTF-8 are refused`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.socket.write(
        Array(#"{"method":"org.example.things.Echo","parameters":{"text":""#.utf8)
          + [0xff, 0xc0, 0x80] + Array(#""}}"#.utf8) + [0])
      #expect(
        try await caller.receive() == """
          {"error":"org.example.things.MalformedMessage",\
          "parameters":{"message":"a message must be UTF-8"}}
          """)
      #expect(try await caller.receive() == nil)
    }
  }

  @Test
  func `brackets within strings don't count as nesting`() async throws {
    let text = String(repeating: #"[{\""#, count: 1000)
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Echo","parameters":{"text":"\#(text)"}}"#)
      #expect(try await caller.receive() == #"{"parameters":{"text":"\#(text)"}}"#)
    }
  }

  @Test
  func `a line of 10 MB is read to its end, refused once, and the connection closed`() async throws
  {
    try await withCaller(of: example.server()) { caller in
      // The caller writes everything before it reads anything.
      try await caller.socket.write(
        [UInt8](repeating: UInt8(ascii: "x"), count: 10_000_000) + [0], timeout: .untilItHangs)
      try await caller.send(#"{"method":"org.varlink.service.GetInfo"}"#)
      #expect(
        try await caller.receive() == """
          {"error":"org.example.things.MessageTooLong",\
          "parameters":{"message":"a message may have at most 8388608 bytes"}}
          """)
      #expect(try await caller.receive() == nil)
    }
  }

  @Test(arguments: [99, 100, 101])
  func `the longest message has exactly the limit's size`(size: Int) async throws {
    let server = try example.server { $0.maximumMessageBytes = 100 }
    let frame = #"{"method":"org.example.things.Echo","parameters":{"text":""}}"#
    let text = String(repeating: "x", count: size - frame.utf8.count)
    try await withCaller(of: server) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Echo","parameters":{"text":"\#(text)"}}"#)
      let reply = try #require(try await caller.receive())
      #expect(reply.contains("MessageTooLong") == (size > 100))
    }
  }

  @Test
  func `an endless message is cut off after a bounded number of bytes`() async throws {
    let server = try example.server { $0.maximumMessageBytes = 10_000 }
    try await withCaller(of: server) { caller in
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
      var sent = 0
      do {
        while sent < 100_000_000 {
          try await caller.socket.write(piece, timeout: .untilItHangs)
          sent += piece.count
        }
      } catch let error as Errno {
        #expect(error == .brokenPipe || error == .connectionReset)
      }
      #expect(sent < 10_000_000)
    }
  }

  private static let incomplete = """
    {"error":"org.example.things.MalformedMessage","parameters":\
    {"message":"the message was not complete in time; a message ends with a zero byte"}}
    """

  @Test
  func `half a message and then silence ends the connection`() async throws {
    let server = try example.server { $0.partialMessageTimeout = .milliseconds(50) }
    try await withCaller(of: server) { caller in
      try await caller.socket.write(Array(#"{"method":"#.utf8))
      #expect(try await caller.receive() == Self.incomplete)
      #expect(try await caller.receive() == nil)
    }
  }

  @Test
  func `a message that comes in drops, for ever, ends the connection`() async throws {
    let server = try example.server { $0.partialMessageTimeout = .milliseconds(200) }
    try await withCaller(of: server) { caller in
      // Every byte comes well within the time; all of them together don't.
      await #expect(throws: Errno.self) {
        while true { try await caller.socket.write([UInt8(ascii: " ")]) }
      }
      // Not because they were too many at last.
      let reply = try await caller.receive()
      #expect(reply == Self.incomplete)
    }
  }

  @Test
  func `a connection without a message in it stays open`() async throws {
    let server = try example.server { $0.partialMessageTimeout = .milliseconds(1) }
    try await withCaller(of: server) { caller in
      #expect(try await caller.socket.read(timeout: .milliseconds(100)) == nil)
      try await caller.send(#"{"method":"org.example.things.Echo","parameters":{"text":"1"}}"#)
      #expect(try await caller.receive() == #"{"parameters":{"text":"1"}}"#)
    }
  }

  private static let request = #"{"method":"org.example.things.Echo","parameters":{"text":""}}"#
  private static let echo = #"{"parameters":{"text":""}}"#
  private static let refusal = """
    {"error":"org.example.things.TooManyRequests","parameters":{"message":\
    "user \(getuid()) may make 5 requests a second, over all its connections; \
    try again in a moment"}}
    """

  @Test
  func `too many requests are refused and the connection goes on`() async throws {
    let clock = RequestClock()
    let server = try example.server({ $0.maximumRequestsPerSecond = 5 }, now: { clock.now })
    try await withCaller(of: server) { caller in
      func answers(to count: Int) async throws -> [String?] {
        for _ in 1...count { try await caller.send(Self.request) }
        var answers: [String?] = []
        for _ in 1...count { answers.append(try await caller.receive()) }
        return answers
      }
      let atOnce = try await answers(to: 50)
      #expect(
        atOnce == Array(repeating: Self.echo, count: 5) + Array(repeating: Self.refusal, count: 45))
      // A request is allowed again every 200 ms.
      clock.advance(by: .milliseconds(199))
      let tooEarly = try await answers(to: 1)
      #expect(tooEarly == [Self.refusal])
      clock.advance(by: .milliseconds(2))
      let later = try await answers(to: 2)
      #expect(later == [Self.echo, Self.refusal])
    }
  }

  @Test
  func `requests count over all connections of a user`() async throws {
    let clock = RequestClock()
    let server = try example.server({ $0.maximumRequestsPerSecond = 5 }, now: { clock.now })
    var answers: [String?] = []
    // A connection for each call, as many callers do it.
    for _ in 1...7 {
      try await withCaller(of: server) { caller in
        try await caller.send(Self.request)
        answers.append(try await caller.receive())
      }
    }
    #expect(
      answers
        == Array(repeating: Self.echo, count: 5) + Array(repeating: Self.refusal, count: 2))
  }

  @Test
  func `who sends requests without an end leaves others their turn`() async throws {
    let server = try example.server { $0.maximumRequestsPerSecond = 1 }
    let diary = example.diary
    let (flood, flooded) = try StreamSocket.pair()
    let flooding = Array(repeating: #"{"method":"a.B","oneway":true}"#, count: 2000)
    try await RawCaller(flood).send(flooding.joined(separator: "\0"))
    flood.finishWriting()
    // One thread has both.
    await EventLoop(label: "test").run {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await server.serve(flooded)
          diary.note("the flood has ended")
        }
        group.addTask { diary.note("another's turn") }
      }
    }
    #expect(diary.all == ["another's turn", "the flood has ended"])
  }

  @Test
  func `a caller that doesn't read its replies is dropped`() async throws {
    let server = try example.server { $0.writeTimeout = .milliseconds(50) }
    let (ours, theirs) = try StreamSocket.pair()
    try await RawCaller(ours).send(#"{"method":"org.example.things.Flood","more":true}"#)
    // Returns although the caller neither reads nor hangs up.
    await server.serve(theirs)
    #expect(example.diary.all == ["stopped flooding"])
    ours.shutDown()
  }

  @Test
  func `a flood that is read arrives and ends with its reader`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(#"{"method":"org.example.things.Flood","more":true}"#)
      for _ in 1...500 {
        #expect(try #require(try await caller.receive()).hasPrefix(#"{"continues":true"#))
      }
    }
    #expect(example.diary.all == ["stopped flooding"])
  }
}
