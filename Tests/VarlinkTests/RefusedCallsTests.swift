import TestSupport
import Testing

@testable import Varlink

/// Of which calls a method is told that they were answered with an error.
struct RefusedCallsTests {
  private let example = ExampleService()

  private func request(_ text: String) -> String {
    #"{"method":"org.example.things.Echo","parameters":{"text":\#(text)}}"#
  }

  @Test
  func `one that can't be read is among them, and one that came too soon unless it comes again`()
    async throws
  {
    let clock = RequestClock()
    let server = try example.server({ $0.maximumRequestsPerSecond = 1 }, now: { clock.now })
    try await withCaller(of: server) { caller in
      func send(_ text: String, isTooSoon: Bool = false) async throws {
        if !isTooSoon { clock.advance(by: .seconds(1)) }
        try await caller.send(request(text))
        let answer = try #require(try await caller.receive())
        #expect(answer.contains("TooManyRequests") == isTooSoon)
      }
      try await send(#""a""#)
      try await send(#""b""#, isTooSoon: true)
      try await send(#""b""#)
      #expect(example.diary.all == ["a", "b"])
      try await send(#""c""#, isTooSoon: true)
      try await send(#""c""#, isTooSoon: true)
      try await send(#""d""#)
      #expect(example.diary.all == ["a", "b", "refused Echo", "d"])
      try await send("5")
      #expect(example.diary.all.suffix(2) == ["d", "refused Echo"])
    }
  }
}
