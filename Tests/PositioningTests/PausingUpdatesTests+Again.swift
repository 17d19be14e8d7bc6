import Geofencing
import Positioning
import Synchronization
import TestSupport
import Testing

/// A source that is needed again and again.
extension `Pausing updates` {
  /// What was needed in between is waited for anew: the time before doesn't count.
  @Test func `keep the source for the time of a look after each time that it was needed`()
    async throws
  {
    let (needs, continuation) = AsyncStream.makeStream(of: Void.self)
    let needed: (inout PausePolicy) -> Void = { policy in
      policy.untilNeeded = { for await _ in needs { return } }
    }
    try await run(needed) {
      source.feed(rest(0..<320))
      try await wait { !source.isRead }
      continuation.yield()
      try await wait { source.opened == 2 }
      var count = 0
      func feed(_ second: Double) async throws {
        count += 1
        source.feed([noFix(second)])
        try await wait { diagnostics.status.rejected[.noFix] == count || !source.isRead }
      }
      for second in [360.0, 361] { try await feed(second) }
      results.mayRelease.withLock { $0 = false }
      for second in [362.0, 363] { try await feed(second) }
      results.mayRelease.withLock { $0 = true }
      clock.advance(by: .seconds(60 + 75 + 1))
      // What is told with the second says that the first was done with.
      for second in [500.0, 501] { try await feed(second) }
      #expect(source.isRead)
      clock.advance(by: .seconds(60 + 75 + 1))
      source.feed([noFix(640)])
      try await wait { !source.isRead }
      #expect(results.told == 301)
    }
  }
}
