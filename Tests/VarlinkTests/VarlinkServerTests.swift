import LinuxSystem
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct VarlinkServerTests {
  let example = ExampleService()

  @Test
  func `a call is answered with its output`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Echo","parameters":{"text":"a/b"}}"#)
      #expect(try await caller.receive() == #"{"parameters":{"text":"a/b"}}"#)
    }
  }

  @Test(arguments: [" ", "\n", "\t", "\r\n \n"])
  func `white space around a request is white space`(space: String) async throws {
    try await withCaller(of: example.server()) { caller in
      for _ in 0..<2 {
        try await caller.send(
          space + #"{"method":"org.example.things.Echo","parameters":{"text":"a"}}"# + space)
        #expect(try await caller.receive() == #"{"parameters":{"text":"a"}}"#)
      }
    }
  }

  @Test
  func `requests sent at once are answered in order`() async throws {
    try await withCaller(of: example.server()) { caller in
      for number in 1...50 {
        try await caller.send(
          #"{"method":"org.example.things.Echo","parameters":{"text":"\#(number)"}}"#)
      }
      for number in 1...50 {
        #expect(try await caller.receive() == #"{"parameters":{"text":"\#(number)"}}"#)
      }
    }
  }

  @Test
  func `a request made of single bytes is answered`() async throws {
    try await withCaller(of: example.server()) { caller in
      for byte in Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0] {
        try await caller.socket.write([byte])
      }
      #expect(
        try await caller.receive() == """
          {"parameters":{"interfaces":["org.varlink.service","org.example.things"],\
          "product":"Things","url":"https://example.org","vendor":"Example","version":"1.2"}}
          """)
    }
  }

  @Test
  func `a oneway call is carried out and gets no reply, not even an error`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Echo","parameters":{"text":"1"},"oneway":true}"#,
        #"{"method":"org.example.things.Nothing","oneway":true}"#,
        #"{"method":"org.example.things.Count","parameters":{"to":9},"oneway":true,"more":true}"#,
        #"{"method":"org.example.things.Echo","parameters":{"text":"2"}}"#)
      #expect(try await caller.receive() == #"{"parameters":{"text":"2"}}"#)
    }
    #expect(example.diary.all == ["oneway 1", "2"])
  }

  @Test
  func `a stream's replies continue up to the last, and a later request waits`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Count","parameters":{"to":3},"more":true}"#,
        #"{"method":"org.example.things.Echo","parameters":{"text":"after"}}"#)
      #expect(try await caller.receive() == #"{"continues":true,"parameters":{"number":1}}"#)
      #expect(try await caller.receive() == #"{"continues":true,"parameters":{"number":2}}"#)
      #expect(try await caller.receive() == #"{"parameters":{"number":3}}"#)
      #expect(try await caller.receive() == #"{"parameters":{"text":"after"}}"#)
    }
  }

  @Test(
    arguments: [
      (#"{"to":2}"#, "Count", #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#),
      (#"{"to":1}"#, "Count", #"{"parameters":{"number":1}}"#),
      ("{}", "Wait", #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#),
    ])
  func `a method that needs more says so`(
    parameters: String, method: String, answer: String
  ) async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.\#(method)","parameters":\#(parameters)}"#)
      #expect(try await caller.receive() == answer)
    }
  }

  @Test
  func `a caller that hangs up ends its stream`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(#"{"method":"org.example.things.Wait","more":true}"#)
      #expect(try await caller.receive() == #"{"continues":true,"parameters":{"number":1}}"#)
      #expect(example.diary.all == [])
    }
    #expect(example.diary.all == ["stopped waiting"])
  }

  @Test
  func `a caller that hangs up ends its stream even with requests unread`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Wait","more":true}"#,
        #"{"method":"org.example.things.Echo","parameters":{"text":"never"}}"#)
      #expect(try await caller.receive() == #"{"continues":true,"parameters":{"number":1}}"#)
    }
    #expect(example.diary.all == ["stopped waiting"])
  }

  @Test
  func `a caller that only finished writing still gets its replies`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Count","parameters":{"to":100},"more":true}"#)
      caller.socket.finishWriting()
      let replies = try await caller.receiveAll()
      #expect(replies.count == 100)
      #expect(replies.last == #"{"parameters":{"number":100}}"#)
    }
  }

  @Test(arguments: [1, 20_000])
  func `calls of a caller that hung up are still carried out`(length: Int) async throws {
    let (ours, theirs) = try StreamSocket.pair()
    let caller = RawCaller(ours)
    let texts = ["1", "2", "3"].map { String(repeating: $0, count: length) }
    for text in texts {
      try await caller.send(
        #"{"method":"org.example.things.Echo","parameters":{"text":"\#(text)"},"oneway":true}"#)
    }
    ours.shutDown()
    try await example.server().serve(theirs)
    #expect(example.diary.all == texts.map { "oneway \($0)" })
  }

  @Test(
    arguments: [
      ("typed", #"{"error":"org.example.things.TooSmall","parameters":{"minimum":3}}"#),
      ("refused", #"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#),
      (
        "otherwise",
        #"{"error":"org.example.things.InternalError","parameters":{"message":"Broken()"}}"#
      ),
    ])
  func `a handler's errors reach the caller, and the connection goes on`(
    how: String, answer: String
  ) async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Fail","parameters":{"how":"\#(how)"}}"#,
        #"{"method":"org.example.things.Echo","parameters":{"text":"next"}}"#)
      #expect(try await caller.receive() == answer)
      #expect(try await caller.receive() == #"{"parameters":{"text":"next"}}"#)
    }
  }

  @Test(
    arguments: [
      (
        "org.example.nothing.Echo",
        #"InterfaceNotFound","parameters":{"interface":"org.example.nothing"}}"#
      ),
      ("Echo", #"InterfaceNotFound","parameters":{"interface":""}}"#),
      ("", #"InterfaceNotFound","parameters":{"interface":""}}"#),
      (".", #"InterfaceNotFound","parameters":{"interface":""}}"#),
      ("org.example.things.", #"MethodNotFound","parameters":{"method":"org.example.things."}}"#),
      (
        "org.example.things.echo",
        #"MethodNotFound","parameters":{"method":"org.example.things.echo"}}"#
      ),
    ])
  func `a method that isn't there is named`(method: String, answer: String) async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(#"{"method":"\#(method)"}"#)
      #expect(try await caller.receive() == #"{"error":"org.varlink.service."# + answer)
    }
  }

  @Test
  func `the description that is served is the text that was given`() async throws {
    try await withCaller(of: example.server()) { caller in
      let connection = VarlinkConnection(caller.socket, replyTimeout: .untilItHangs)
      let reply = try await connection.call(
        "org.varlink.service.GetInterfaceDescription", ["interface": "org.example.things"],
        returning: [String: String].self)
      #expect(reply["description"] == ExampleService.text)
      let own = try await connection.call(
        "org.varlink.service.GetInterfaceDescription", ["interface": "org.varlink.service"],
        returning: [String: String].self)
      #expect(
        try VarlinkDescription(text: #require(own["description"])).name == "org.varlink.service")
      await #expect(throws: VarlinkError.interfaceNotFound("org.example.nothing")) {
        _ = try await connection.call(
          "org.varlink.service.GetInterfaceDescription", ["interface": "org.example.nothing"],
          returning: [String: String].self)
      }
    }
  }

  @Test
  func `an upgrade is refused`() async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(#"{"method":"org.example.things.Echo","upgrade":true}"#)
      #expect(
        try await caller.receive() == """
          {"error":"org.varlink.service.MethodNotImplemented",\
          "parameters":{"method":"org.example.things.Echo"}}
          """)
    }
  }
}
