import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct HardTextTests {
  private let example = ExampleService()

  /// A text that takes a time in the square of its length to be compared, or gone through from behind.
  struct HardText: CustomTestStringConvertible {
    let testDescription: String
    let text: String

    static let all = [
      HardText(
        testDescription: "halves of flags", text: String(repeating: "\u{1F1E6}", count: 100_000)),
      HardText(
        testDescription: "halves of flags in ASCII",
        text: String(repeating: #"\ud83c\udde6"#, count: 100_000)),
      HardText(
        testDescription: "accents", text: "a" + String(repeating: "\u{301}\u{323}", count: 100_000)),
    ]
  }

  @Test(
    arguments: HardText.all,
    [
      #"{"@":1,"method":"org.example.things.Echo","parameters":{"text":""}}"#, #"{"method":"@"}"#,
      #"{"method":"org.example.things.Echo","parameters":{"text":"@"}}"#,
    ])
  func `long texts that are hard to compare are refused`(
    hard: HardText, message: String
  ) async throws {
    try await withCaller(of: example.server()) { caller in
      let parts = message.split(separator: "@")
      try await caller.send("\(parts[0])\(hard.text)\(parts[1])")
      #expect(
        try await caller.receive() == """
          {"error":"org.example.things.MalformedMessage",\
          "parameters":{"message":"a message must be a JSON object with a 'method': \
          a text of more than 256 bytes that isn't ASCII"}}
          """)
      #expect(try await caller.receive() == nil)
    }
  }
}
