import Testing

/// Parameters that don't match a method's description.
@Suite(.timeLimit(.minutes(10))) struct HostileParametersTests {
  let example = ExampleService()

  /// Parameters of `Draw` that don't match its description, and what is told of them.
  static let parameters: [(String, String, String)] = [
    (#"{}"#, "points", "parameter 'points' is missing"),
    (#"{"points":null}"#, "points", "parameter 'points' must not be null"),
    (#"{"points":{}}"#, "points", "parameter 'points' must be an array"),
    (#"{"points":[],"ponts":1}"#, "ponts", "there is no parameter 'ponts'"),
    (#"{"points":[{"x":1},{"y":2}]}"#, "points[1].x", "parameter 'points[1].x' is missing"),
    (#"{"points":[{"x":"1"}]}"#, "points[0].x", "parameter 'points[0].x' must be an integer"),
    (#"{"points":[{"x":1,"y":true}]}"#, "points[0].y", "parameter 'points[0].y' must be a number"),
    (#"{"points":[{"x":1,"z":3}]}"#, "points[0].z", "there is no parameter 'points[0].z'"),
    (#"{"points":[],"a\nb\u001b[31m":1}"#, "ab[31m", "there is no parameter 'ab[31m'"),
    (#"{"points":[7]}"#, "points[0]", "parameter 'points[0]' must be an object"),
    (
      #"{"points":[],"colour":"blue"}"#, "colour",
      "parameter 'colour' must be one of: red, dark_green"
    ),
    (#"{"points":[],"colour":true}"#, "colour", "parameter 'colour' must be a string"),
    (#"{"points":[],"sizes":{"a":"b"}}"#, "sizes.a", "parameter 'sizes.a' must be an integer"),
    (#"{"points":[],"filled":1}"#, "filled", "parameter 'filled' must be true or false"),
    (
      #"{"points":[{"x":1,"y":1e999}]}"#, "points[0].y",
      "parameter 'points[0].y' is out of range"
    ),
    (
      #"{"points":[{"x":99999999999999999999}]}"#, "points[0].x",
      "parameter 'points[0].x' is out of range, or isn't whole"
    ),
    (
      #"{"points":[],"sizes":{"a":-9223372036854775809}}"#, "sizes.a",
      "parameter 'sizes.a' is out of range, or isn't whole"
    ),
    (
      #"{"points":[],"sizes":{"a":1.5}}"#, "sizes.a",
      "parameter 'sizes.a' is out of range, or isn't whole"
    ),
    (
      #"{"points":[],"weights":[[1],[2,1e999]]}"#, "weights[1]",
      "parameter 'weights[1]' has a number that is out of range"
    ),
    (#"{"points":[],"extra":[]}"#, "extra", "parameter 'extra' must be an object"),
  ]

  @Test(arguments: parameters)
  func `a parameter that doesn't fit is named, and the connection goes on`(
    parameters: String, name: String, sentence: String
  ) async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Draw","parameters":\#(parameters)}"#,
        #"{"method":"org.example.things.Draw","parameters":{"points":[{"x":1},{"x":2,"y":2.5}]}}"#)
      let reply = try #require(try await caller.receive())
      #expect(
        reply == """
          {"error":"org.varlink.service.InvalidParameter",\
          "parameters":{"message":"\(sentence)","parameter":"\(name)"}}
          """)
      #expect(try await caller.receive() == #"{"parameters":{"count":2}}"#)
    }
  }

  /// Messages with members that are there twice, and how many points `Draw` finds; nil if it refuses them.
  static let repetitions: [(String, Int?)] = [
    (#""parameters":{"points":[{"x":1}],"points":7}"#, 1),
    (#""parameters":{"points":7,"points":[{"x":1}]}"#, nil),
    (#""parameters":{"points":[{"x":1,"x":"1"},{"x":2}]}"#, 2),
    (#""parameters":{"points":[],"sizes":{"a":1,"a":"2"}}"#, 0),
    (#""parameters":{"points":[{"x":1}]},"parameters":7"#, 1),
    (#""parameters":true,"parameters":{"points":[]}"#, nil),
    (#""parameters":null,"parameters":{"points":[]}"#, nil),
  ]

  @Test(arguments: repetitions)
  func `of members that are there twice the first counts`(
    members: String, points: Int?
  ) async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(#"{"method":"org.example.things.Draw",\#(members)}"#)
      let reply = try #require(try await caller.receive())
      if let points {
        #expect(reply == #"{"parameters":{"count":\#(points)}}"#)
      } else {
        #expect(reply.hasPrefix(#"{"error":"org.varlink.service.InvalidParameter""#))
      }
    }
  }

  @Test(arguments: ["7.0", "7e3", "9223372036854775807", "-9223372036854775808"])
  func `a number that is whole is taken however it is written`(number: String) async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Draw","parameters":{"points":[{"x":\#(number)}]}}"#)
      #expect(try await caller.receive() == #"{"parameters":{"count":1}}"#)
    }
  }

  @Test(arguments: ["1e999", "-1e999", "NaN", "99999999999999999999", "1.5"])
  func `a number that is no integer is refused`(number: String) async throws {
    try await withCaller(of: example.server()) { caller in
      try await caller.send(
        #"{"method":"org.example.things.Draw","parameters":{"points":[{"x":\#(number)}]}}"#)
      let reply = try #require(try await caller.receive())
      #expect(reply.hasPrefix(#"{"error":"org."#))
    }
  }
}
